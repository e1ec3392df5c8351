/**
 * The journal in segment files: opens it, examines and repairs it, and appends groups through the commit thread. The
 * layout of the files is in `segments/`, the checks at a start are in `upkeep/examine.ts`.
 */

import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { assert, must } from '../base/assert.ts';
import { makeFolder } from '../os/durable-file.ts';
import { lastSeq } from './chain.ts';
import { CommitCaller, newSharedMemory } from './commit-channel.ts';
import type { CommitNotice, CommitWorkerData } from './commit-worker.ts';
import type { Disk } from './disk/disk.ts';
import { REAL_DISK } from './disk/real-disk.ts';
import { WriterLock } from './disk/writer-lock.ts';
import { createMark } from './high-water-mark.ts';
import type { Group, Head, Journal, StoredGroup } from './journal.ts';
import { repairLastSegment } from './repair.ts';
import { FRAME_TRAILER_BYTES, MOST_FRAME_BYTES, openFrame, readFrameHash } from './segments/layout.ts';
import { readingAhead } from './segments/read-ahead.ts';
import type { LogStart } from './segments/segment-log.ts';
import { StoredJournal } from './segments/stored-journal.ts';
import { agrees, examine, isNew, type JournalPaths, journalPaths } from './upkeep/examine.ts';

/** The storage refused or lost a write. Its content is unknown until the next start. Source: reliability P6. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
}

export interface FileJournalOptions {
  /** Made when it does not exist. */
  readonly folder: string;
  /** The file of the high-water mark; by default beside the journal. */
  readonly mark?: string;
  /** The sequence number at which the operator agrees that a journal with a lost tail ends. */
  readonly acceptLoss?: number;
  /**
   * Called once when the storage fails while no append runs, which the next one would notice else, if any came. Source:
   * reliability P6.
   */
  readonly onFailure?: (failure: StorageFailed) => void;
}

/** All that is known of a journal that was made ready for its writer. */
export interface ReadyJournal {
  readonly stored: StoredJournal;
  readonly start: LogStart;
  /** The repairs, as sentences for the log. */
  readonly notes: readonly string[];
}

/**
 * Examines the files of a journal, or begins a new one, and repairs the traces of an unclean end. Afterwards every
 * group that is read is on the disk, and the mark stands at the last group. Throws `JournalDamaged` when the stored
 * history is not the acknowledged one; then nothing was changed. May be interrupted at any step and repeated. Source:
 * reliability P5, P12.
 */
export function makeReady(disk: Disk, paths: JournalPaths, acceptLoss?: number): ReadyJournal {
  if (isNew(disk, paths)) {
    createMark(disk, paths.mark);
    const stored = new StoredJournal(disk, paths.journal);
    return { stored, start: { head: stored.head(), path: undefined }, notes: [] };
  }
  const { stored, end, mark, loss } = examine(disk, paths, acceptLoss);
  const notes = repairLastSegment(disk, paths.journal, end);
  if (loss !== undefined) notes.push(`${loss}: accepted, history goes on after ${end.head.seq}`);
  // A loss was accepted, or the process ended between a group and its mark: records from here on count as acknowledged.
  if (agrees(mark, end.head)) disk.flushFolder(dirname(paths.mark));
  else createMark(disk, paths.mark, end.head);
  return { stored, start: { head: end.head, path: end.path }, notes };
}

/**
 * Opens the journal of a folder for writing, or makes it. Throws `FolderInUse` when another process has it, and
 * `JournalDamaged` when the stored history is not the acknowledged one; then nothing was changed.
 */
