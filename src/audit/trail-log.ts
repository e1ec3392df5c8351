/**
 * Writes the audit trail: one file for each IST day, and one chain of hashes over all of them. It runs in the thread of
 * `trail-worker.ts`. The bodies of the lines are made in `trail.ts`.
 */

import { join } from 'node:path';
import { isAbsent } from '../base/system-fault.ts';
import { formatIsoDay, type IstDay, istDay, type WallMs } from '../base/time.ts';
import { type Disk, type DiskFile, isFull } from '../journal/disk/disk.ts';
import { IndexTally } from './reading/day-index.ts';
import type { StoredTrail } from './reading/stored-trail.ts';
import { dayFile, linesBackward, trailDays } from './trail-file.ts';
import { asciiJson, bodiesOf, END_OF_LINE, readLine, sealLines, TRAIL_VERSION, type TrailHead } from './trail-line.ts';
import { TrailMark } from './trail-mark.ts';

/** Lines that are written in one call. */
const BATCH_LINES = 4_096;
/** Lines of a file that one slice counts, in some 10 ms. */
const COUNTED_LINES = 4_096;
/** Where the digits of the wall time begin in every body, after `"utc":`. */
const UTC_AT = 6;
const ZERO = 48;
const NINE = 57;
/** Younger files are never removed. Source: market-rules R9.7. */
export const FEWEST_YEARS = 5;

/**
 * A flush failed, so nobody knows which of the written lines are on the disk. No later flush makes up for it. Source:
 * reliability P6.
 */
export class TrailNotFlushed extends Error {
  override readonly name = 'TrailNotFlushed';
}

/**
 * The trail that is being written. Lines wait when the disk has no room, and those of a later day while the file that a
 * start found is counted for its index. All calls are synchronous.
 */
export class TrailLog {
  private readonly disk: Disk;
  private readonly folder: string;
  private readonly mark: TrailMark;
  /** Files of days that are older than this are removed; 0 keeps all. */
  private readonly years: number;
  /** Bodies that wait. */
  private waiting: Buffer = Buffer.alloc(0);
  private file: DiskFile | undefined;
  private size: number;
  private day: IstDay | undefined;
  private closed: boolean;
  private dirty = false;
  private end: TrailHead;
  /** Counts the lines of the day's file: those that are written, and in slices those that it had before. */
  private tally = new IndexTally();
  /** The first bytes of the day's file, whose lines are not counted yet. */
  private uncounted: number;

  /** Continues after the end that `storedTrail` found. Anything after that end is cut off first. */
  constructor(disk: Disk, folder: string, stored: StoredTrail, years = 0) {
    this.disk = disk;
    this.folder = folder;
    this.years = years === 0 ? 0 : Math.max(FEWEST_YEARS, years);
    this.size = stored.size;
    this.uncounted = stored.size;
    this.day = stored.day;
    this.closed = stored.closed;
    this.end = { n: stored.head.n, hash: stored.head.hash };
    this.mark = new TrailMark(disk, folder);
    repairEnd(disk, folder, stored);
    // A process that was killed after it named a new file has not flushed the name: a power cut would remove the file.
    if (stored.day !== undefined) disk.flushFolder(folder);
    if (stored.flushed === undefined) this.mark.reset(this.end);
    else if (stored.mark?.n !== this.end.n) this.mark.advance(this.end);
  }

  /** The last line that was written. */
  get head(): TrailHead {
    return this.end;
  }

  /** Bytes of the lines that wait. */
  get waitingBytes(): number {
    return this.waiting.length;
  }

  /** Adds bodies, see `bodiesOf`, and writes them as far as `write` does. */
  append(bodies: Buffer): void {
    this.waiting = this.waiting.length === 0 ? bodies : Buffer.concat([this.waiting, bodies]);
    this.write();
  }

  /**
   * Writes the waiting lines; true when none is left. A slice of the day's file is counted when they wait for that.
   * Throws the errors of the disk, except that it is full.
   */
  write(): boolean {
    try {
      while (this.waiting.length > 0 && (!this.needsIndex || this.count())) this.writeRun();
      return this.waiting.length === 0;
    } catch (error) {
      if (!isFull(error)) throw error;
      return false;
    }
  }

  /** Counts a slice of what a start found in the day's file, of `most` lines; true when nothing of it is left. */
  count(most = COUNTED_LINES): boolean {
    if (this.uncounted === 0) return true;
    const file = this.disk.open(join(this.folder, dayFile(this.day as IstDay)), 'read');
    try {
      let left = most;
      for (const text of linesBackward(file, this.uncounted)) {
        if (left === 0) return false;
        this.tallyLine(text);
        this.uncounted -= text.length + 1;
        left -= 1;
      }
    } finally {
      file.close();
    }
    this.uncounted = 0;
    return true;
  }

  /** Everything written is on the disk when this returns. Throws `TrailNotFlushed`, also when the disk was full. */
  flush(): void {
    if (!this.dirty) return;
    try {
      this.file?.flush();
      this.mark.advance(this.end);
    } catch (cause) {
      throw new TrailNotFlushed(`the audit trail was not flushed: ${String(cause)}`, { cause });
    }
    this.dirty = false;
  }

  /** Closes the log and gives the bodies that wait. */
  release(): Buffer {
    this.close();
    return this.waiting;
  }

  close(): void {
    this.flush();
    this.file?.close();
    this.file = undefined;
    this.mark.close();
  }

  /** True when the next line begins a day, and the file of the day before has to be closed with its index. */
  private get needsIndex(): boolean {
    return this.day !== undefined && !this.closed && this.dayOf(0) > this.day;
  }

