import { join } from 'node:path';
import { type EpochMs, formatIsoDay, type IstDay, istDay } from '../base/time.ts';
import { type Disk, type DiskFile, isAbsent, isFull } from '../journal/disk.ts';
import { IndexTally } from './day-index.ts';
import {
  asciiJson,
  bodiesOf,
  END_OF_LINE,
  GENESIS_HASH,
  type Line,
  readLine,
  sealLines,
  TRAIL_VERSION,
  type TrailHead,
} from './line.ts';
import { dayFile, endOfLines, linesAt, linesBackward, trailDays } from './trail-file.ts';

/** Lines that are written in one call. */
const BATCH_LINES = 4_096;
/** Where the wall time stands in every body: `"utc":` and thirteen digits. */
const UTC_AT = 6;
const UTC_END = 19;
const ZERO = 48;
/** Nothing is removed that is younger. Source: market-rules R9.7. */
const FEWEST_YEARS = 5;

/** The trail on the disk cannot be gone on with; `sauda verify` says more. */
export class TrailDamaged extends Error {
  override readonly name = 'TrailDamaged';
}

/** What was written may not last, and nobody can know what of it does: no later flush makes up for one that failed. Source: reliability P6. */
class TrailNotFlushed extends Error {
  override readonly name = 'TrailNotFlushed';
}

/** The end of the stored trail. */
export interface StoredTrail {
  readonly head: TrailHead;
  /** The day of the last file; `undefined` when there is none. */
  readonly day: IstDay | undefined;
  /** Its size in bytes, and whether its last line closes it. */
  readonly size: number;
  readonly closed: boolean;
  /** The last record of the journal that a line names, see `lastRecord`. */
  readonly seq: number | undefined;
  /** Bytes behind the last whole line that a crash left and that were cut off. */
  readonly cut: number;
}

/**
 * Finds the end of a trail and cuts off what a crash left of a line behind it. Reads from the end backward, as far as the last line that names a
 * record of the journal. Throws `TrailDamaged` when a line on the way is none.
 */
export function openTrail(disk: Disk, folder: string): StoredTrail {
  let cut = 0;
  for (const day of trailDays(disk, folder).reverse()) {
    const path = join(folder, dayFile(day));
    const file = disk.open(path, 'write');
    try {
      const size = endOfLines(file);
      cut += file.size() - size;
      if (file.size() > size) {
        file.truncate(size);
        file.flush();
      }
      if (size > 0) return { day, size, cut, ...endOf(disk, folder) };
    } finally {
      file.close();
    }
    disk.remove(path);
  }
  return { head: { n: 0, hash: GENESIS_HASH }, day: undefined, size: 0, closed: true, seq: undefined, cut };
}

/** The last line of a trail that has one, and the last record that its lines name. */
function endOf(disk: Disk, folder: string): Pick<StoredTrail, 'head' | 'closed' | 'seq'> {
  const [head] = storedBackward(disk, folder);
  if (head === undefined) throw new TrailDamaged(`the audit trail is damaged: ${folder} has no line`);
  return { head, closed: head.kind === 'Close', seq: lastRecord(storedBackward(disk, folder)) };
}

/**
 * The last record of the journal that lines name, the last line first; `undefined` when none does. A seal states the head of the journal at its moment and
 * may stand behind lines of later records, which waited with it: what is before it counts too.
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

/** The lines of a trail, the last one first. */
function* storedBackward(disk: Disk, folder: string): Iterable<Line> {
  for (const day of trailDays(disk, folder).reverse()) {
    const path = join(folder, dayFile(day));
    const file = disk.open(path, 'read');
    try {
      const size = endOfLines(file);
      if (size === 1) throw new TrailDamaged(`the audit trail is damaged: ${path} has an end of a line and no line`);
      for (const text of linesBackward(file, size)) {
        const line = readLine(text);
        if (typeof line === 'string') throw new TrailDamaged(`the audit trail is damaged: ${path}: ${line}`);
        yield line;
      }
    } finally {
      file.close();
    }
  }
}

/** Appends to the trail: a file for each IST day, a chain over all of them. Lines for which the disk has no room wait. All calls are synchronous. */
export class TrailLog {
  private readonly disk: Disk;
  private readonly folder: string;
  /** Files of days that are longer ago are removed; 0 keeps all. */
  private readonly years: number;
  /** Bodies that wait for room. */
  private waiting: Buffer = Buffer.alloc(0);
  private file: DiskFile | undefined;
  private size: number;
  private day: IstDay | undefined;
  private closed: boolean;
  private dirty = false;
  private end: TrailHead;