export async function openFileJournal(options: FileJournalOptions): Promise<FileJournal> {
  const paths = journalPaths(options.folder, options.mark);
  makeFolder(options.folder);
  const lock = new WriterLock(options.folder);
  try {
    const ready = makeReady(REAL_DISK, paths, options.acceptLoss);
    const memory = newSharedMemory(MOST_FRAME_BYTES);
    const { worker, full } = await startWorker({ paths, start: ready.start, memory });
    return new FileJournal(ready, {
      worker,
      caller: new CommitCaller(memory),
      lock,
      full,
      onFailure: options.onFailure,
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

function startWorker(data: CommitWorkerData): Promise<{ readonly worker: Worker; readonly full: boolean }> {
  const worker = new Worker(new URL('./commit-worker.ts', import.meta.url), { workerData: data });
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => reject(new StorageFailed(`the commit thread ended with code ${code}`));
    const failed = (error: Error): void => reject(new StorageFailed(`${data.paths.journal}: ${error.message}`));
    worker.once('error', failed);
    worker.once('exit', ended);
    worker.once('message', (notice: CommitNotice) => {
      worker.off('error', failed);
      worker.off('exit', ended);
      resolve({ worker, full: notice.type === 'ready' && notice.full });
    });
  });
}

/** The parts of a journal that is open. */
interface FileJournalParts {
  readonly worker: Worker;
  readonly caller: CommitCaller;
  readonly lock: WriterLock;
  readonly full: boolean;
  readonly onFailure: ((failure: StorageFailed) => void) | undefined;
}

/** A journal in segment files, committed by a thread of its own. */
export class FileJournal implements Journal {
  readonly name: string;
  /** The repairs of the opening, as sentences for the log. */
  readonly notes: readonly string[];
  private readonly stored: StoredJournal;
  private readonly worker: Worker;
  private readonly caller: CommitCaller;
  private readonly lock: WriterLock;
  private readonly onFailure: FileJournalParts['onFailure'];
  private durable: Head;
  private full: boolean;
  /** Rejects the request that is under way. */
  private asking: ((error: Error) => void) | undefined;
  private failure: StorageFailed | undefined;

  constructor({ stored, start, notes }: ReadyJournal, { worker, caller, lock, full, onFailure }: FileJournalParts) {
    this.name = stored.name;
    this.notes = notes;
    this.stored = stored;
    this.worker = worker;
    this.caller = caller;
    this.lock = lock;
    this.onFailure = onFailure;
    this.durable = start.head;
    this.full = full;
    worker.on('message', (notice: CommitNotice) => this.receive(notice));
    worker.on('error', (error: Error) => this.fail(error.message));
    worker.on('exit', () => this.fail('the commit thread has ended'));
  }

  head(): Head {
    return this.durable;
  }

  begin(): number {
    return this.stored.begin();
  }

  isFull(): boolean {
    return this.full;
  }

  async append(group: Group): Promise<Head> {
    assert(this.asking === undefined, 'one append at a time');
    assert(
      group.firstSeq === this.durable.seq + 1 && group.count >= 1,
      `group ${group.firstSeq} after ${this.durable.seq}`,
    );
    const frame = openFrame(group, (bytes) => this.caller.roomFor(bytes));
    const offset = await this.ask(frame.length);
    const hash = must(readFrameHash(frame.subarray(-FRAME_TRAILER_BYTES)), 'a durable frame is sealed');
    this.durable = { seq: lastSeq(group), hash };
    this.stored.grow(this.durable, offset);
    return this.durable;
  }

  groups(after: number): Iterable<StoredGroup> {
    return this.stored.groups(after);
  }

  /** Its groups for the recovery at a start, before it is written to. */
  readingAhead(): ReturnType<typeof readingAhead> {
    return readingAhead(this.stored);
  }

  hashAt(seq: number): string | undefined {
    return this.stored.hashAt(seq);
  }

  /**
   * Rejects when the storage fails at the last, as cutting the zeros off may: then the end was not in order. Source:
   * reliability P6.
   */
  async close(): Promise<void> {
    assert(this.asking === undefined, 'close while an append runs');
    try {
      if (this.failure === undefined) await this.ask();
    } finally {
      this.worker.removeAllListeners();
      await this.worker.terminate();
      this.lock.release();
    }
  }

  /** Asks the thread, see `CommitCaller`. Rejects when the storage has failed or fails. */
  private ask(frameBytes?: number): Promise<number> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.asking = reject;
      this.caller.ask(frameBytes).then((offset) => {
        this.asking = undefined;
        resolve(offset);
      }, reject);
    });
  }

  private receive(notice: CommitNotice): void {
    if (notice.type === 'failed') this.fail(notice.message);
    else this.full = notice.full;
  }

  /** The first failure is the one that counts; nothing is tried again. */
  private fail(message: string): void {
    if (this.failure !== undefined) return;
    this.failure = new StorageFailed(`${this.name}: ${message}`);
    const { asking } = this;
    this.asking = undefined;
    if (asking === undefined) this.onFailure?.(this.failure);
    else asking(this.failure);
  }
}
