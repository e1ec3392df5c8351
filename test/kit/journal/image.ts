import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultyDisk } from '../../../sim/faulty-disk.ts';
import { assert } from '../../../src/base/assert.ts';
import { Committer } from '../../../src/journal/committer.ts';
import { makeReady } from '../../../src/journal/file-journal.ts';
import type { Head } from '../../../src/journal/journal.ts';
import { openFrame, segmentSeq } from '../../../src/journal/segments/layout.ts';
import type { SegmentLogOptions } from '../../../src/journal/segments/segment-log.ts';
import { journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { sampleGroup } from './sample.ts';

/** Many small files are tried on a memory file system where there is one: they would wear out a disk. */
const ROOM = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A new folder of its own. */
export function scratchFolder(): string {
  return mkdtempSync(join(ROOM, 'sauda-damage-'));
}

/** True when every case is wanted, not a sample. */
export const EXHAUSTIVE = process.env.SAUDA_EXHAUSTIVE === '1';

/**
 * Every case when SAUDA_EXHAUSTIVE=1, else about `wanted` of them, spread evenly by a stride that shares no factor with
 * 8.
 */
export function casesOf(total: number, wanted: number): number[] {
  const stride = EXHAUSTIVE ? 1 : Math.max(1, Math.floor(total / wanted)) | 1;
  return Array.from({ length: Math.ceil(total / stride) }, (_, index) => index * stride);
}

export const FOLDER = '/data';
export const PATHS = journalPaths(FOLDER);
/** Small, so that a thousand records fill a few segments and every bit of the zeros after them can be tried. */
export const SMALL: SegmentLogOptions = { segmentBytes: 64 * 1024, reserveBytes: 8 * 1024, stepBytes: 4 * 1024 };

/** A committer over the journal of a disk, as the commit thread of a service begins. */
export function open(disk: FaultyDisk, options: SegmentLogOptions = SMALL): Committer {
  return new Committer(disk, PATHS, makeReady(disk, PATHS).start, options);
}

/** Appends sample records from `firstSeq` on as one group. */
export function commit(committer: Committer, firstSeq: number, count: number): Head {
  const head = committer.commit(openFrame(sampleGroup(firstSeq, count)));
  assert(head !== undefined, 'there is room');
  committer.prepare();
  return head;
}

/** Appends sample records up to `records` in groups of 1, 2, 4 and so on up to `largest`, again and again. */
export function commitMany(committer: Committer, from: number, records: number, largest = 64): void {
  let size = 1;
  for (let firstSeq = from; firstSeq <= records; ) {
    const count = Math.min(size, records - firstSeq + 1);
    commit(committer, firstSeq, count);
    firstSeq += count;
    size = size === largest ? 1 : size * 2;
  }
}

/** The paths of the segments of a disk, in their order. */
export function segmentsOf(disk: FaultyDisk): string[] {
  const names = disk.names(PATHS.journal).filter((name) => segmentSeq(name) !== undefined);
  return names.sort().map((name) => join(PATHS.journal, name));
}

export function lastSegment(disk: FaultyDisk): string {
  return segmentsOf(disk).at(-1) ?? '';
}

/** A disk of its own that holds some files, all of them flushed. */
export function diskOf(files: ReadonlyMap<string, Uint8Array>): FaultyDisk {
  const disk = new FaultyDisk();
  for (const [path, bytes] of files) {
    const file = disk.create(path);
    file.write(0, bytes);
    file.flush();
    disk.flushFolder(join(path, '..'));
  }
  return disk;
}

/** All files of a disk as they are read now. */
export function filesOf(disk: FaultyDisk): Map<string, Uint8Array> {
  return new Map(disk.files().map(([path]) => [path, disk.bytesOf(path)]));
}

/** Lets something happen before the call of that number, counted from now; the result is true when it did. */
export function meanwhile(disk: FaultyDisk, call: number, happen: () => void): () => boolean {
  const first = disk.calls;
  let happened = false;
  disk.onCall = () => {
    if (happened || disk.calls < first + call) return;
    happened = true;
    happen();
  };
  return () => happened;
}

/** Runs `look` while a file holds other bytes, and puts the old ones back. */
export function whileHolding<T>(disk: FaultyDisk, path: string, bytes: Uint8Array, look: () => T): T {
  const before = disk.bytesOf(path);
  put(disk, path, bytes);
  try {
    return look();
  } finally {
    put(disk, path, before);
  }
}

export function put(disk: FaultyDisk, path: string, bytes: Uint8Array): void {
  const file = disk.open(path, 'write');
  file.truncate(0);
  file.write(0, bytes);
  file.flush();
  file.close();
}
