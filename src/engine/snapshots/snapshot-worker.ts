/**
 * The thread that takes a snapshot of durable data, and then compresses the segments of the journal that were closed.
 * It runs once.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../../base/assert.ts';
import { messageOf } from '../../base/system-fault.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { ARCHIVING, FolderInUse, WriterLock } from '../../journal/disk/writer-lock.ts';
import { recover } from '../../journal/recovery.ts';
import { type Packed, type PackedRun, packSegments } from '../../journal/segments/pack-segment.ts';
import { SnapshotFolder } from '../../journal/snapshot-file.ts';
import { acknowledged, type JournalPaths, journalPaths } from '../../journal/upkeep/examine.ts';
import { chunkFilesBeside } from '../../os/chunk-file.ts';
import { standBack } from '../../os/thread-priority.ts';
import { liveSource } from '../live.ts';
import { ROWS_FOLDER } from '../rows-folder.ts';

/**
 * A thirtieth of a processor that others want too. Under full load of the only processor a snapshot ends within
 * minutes.
 */
const PRIORITY = 15;

/** The data with which the thread is started. */
export interface SnapshotWorkerData {
  readonly folder: string;
  readonly mark?: string;
  /** The folder to which compressed segments are moved, as an absolute path; they stay when absent. */
  readonly archive?: string;
  /** The record of the newest snapshot: segments that have begun since are compressed in any number. */
  readonly since?: number;
}

export interface SnapshotTaken {
  readonly seq: number;
  readonly path: string;
  readonly tookMs: number;
  /** The processor time that it took, with the compression of segments. */
  readonly cpuMs: number;
  /** The segments that were compressed after it, and why others were not. */
  readonly packed: readonly Packed[];
  readonly packFault?: string;
}

/**
 * Takes a snapshot beside the running engine, by recovering from durable data: the newest snapshot and the records
 * since. So the engine never stops for it, and every snapshot proves that the recovery of that moment works.
 */
function takeSnapshot(paths: JournalPaths): Pick<SnapshotTaken, 'seq' | 'path' | 'tookMs'> {
  const started = performance.now();
  const stored = acknowledged(REAL_DISK, paths);
  const snapshots = new SnapshotFolder(paths.snapshots);
  const rows = chunkFilesBeside(join(paths.folder, ROWS_FOLDER));
  const { replica, head } = recover(stored, snapshots, liveSource(rows));
  const { seq, at } = replica;
  const path = snapshots.write({ seq, at, chain: head.hash, stateHash: replica.hash(), lines: replica.lines() });
  return { seq, path, tookMs: performance.now() - started };
}

/** Takes a snapshot, and compresses segments also when that failed: a disk that is full gets room by it. */
function work({ folder, mark, archive, since }: SnapshotWorkerData): SnapshotTaken {
  const paths = journalPaths(folder, mark);
  try {
    const taken = takeSnapshot(paths);
    const packing = pack(paths.journal, archive, since);
    const { user, system } = process.threadCpuUsage();
    return { ...taken, cpuMs: (user + system) / 1000, ...packing };
  } catch (error) {
    const { packFault } = pack(paths.journal, archive, since);
    if (packFault === undefined) throw error;
    throw new Error(`${messageOf(error)}; segments are not compressed: ${packFault}`, { cause: error });
  }
}

/**
 * Compresses segments that were closed. The snapshot is good without that. The next run does it where another journal
 * uses the archive now.
 */
function pack(
  folder: string,
  archive: string | undefined,
  since: number | undefined,
): Pick<SnapshotTaken, 'packed' | 'packFault'> {
  try {
    if (archive === undefined) return resultOf(packSegments(REAL_DISK, { folder }, since));
    // A start makes the folder. One that is gone since may be on a disk that is not mounted at the moment.
    if (!existsSync(archive)) throw new Error(`the archive ${archive} is not there: segments stay in the journal`);
    // Journals that share an archive may have segments in common.
    const lock = new WriterLock(archive, ARCHIVING);
    try {
      return resultOf(packSegments(REAL_DISK, { folder, archive }, since));
    } finally {
      lock.release();
    }
  } catch (error) {
    return error instanceof FolderInUse ? { packed: [] } : { packed: [], packFault: messageOf(error) };
  }
}

function resultOf({ packed, faults }: PackedRun): ReturnType<typeof pack> {
  return { packed, ...(faults.length > 0 && { packFault: faults.join('; ') }) };
}

standBack(PRIORITY);
must(parentPort, 'the snapshot thread has no parent').postMessage(work(workerData as SnapshotWorkerData));
