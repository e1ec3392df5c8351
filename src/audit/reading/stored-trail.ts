import { join } from 'node:path';
import type { IstDay } from '../../base/time.ts';
import type { Disk, DiskFile } from '../../journal/disk/disk.ts';
import { GENESIS_HASH, type Line, lineEnd, nextLine, readLine, type TrailHead } from '../line.ts';
import { dayFile, endOfLines, endOfText, linesBackward, linesOf, trailDays } from '../trail-file.ts';
import { readTrailMark } from '../trail-mark.ts';

/** The trail on the disk cannot be gone on with; `sauda verify` says more. */
export class TrailDamaged extends Error {
  override readonly name = 'TrailDamaged';
}

/** The end of the stored trail. */
export interface StoredTrail {
  readonly head: TrailHead;
  /** The day of the last file; `undefined` when there is none. */
  readonly day: IstDay | undefined;
  /** How many bytes of that file are lines of the trail, and whether the last of them closes it. */
  readonly size: number;
  readonly closed: boolean;
  /** The last record of the journal that a line names, see `lastRecord`. */
  readonly seq: number | undefined;
  /** Bytes behind the last line that a crash left, in that file and in `blank`: they are to be cut off. */
  readonly cut: number;
  /** Paths of later files, in which no line stands. */
  readonly blank: readonly string[];
  /** How far the trail was flushed, as its mark says; `undefined` without one. */
  readonly mark: TrailHead | undefined;
  /**
   * Where in the last file the lines end that the mark knows; `undefined` where the trail does not hold the line that
   * the mark names, or there is no mark.
   */
  readonly flushed: number | undefined;
}

/** Where the lines of a file end that can be gone on with, and those of them that the mark knows; see `StoredTrail`. */
type FileEnd = Pick<StoredTrail, 'size' | 'flushed'>;

/**
 * Finds the end of a trail, and changes nothing. Behind its mark the newest file is read forward, up to the first line
 * that does not follow the one before: a power cut may have left holes in what was not flushed. Before the mark, or
 * without one, only what stands behind the last end of a line may be cut off. Reads on backward as far as the last line
 * that names a record of the journal. Throws `TrailDamaged` when a line on the way is none.
 */
export function storedTrail(disk: Disk, folder: string): StoredTrail {
  const mark = readTrailMark(disk, folder);
  const days = trailDays(disk, folder).reverse();
  const blank: string[] = [];
  let cut = 0;
  for (const [index, day] of days.entries()) {
    const path = join(folder, dayFile(day));
    const file = disk.open(path, 'read');
    try {
      const end = endOfFile(disk, folder, { file, mark, before: days.slice(index + 1), isNewest: index === 0 });
      cut += file.size() - end.size;
      if (end.size > 0) return { day, ...end, cut, blank, mark, ...endOf(disk, folder, day, end.size) };
    } finally {
      file.close();
    }
    blank.push(path);
  }
  const flushed = mark === undefined || mark.n > 0 ? undefined : 0;
  const head = { n: 0, hash: GENESIS_HASH };
  return { head, day: undefined, size: 0, closed: true, seq: undefined, cut, blank, mark, flushed };
}

/** What is told of what a start cuts off. */
export function cutText(folder: string, { head, day, size, cut }: StoredTrail): string {
  const place = day === undefined ? folder : `${join(folder, dayFile(day))}, offset ${size}`;
  return `${place}: ${cut} bytes behind line ${head.n} of the audit trail are no whole lines that follow it, and were never known to be on the disk: they are cut off`;
}

/** A file of the trail that is looked at. */
interface LookedAt {
  readonly file: DiskFile;
  readonly mark: TrailHead | undefined;
  /** The days of the files before it, the last one first. */
  readonly before: readonly IstDay[];
  readonly isNewest: boolean;
}

function endOfFile(disk: Disk, folder: string, { file, mark, before, isNewest }: LookedAt): FileEnd {
  const whole = endOfLines(file);
  if (mark === undefined) return { size: whole, flushed: undefined };
  const flushed = endOfText(file, lineEnd(mark.hash));
  if (flushed !== undefined) return { size: isNewest ? endOfChain(file, flushed, mark) : whole, flushed };
  if (mark.n > 0 && !isInEarlier(disk, folder, before, mark)) return { size: whole, flushed: undefined };
  const [last = mark] = storedBackward(disk, folder, before);
  return { size: isNewest ? endOfChain(file, 0, last) : whole, flushed: 0 };
}

/** Where the lines end that follow each other from `start` on, behind the line of `head`. */
function endOfChain(file: DiskFile, start: number, head: TrailHead): number {
  let end = start;
  let before = head;
  for (const { text, whole } of linesOf(file, start)) {
    const line = whole ? nextLine(before, text) : '';
    if (typeof line === 'string') break;
    before = line;
    end += text.length + 1;
  }
  return end;
}

/**
 * True when the line of a mark stands in one of the files of some days, the last one first: in the first that begins
 * with no later line.
 */
function isInEarlier(disk: Disk, folder: string, days: readonly IstDay[], { n, hash }: TrailHead): boolean {
  for (const day of days) {
    const file = disk.open(join(folder, dayFile(day)), 'read');
    try {
      const [first] = linesOf(file);
      const line = first === undefined ? '' : readLine(first.text);
      if (typeof line === 'string' || line.n <= n) return endOfText(file, lineEnd(hash)) !== undefined;
    } finally {
      file.close();
    }
  }
  return false;
}

/**
 * The last line of a trail that has one, in the first `size` bytes of the file of `day`, and the last record that its
 * lines name.
 */
function endOf(disk: Disk, folder: string, day: IstDay, size: number): Pick<StoredTrail, 'head' | 'closed' | 'seq'> {
  const days = trailDays(disk, folder)
    .filter((other) => other <= day)
    .reverse();
  const [head] = storedBackward(disk, folder, days, size);
  if (head === undefined) throw damaged(folder, `${folder} has no line`);
  return { head, closed: head.kind === 'Close', seq: lastRecord(storedBackward(disk, folder, days, size)) };
}

/**
 * The last record of the journal that lines name, the last line first; `undefined` when none does. A seal states the
 * head of the journal at its moment and may stand behind lines of later records, which waited with it: what is before
 * it counts too.
 */
function lastRecord(lines: Iterable<Line>): number | undefined {
  let last: number | undefined;
  for (const { kind, seq } of lines) {
    if (seq === undefined) continue;
    last = Math.max(last ?? 0, seq);
    if (kind !== 'Seal' && kind !== 'End') break;
  }
  return last;
}

/** The lines of the files of some days, the last one first; of the first day the first `size` bytes. */
function* storedBackward(disk: Disk, folder: string, days: readonly IstDay[], size?: number): Iterable<Line> {
  for (const [index, day] of days.entries()) {
    const path = join(folder, dayFile(day));
    const file = disk.open(path, 'read');
    try {
      const end = (index === 0 ? size : undefined) ?? endOfLines(file);
      if (end === 1) throw damaged(folder, `${path} has an end of a line and no line`);
      for (const text of linesBackward(file, end)) {
        const line = readLine(text);
        if (typeof line === 'string') throw damaged(folder, `${path}: ${line}`);
        yield line;
      }
    } finally {
      file.close();
    }
  }
}

function damaged(folder: string, what: string): TrailDamaged {
  return new TrailDamaged(
    `the audit trail is damaged: ${what}; put back a copy, or move ${folder} away and accept the loss of it`,
  );
}
