/**
 * Checks the whole audit trail by itself, for `sauda verify`. It changes nothing and works beside a running service.
 * The comparison with the journal is in `compare-with-journal.ts`.
 */

import { join } from 'node:path';
import { isAbsent } from '../../base/system-fault.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { type BeginPart, type Progress, UNWATCHED } from '../../os/progress.ts';
import { type AnchorEntry, type AnchorPlace, readAnchor } from '../anchor.ts';
import { dayFile, dayOfFile, linesAt, trailDays } from '../trail-file.ts';
import { GENESIS_HASH, nextLine, readLine, type TrailHead, type TrailLine } from '../trail-line.ts';
import { readTrailMark, trailMark } from '../trail-mark.ts';

/** At most this number of faults is reported; later ones usually follow from them. */
const MOST_FAULTS = 20;

/** The name of a file that a copy keeps aside, see `TrailCopy`. */
const CUT = /^\d{4}-\d\d-\d\d\.log\.cut-\d+(?:-\d+)?$/;

/** The result of checking a whole trail. */
export interface TrailVerification {
  readonly folder: string;
  readonly files: number;
  readonly lines: number;
  readonly head: TrailHead;
  /** Each names its file and line. */
  readonly faults: readonly string[];
  /** Findings that are not faults, as sentences. */
  readonly remarks: readonly string[];
  /** Where processes started, for the comparison with the journal: the number of the line and the record. */
  readonly starts: readonly { readonly n: number; readonly seq: number }[];
}

/**
 * Checks a trail from its first line: every byte of every file, the chain, the files against each other, the mark and
 * the anchor's entries. Bytes that the next start cuts off, see `storedTrail`, are a remark. Source: reliability G11.
 */
export function verifyTrail(
  disk: Disk,
  folder: string,
  anchor?: AnchorPlace,
  begin: BeginPart = UNWATCHED,
): TrailVerification {
  return new TrailCheck(disk, folder, begin('checking the audit trail', 'lines')).run(anchor);
}

class TrailCheck {
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly progress: Progress;
  private readonly faults: string[] = [];
  private readonly remarks: string[] = [];
  private readonly starts: { n: number; seq: number }[] = [];
  /**
   * The last of the files that a line says were removed because they were too old. After a crash during the removal the
   * later ones of them are still there.
   */
  private lastRemoved = '';
  private anchored = new Map<number, AnchorEntry>();
  /**
   * The line that the mark names. The mark is read before the lines, because a running service writes it after them.
   */
  private readonly mark: TrailHead | undefined;
  private isBehindMark: boolean;
  private head: TrailHead = { n: 0, hash: GENESIS_HASH };
  private first: TrailLine | undefined;
  private lines = 0;

  constructor(disk: Disk, folder: string, progress: Progress) {
    this.disk = disk;
    this.folder = folder;
    this.progress = progress;
    this.mark = readTrailMark(disk, folder);
    this.isBehindMark = this.mark?.n === 0;
  }

  run(anchor: AnchorPlace | undefined): TrailVerification {
    const entries = anchor === undefined ? [] : this.entriesOf(anchor);
    this.anchored = new Map(entries.map((entry) => [entry.n, entry]));
    const foreign = this.disk.names(this.folder).filter((name) => dayOfFile(name) === undefined);
    for (const name of foreign) this.checkForeign(name);
    const days = trailDays(this.disk, this.folder);
    for (const [index, day] of days.entries()) this.checkFile(dayFile(day), index, index === days.length - 1);
    this.checkBeginning();
    this.checkMark();
    if (anchor === undefined) {
      this.remarks.push('no anchor is named: lines that somebody cut off at the end would not be missed');
    } else this.checkAnchored(anchor);
    const { folder, lines, head, faults, remarks, starts } = this;
    return { folder, files: days.length, lines, head, faults, remarks, starts };
  }

  private checkForeign(name: string): void {
    const path = join(this.folder, name);
    if (CUT.test(name)) this.remarks.push(`${path} has lines that a power cut took from the member that wrote them`);
    else this.fault(path, 0, 'this is not a file of the trail');
  }

  private entriesOf(anchor: AnchorPlace): readonly AnchorEntry[] {
    try {
      const { entries, faults } = readAnchor(this.disk, anchor);
      for (const fault of faults) this.report(fault);
      return entries;
    } catch (error) {
      if (!isAbsent(error)) throw error;
      this.report(`${anchor.path}: the anchor is missing`);
      return [];
    }
  }

  private checkFile(name: string, index: number, isLast: boolean): void {
    const path = join(this.folder, name);
    let last: TrailLine | undefined;
    let number = 0;
    let cut = 0;
    for (const { text, number: at, whole } of linesAt(this.disk, path)) {
      if (cut > 0 || (isLast && this.isCut(text, whole))) {
        cut += text.length + (whole ? 1 : 0);
        continue;
      }
      number = at;
      if (!whole) {
        this.checkUnfinished(path, at, text, isLast);
        break;
      }
      const line = this.checkLine(path, at, text, index);
      last = line ?? last;
    }
    if (cut > 0) this.reportCut(path, number + 1, cut);
    if (number === 0 && !isLast) this.fault(path, 1, 'the file is empty');
    if (last !== undefined && !isLast && last.kind !== 'Close') {
      this.fault(path, number, 'the file ends without the line that closes it');
    }
  }