  private tallyLine(text: string): void {
    const line = readLine(text);
    if (typeof line !== 'string') this.tally.add(line);
  }

  /** Writes the waiting lines of one day. */
  private writeRun(): void {
    const { waiting } = this;
    const day = this.dayOf(0);
    if (this.day === undefined || day > this.day) this.turnTo(day);
    let end = 0;
    for (let count = 0; count < BATCH_LINES && end < waiting.length && this.dayOf(end) === day; count += 1) {
      end = waiting.indexOf(END_OF_LINE, end) + 1;
    }
    this.put(waiting.subarray(0, end));
    this.closed = false;
    this.waiting = waiting.subarray(end);
  }

  /**
   * The day under which the line that begins at `start` is filed: the day of its wall time, but never before the day of
   * the line before it.
   */
  private dayOf(start: number): IstDay {
    const own = istDay(this.utcAt(start));
    return this.day === undefined || own > this.day ? own : this.day;
  }

  /** The wall time of the waiting line at `start`; 0 when the clock stands before 1970. */
  private utcAt(start: number): WallMs {
    let utc = 0;
    for (let at = start + UTC_AT; ; at += 1) {
      const digit = this.waiting[at];
      if (digit === undefined || digit < ZERO || digit > NINE) return utc as WallMs;
      utc = utc * 10 + digit - ZERO;
    }
  }

  private put(bodies: Buffer): void {
    const file = this.opened();
    const { lines, head } = sealLines(this.end, bodies);
    try {
      file.write(this.size, lines);
    } catch (error) {
      if (isFull(error)) file.truncate(this.size);
      throw error;
    }
    for (const text of lines.toString('latin1', 0, lines.length - 1).split('\n')) this.tallyLine(text);
    this.size += lines.length;
    this.end = head;
    this.dirty = true;
  }

  private opened(): DiskFile {
    this.file ??= this.disk.open(join(this.folder, dayFile(this.day as IstDay)), 'write');
    return this.file;
  }

  /**
   * Closes the file of the day before with its index, and begins the file of `day` with a line that names the file
   * before.
   */
  private turnTo(day: IstDay): void {
    const before = this.day;
    const utc = this.utcAt(0);
    if (before !== undefined && !this.closed) {
      const index = asciiJson(this.tally.index());
      this.put(bodiesOf([`"utc":${utc},"kind":"Close","day":"${formatIsoDay(before)}","index":${index}`]));
      this.closed = true;
    }
    this.close();
    const path = join(this.folder, dayFile(day));
    const file = this.disk.create(path);
    this.file = file;
    const { size, closed, end, tally } = this;
    this.tally = new IndexTally();
    this.size = 0;
    this.closed = false;
    try {
      const previous = before === undefined ? 'null' : `"${dayFile(before)}"`;
      const opening = `"utc":${utc},"kind":"Day","version":${TRAIL_VERSION},"day":"${formatIsoDay(day)}","after":${previous}`;
      this.put(bodiesOf([`${opening},"previous":"${this.end.hash}"`]));
      // Flushed here, so that the file can be begun again when the disk is full.
      file.flush();
      this.dirty = false;
    } catch (error) {
      file.close();
      this.file = undefined;
      this.size = size;
      this.closed = closed;
      this.end = end;
      this.tally = tally;
      this.dirty = false;
      if (isFull(error)) this.disk.remove(path);
      throw error;
    }
    this.day = day;
    this.uncounted = 0;
    this.disk.flushFolder(this.folder);
    // Only after the file's name is on the disk.
    this.mark.advance(this.end);
    this.removeOld(before ?? day, utc);
  }

  /**
   * Removes files that are too old, counted from `day`, the last day before that has lines: so a clock that runs years
   * ahead for a while removes nothing. The line that names the removed files is on the disk before any file goes.
   */
  private removeOld(day: IstDay, utc: number): void {
    if (this.years === 0) return;
    const oldest = yearsBefore(day, this.years);
    const old = trailDays(this.disk, this.folder).filter((other) => other < oldest);
    const last = old.at(-1);
    if (last === undefined) return;
    const names = `"files":${old.length},"before":"${formatIsoDay(oldest)}","last":"${formatIsoDay(last)}"`;
    this.put(bodiesOf([`"utc":${utc},"kind":"Removed",${names}`]));
    this.flush();
    for (const gone of old) {
      try {
        this.disk.remove(join(this.folder, dayFile(gone)));
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
    }
    this.disk.flushFolder(this.folder);
  }
}

/**
 * Cuts off anything after the lines of a stored trail, and makes sure that the lines are on the disk. Lines after the
 * mark are written once more, because a page that never reached the disk may look well in memory. May be interrupted at
 * any step and repeated. Source: reliability F04, F07, P12.
 */
function repairEnd(disk: Disk, folder: string, { day, size, cut, blank, flushed }: StoredTrail): void {
  for (const path of blank) disk.remove(path);
  if (blank.length > 0) disk.flushFolder(folder);
  if (day !== undefined && (cut > 0 || flushed !== size)) {
    const file = disk.open(join(folder, dayFile(day)), 'write');
    try {
      if (file.size() > size) file.truncate(size);
      const at = flushed ?? size;
      file.write(at, file.read(at, size - at));
      file.flush();
    } finally {
      file.close();
    }
  }
}

/** The day `years` years before, with 366 days a year, so that nothing is removed too early. */
export function yearsBefore(day: IstDay, years: number): IstDay {
  return (day - years * 366) as IstDay;
}
