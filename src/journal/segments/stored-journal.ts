/**
 * Reads a journal's segment files: where groups lie, which is the last, and the groups after a record. It does not
 * trust the groups' content: `read-history.ts` checks that.
 */

import { basename, join } from 'node:path';
import { must } from '../../base/assert.ts';
import { lowerBound } from '../../base/lower-bound.ts';
import { isAbsent } from '../../base/system-fault.ts';
import { GENESIS, lastSeq } from '../chain.ts';
import type { Disk } from '../disk/disk.ts';
import type { Head, StoredGroup } from '../journal.ts';
import { JournalDamaged } from '../upkeep/damage.ts';
import { isWholeFrame, isZero, SECTOR_BYTES, segmentName, segmentSeq } from './layout.ts';
import type { PackedIndex } from './packed-layout.ts';
import { BODY_WINDOW, type FramePlace, HEADER_WINDOW, SegmentFile } from './segment-file.ts';
import { judgeTail, type Tail } from './tail.ts';

/** The places of groups that are kept in memory are this far apart, in bytes of a segment. */
const POINT_BYTES = 1024 * 1024;

/** Where a group begins, and the head before it. */
export interface Point {
  readonly path: string;
  readonly offset: number;
  readonly before: Head;
}

export interface LookOptions {
  /**
   * The last sequence number to read: bytes after it may be in the middle of being written. Everything, when absent.
   */
  readonly upTo?: number;
}

/** The end of the stored history. */
export interface StoredEnd {
  readonly head: Head;
  /** The last segment; `undefined` when there is none. */
  readonly path: string | undefined;
  /** The bytes after the last group; `undefined` when nothing after `upTo` was read. */
  readonly tail: Tail | undefined;
}

/** The segment files of a journal as they are read, by any number of readers beside the one writer. */
export class StoredJournal {
  readonly name: string;
  readonly disk: Disk;
  private readonly points: Point[] = [];
  private known: Head = GENESIS;

  constructor(disk: Disk, folder: string) {
    this.disk = disk;
    this.name = folder;
  }

  /** A journal of which others have found by a look where a group begins and which is the last. */
  static known(disk: Disk, folder: string, from: Point, end: Head): StoredJournal {
    const stored = new StoredJournal(disk, folder);
    stored.points.push(from);
    stored.known = end;
    return stored;
  }

  /** True when there is no segment. */
  isAbsent(): boolean {
    return this.segments().length === 0;
  }

  /**
   * Reads the headers of all groups and every byte of the last segment. Afterwards it knows where each group lies and
   * which is the last. Throws `JournalDamaged` at the first fault. Changes nothing.
   */
  look({ upTo = Number.POSITIVE_INFINITY }: LookOptions = {}): StoredEnd {
    const firsts = this.segments();
    let head = GENESIS;
    let tail: Tail | undefined;
    let path: string | undefined;
    this.points.length = 0;
    for (const [index, firstSeq] of firsts.entries()) {
      if (firstSeq > upTo && index > 0) break;
      path = join(this.name, segmentName(firstSeq));
      const file = new SegmentFile(this.disk, path, HEADER_WINDOW, head.seq);
      try {
        const isLast = index === firsts.length - 1;
        if (file.index === undefined || file.index.end.seq > upTo) {
          ({ head, tail } = this.lookAt(file, head, firstSeq, isLast, upTo));
        } else {
          head = this.lookAtPacked(file, file.index, head, firstSeq);
          tail = { kind: 'none', offset: file.size() };
        }
        // Nothing is written into a compressed segment: history goes on in a new one.
        if (file.index !== undefined) path = undefined;
      } finally {
        file.close();
      }
    }
    this.known = head;
    return { head, path, tail };
  }

  /** The segments that hold the known groups, and the bytes of each up to the last known group, header included. */
  extents(): { readonly name: string; readonly bytes: number }[] {
    const found = new Map([[segmentName(1), SECTOR_BYTES]]);
    const last = this.points.at(-1);
    for (const { path } of this.points) found.set(basename(path), Number.POSITIVE_INFINITY);
    for (const { path, place } of last === undefined ? [] : this.places(last, HEADER_WINDOW)) {
      found.set(basename(path), place.offset + place.frameBytes);
    }
    return Array.from(found, ([name, bytes]) => ({ name, bytes }));
  }

  /** The number after which there are records, as the first known group says it, or else the name of a segment. */
  begin(): number {
    return this.points[0]?.before.seq ?? (this.segments()[0] ?? 1) - 1;
  }

  /** The last group that is known. */
  head(): Head {
    return this.known;
  }

  /**
   * Makes the groups up to `head` known, which were written since the look. `offset`: where the only new one lies in
   * its segment.
   */
  grow(head: Head, offset?: number): void {
    if (offset !== undefined) this.addPoint(offset);
    this.known = head;
  }

  /** The stored chain hash of the group that ends with `seq`; `undefined` when no group ends there. */
  hashAt(seq: number): string | undefined {
    if (seq === 0) return GENESIS.hash;
    if (seq > this.known.seq) return undefined;
    for (const { place } of this.places(this.pointBefore(seq), HEADER_WINDOW)) {
      if (lastSeq(place) >= seq) return lastSeq(place) === seq ? place.hash : undefined;
    }
    return undefined;
  }