  /** True for bytes that a power cut may have left in the place of a line that was not flushed. */
  private isCut(text: string, whole: boolean): boolean {
    return this.isBehindMark && (!whole || typeof nextLine(this.head, text) === 'string');
  }

  private reportCut(path: string, line: number, bytes: number): void {
    const what = `${bytes} bytes that are not whole lines after the one before and were never known to be on the disk`;
    this.remarks.push(`${path}, line ${line}: ${what}; the next start cuts them off`);
  }

  private checkLine(path: string, number: number, text: string, index: number): TrailLine | undefined {
    const isFirst = number === 1;
    if (isFirst && index === 0) this.beginAt(text);
    const line = nextLine(this.head, text);
    this.lines += 1;
    if (typeof line === 'string') {
      this.fault(path, number, line);
      this.goOnAfter(text);
      return undefined;
    }
    this.head = { n: line.n, hash: line.hash };
    this.progress(line.n, this.mark?.n ?? line.n);
    this.first ??= line;
    if (isFirst !== (line.kind === 'Day') || (isFirst && !path.endsWith(`${String(line.day)}.log`))) {
      this.fault(path, number, isFirst ? 'the file does not begin with its day' : 'a day begins inside a file');
    }
    this.take(line);
    return line;
  }

  /** A trail whose beginning was removed continues from the hash that its first line states. */
  private beginAt(text: string): void {
    const line = readLine(text);
    if (typeof line === 'string' || line.n === 1 || typeof line.previous !== 'string') return;
    this.head = { n: line.n - 1, hash: line.previous };
  }

  /** After a fault the chain continues from what the line states, so that each fault is reported once. */
  private goOnAfter(text: string): void {
    const stated = readLine(text);
    this.head = typeof stated === 'string' ? { n: this.head.n + 1, hash: '' } : { n: stated.n, hash: stated.hash };
  }

  private take({ n, hash, kind, seq, last }: TrailLine): void {
    if (kind === 'Start' && seq !== undefined) this.starts.push({ n, seq });
    if (n === this.mark?.n && hash === this.mark.hash) this.isBehindMark = true;
    if (kind === 'Removed') this.lastRemoved = `${String(last)}.log`;
    const entry = this.anchored.get(n);
    if (entry === undefined) return;
    if (entry.hash !== hash)
      this.report(`line numbered ${n} is not the one that the anchor remembers: it was rewritten`);
    this.anchored.delete(n);
  }

  /**
   * A crash leaves bytes without a line feed at the end of the last file only. A whole line that lost its line feed was
   * changed.
   */
  private checkUnfinished(path: string, number: number, text: string, isLast: boolean): void {
    const changed = typeof nextLine(this.head, text.slice(0, -1)) !== 'string';
    if (changed || !isLast) this.fault(path, number, 'the line has no end');
    else
      this.remarks.push(
        `${path}, line ${number}: ${text.length} bytes of a line that is not whole; the next start cuts them off`,
      );
  }

  private checkBeginning(): void {
    const { first } = this;
    if (first === undefined || first.n === 1 || String(first.after) <= this.lastRemoved) return;
    this.fault(join(this.folder, String(first.day)), 1, `the files up to ${String(first.after)} are missing`);
  }

  private checkMark(): void {
    if (this.mark === undefined || this.isBehindMark) return;
    const { mark, head } = this;
    const path = trailMark(this.folder);
    if (mark.n > head.n)
      this.report(`the trail ends at line ${head.n}, and ${path} remembers line ${mark.n}: the end was cut off`);
    else this.report(`line numbered ${mark.n} is not the one that ${path} remembers`);
  }

  private checkAnchored({ path }: AnchorPlace): void {
    const beginning = this.first?.n ?? 0;
    for (const { n } of this.anchored.values()) {
      if (n > this.head.n)
        this.report(`the trail ends at line ${this.head.n}, and ${path} remembers line ${n}: the end was cut off`);
      else if (n >= beginning) this.report(`line numbered ${n}, which ${path} remembers, is missing`);
    }
  }

  private fault(path: string, line: number, what: string): void {
    this.report(`${path}, line ${line}: ${what}`);
  }

  private report(fault: string): void {
    if (this.faults.length < MOST_FAULTS) this.faults.push(fault);
  }
}

/** The report of `sauda verify` on a trail. */
export function trailText({ folder, files, lines, head, faults, remarks }: TrailVerification, agreed: string): string {
  if (faults.length > 0) return faults.map((fault) => `DAMAGED ${fault}`).join('\n');
  const counted = `${lines} lines in ${files} files, head ${head.n} ${head.hash}`;
  return [`${folder} is whole: ${counted}`, agreed, ...remarks].filter((part) => part !== '').join('; ');
}
