/**
 * Finds the end of the audit trail on the disk at a start: the last line, how far the trail was flushed, and the bytes
 * after it that a crash left. It changes nothing; `trail-log.ts` cuts those bytes off.
 */

import { join } from 'node:path';
import type { IstDay } from '../../base/time.ts';
import type { Disk, DiskFile } from '../../journal/disk/disk.ts';
import { dayFile, endOfLines, endOfText, linesBackward, linesOf, trailDays } from '../trail-file.ts';
import { GENESIS_HASH, lineEnd, nextLine, readLine, type TrailHead, type TrailLine } from '../trail-line.ts';
import { readTrailMark } from '../trail-mark.ts';

/** The trail on the disk cannot be continued; `sauda verify` gives the details. */
export class TrailDamaged extends Error {
  override readonly name = 'TrailDamaged';
}

/** The end of the stored trail. */
export interface StoredTrail {
  readonly head: TrailHead;
  /** The day of the last file; `undefined` when there is none. */
  readonly day: IstDay | undefined;
  /** The size of the trail's lines in that file, in bytes, and whether the last line closes it. */
  readonly size: number;
  readonly closed: boolean;
  /** The last record of the journal that a line names, see `lastRecord`. */
  readonly seq: number | undefined;
  /** Bytes that a crash left after the last line, in that file and in `blank`. They have to be cut off. */
  readonly cut: number;
  /** Paths of later files that hold no line. */
  readonly blank: readonly string[];
  /** How far the trail was flushed, by its mark; `undefined` without a mark. */
  readonly mark: TrailHead | undefined;
  /**
   * Where, in the last file, the lines end that the mark covers; `undefined` when there is no mark, or when the trail
   * does not hold the line that it names.
   */
  readonly flushed: number | undefined;
}

/** Where the usable lines of a file end, and where those end that the mark covers; see `StoredTrail`. */
type FileEnd = Pick<StoredTrail, 'size' | 'flushed'>;

/**
 * Finds the end of a trail, and changes nothing. After its mark the newest file is read forward, up to the first line
 * that does not follow the one before: a power cut may have left holes in data that was not flushed. Before the mark,
 * or without one, only the text after the last line feed may be cut off. Then it reads backward to the last line that
 * names a record of the journal. Throws `TrailDamaged` when it meets something that is not a line.
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

/** The log line about the bytes that a start cuts off. */
export function cutText(folder: string, { head, day, size, cut }: StoredTrail): string {
  const place = day === undefined ? folder : `${join(folder, dayFile(day))}, offset ${size}`;
  return `${place}: ${cut} bytes after line ${head.n} of the audit trail are not whole lines that follow it, and were never known to be on the disk: they are cut off`;
}

/** A file of the trail that is read. */
interface LookedAt {
  readonly file: DiskFile;
  readonly mark: TrailHead | undefined;
  /** The days of the files before it, newest first. */
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

/** Where the lines end that follow each other from `start`, after the line of `head`. */
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
 * True when one of the files of these days, newest first, holds the line of a mark. Only the first file that does not
 * begin with a later line can hold it.
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
 * head of the journal at its moment. It may stand after lines of later records that waited with it, so the lines before
 * a seal count too.
 */
function lastRecord(lines: Iterable<TrailLine>): number | undefined {
  let last: number | undefined;
  for (const { kind, seq } of lines) {
    if (seq === undefined) continue;
    last = Math.max(last ?? 0, seq);
    if (kind !== 'Seal' && kind !== 'End') break;
  }
  return last;
}

/** The lines of the files of these days, newest first; of the first day only the first `size` bytes. */
function* storedBackward(disk: Disk, folder: string, days: readonly IstDay[], size?: number): Iterable<TrailLine> {
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