  /** The groups, known by now, that hold records after `after`: the first of them may begin before. */
  *groups(after: number): Iterable<StoredGroup> {
    if (after >= this.known.seq) return;
    for (const { file, place } of this.places(this.pointBefore(after + 1), BODY_WINDOW)) {
      if (lastSeq(place) > after) yield file.group(place);
    }
  }

  /** Where a group begins at least this many bytes after a record; `undefined` where less is known to follow it. */
  pointBehind(seq: number, bytes: number): Point | undefined {
    return this.points[this.placeOfPoint(seq + 1) + Math.ceil(bytes / POINT_BYTES)];
  }

  /** Keeps the place of the group that follows the last known one, when it is far from the last that is kept. */
  private addPoint(offset: number): void {
    const before = this.known;
    if (offset === SECTOR_BYTES) {
      this.points.push({ path: join(this.name, segmentName(before.seq + 1)), offset, before });
      return;
    }
    const last = must(this.points.at(-1), 'a segment that goes on has a first group');
    if (offset >= last.offset + POINT_BYTES) this.points.push({ path: last.path, offset, before });
  }

  private segments(): number[] {
    // Both forms of a segment are there when a crash came between the name of the one and the end of the other.
    const firsts = new Set(this.disk.names(this.name).flatMap((name) => segmentSeq(name) ?? []));
    return [...firsts].sort((a, b) => a - b);
  }

  private lookAt(
    file: SegmentFile,
    before: Head,
    firstSeq: number,
    isLast: boolean,
    upTo: number,
  ): { readonly head: Head; readonly tail: Tail | undefined } {
    this.expectNext(file, before, firstSeq);
    let head = before;
    let offset = SECTOR_BYTES;
    let pointAt = 0;
    for (;;) {
      if (head.seq >= upTo) return { head, tail: undefined };
      const place = file.frameAt(offset, head);
      if (place === undefined || (isLast && !isWholeFrame(file.bytes(offset, place.frameBytes)))) break;
      file.expectKnown(place);
      if (offset >= pointAt) {
        this.points.push({ path: join(this.name, segmentName(firstSeq)), offset, before: head });
        pointAt = offset + POINT_BYTES;
      }
      head = { seq: lastSeq(place), hash: place.hash };
      offset += place.frameBytes;
    }
    if (isLast) return { head, tail: judgeTail(file, offset, head) };
    if (!isZero(file.bytes(offset, Math.max(0, file.size() - offset)))) {
      throw file.damage(offset, head.seq, `the bytes here are not a group that follows sequence ${head.seq}`);
    }
    return { head, tail: undefined };
  }

  /** A compressed segment says in its header where its groups lie; `groups` checks each that it gives. */
  private lookAtPacked(file: SegmentFile, { blocks, end }: PackedIndex, before: Head, firstSeq: number): Head {
    this.expectNext(file, before, firstSeq);
    const path = join(this.name, segmentName(firstSeq));
    for (const { first } of blocks) if (first !== undefined) this.points.push({ path, ...first });
    return end;
  }

  /** The name and the header of a segment must go on from where the one before ended. */
  private expectNext(file: SegmentFile, before: Head, firstSeq: number): void {
    const stated = file.before(before.seq);
    const starts = stated.seq + 1;
    if (starts !== firstSeq)
      throw file.damage(0, before.seq, `the segment's header says that it starts with ${starts}`);
    if (stated.seq !== before.seq) {
      throw file.damage(0, before.seq, `a segment that starts with ${starts} follows sequence ${before.seq}`);
    }
    if (stated.hash !== before.hash) throw file.damage(0, before.seq, 'the segment is of another history');
  }

  private pointBefore(seq: number): Point {
    const first = { path: join(this.name, segmentName(1)), offset: SECTOR_BYTES, before: GENESIS };
    return this.points[this.placeOfPoint(seq) - 1] ?? first;
  }

  /** The place of the first point after the beginning of the group of `seq`. */
  private placeOfPoint(seq: number): number {
    return lowerBound(0, this.points.length, (one) => (this.points[one]?.before.seq ?? 0) < seq);
  }

  /**
   * The groups from a place on, over all segments, up to the last group that is known when it begins. Later groups are
   * not read: bytes that were read ahead of them would be out of date.
   */
  private *places(from: Point, windowBytes: number): Iterable<{ path: string; file: SegmentFile; place: FramePlace }> {
    let { path, offset, before } = from;
    const end = this.known.seq;
    while (before.seq < end) {
      const file = this.opened(path, before.seq, windowBytes);
      const { seq } = before;
      try {
        for (;;) {
          const place = file.frameAt(offset, before);
          if (place === undefined) break;
          yield { path, file, place };
          before = { seq: lastSeq(place), hash: place.hash };
          offset += place.frameBytes;
          if (before.seq >= end) return;
        }
        if (before.seq === seq) throw file.damage(offset, seq, `the group of ${seq + 1} is not there any more`);
      } finally {
        file.close();
      }
      path = join(this.name, segmentName(before.seq + 1));
      offset = SECTOR_BYTES;
    }
  }

  private opened(path: string, lastGood: number, windowBytes: number): SegmentFile {
    try {
      return new SegmentFile(this.disk, path, windowBytes, lastGood);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      throw folderDamage(this.name, lastGood, `the groups end at ${lastGood}, the last one was ${this.known.seq}`);
    }
  }
}

/** Damage that lies in no one file. */
export function folderDamage(folder: string, lastGood: number, what: string): JournalDamaged {
  return new JournalDamaged({ file: folder, seq: lastGood + 1, what, lastGood });
}