  constructor(disk: Disk, folder: string, stored: StoredTrail, years = 0) {
    this.disk = disk;
    this.folder = folder;
    this.years = years === 0 ? 0 : Math.max(FEWEST_YEARS, years);
    this.size = stored.size;
    this.day = stored.day;
    this.closed = stored.closed;
    this.end = { n: stored.head.n, hash: stored.head.hash };
  }

  /** What is written. */
  get head(): TrailHead {
    return this.end;
  }

  /** Bytes of the lines that wait for room. */
  get waitingBytes(): number {
    return this.waiting.length;
  }

  /** Adds bodies, see `bodiesOf`, and writes what there is room for. */
  append(bodies: Buffer): void {
    this.waiting = this.waiting.length === 0 ? bodies : Buffer.concat([this.waiting, bodies]);
    this.write();
  }

  /** Writes what waits; true when nothing waits any more. Throws what the disk refuses for another reason than room. */
  write(): boolean {
    try {
      while (this.waiting.length > 0) this.writeRun();
      return true;
    } catch (error) {
      if (!isFull(error)) throw error;
      return false;
    }
  }

  /** When it returns, what was written lasts. Throws `TrailNotFlushed`, also when the disk had no room. */
  flush(): void {
    try {
      if (this.dirty) this.file?.flush();
    } catch (cause) {
      throw new TrailNotFlushed(`the audit trail was not flushed: ${String(cause)}`, { cause });
    }
    this.dirty = false;
  }

  /** Closes the log and gives the bodies for which there was no room. */
  release(): Buffer {
    this.close();
    return this.waiting;
  }

  close(): void {
    this.flush();
    this.file?.close();
    this.file = undefined;
  }

  /** Writes the lines of one day that wait. */
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

  /** The day that the line which begins at `start` is filed under: of its wall time, but never before the day of the line before it. */
  private dayOf(start: number): IstDay {
    const own = istDay(this.utcAt(start));
    return this.day === undefined || own > this.day ? own : this.day;
  }

  /** The wall time of the line that waits at `start`. */
  private utcAt(start: number): EpochMs {
    let utc = 0;
    for (let at = start + UTC_AT; at < start + UTC_END; at += 1) utc = utc * 10 + (this.waiting[at] ?? ZERO) - ZERO;
    return utc as EpochMs;
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
    this.size += lines.length;
    this.end = head;
    this.dirty = true;
  }

  private opened(): DiskFile {
    this.file ??= this.disk.open(join(this.folder, dayFile(this.day as IstDay)), 'write');
    return this.file;
  }

  /** Closes the file of the day before with its index and begins that of `day`, with a line that names the file before. */
  private turnTo(day: IstDay): void {
    const before = this.day;
    const utc = this.utcAt(0);
    if (before !== undefined && !this.closed) {
      const closing = `"utc":${utc},"kind":"Close","day":"${formatIsoDay(before)}","index":${this.indexOf(before)}`;
      this.put(bodiesOf([closing]));
      this.closed = true;
    }
    this.close();
    const path = join(this.folder, dayFile(day));
    const file = this.disk.create(path);
    this.file = file;
    const { size, closed, end } = this;
    this.size = 0;
    this.closed = false;
    try {
      const previous = before === undefined ? 'null' : `"${dayFile(before)}"`;
      const opening = `"utc":${utc},"kind":"Day","version":${TRAIL_VERSION},"day":"${formatIsoDay(day)}","after":${previous}`;
      this.put(bodiesOf([`${opening},"previous":"${this.end.hash}"`]));
      // The file is begun anew when there is no room for it.
      file.flush();
      this.dirty = false;
    } catch (error) {
      file.close();
      this.file = undefined;
      this.size = size;
      this.closed = closed;
      this.end = end;
      this.dirty = false;
      if (isFull(error)) this.disk.remove(path);
      throw error;
    }
    this.day = day;
    this.disk.flushFolder(this.folder);
    this.removeOld(day, utc);
  }

  private indexOf(day: IstDay): string {
    const tally = new IndexTally();
    for (const { text } of linesAt(this.disk, join(this.folder, dayFile(day)))) {
      const line = readLine(text);
      if (typeof line !== 'string') tally.add(line);
    }
    return asciiJson(tally.index());
  }

  /** The line that names what goes is written and lasts before anything goes. */
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

/** A day so many years before, counted in years of 366 days, so that nothing goes too early. */
function yearsBefore(day: IstDay, years: number): IstDay {
  return (day - years * 366) as IstDay;
}
