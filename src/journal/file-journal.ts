import { Worker } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import { makeFolder } from '../durable-file.ts';
import type { CommitReply, CommitRequest, CommitWorkerData } from './commit-worker.ts';
import type { Disk } from './disk.ts';
import { agrees, examine, isNew, type JournalPaths, journalPaths } from './examine.ts';
import { createMark } from './high-water-mark.ts';
import type { Group, Head, Journal, StoredGroup } from './journal.ts';
import { openFrame } from './layout.ts';
import { mendLast } from './mend.ts';
import { REAL_DISK } from './real-disk.ts';
import type { LogStart } from './segment-log.ts';
import { StoredJournal } from './stored-journal.ts';
import { WriterLock } from './writer-lock.ts';

/** The storage refused or lost a write. What it holds is unknown until the next start. Source: reliability P6. */
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
  /** Told once when the storage fails while no append runs, which the next one would notice else, if any came. Source: reliability P6. */
  readonly onFailure?: (failure: StorageFailed) => void;
}

/** What there is to know of a journal that was made ready for its writer. */
export interface ReadyJournal {
  readonly stored: StoredJournal;
  readonly start: LogStart;
  /** What was mended, as sentences for the log. */
  readonly notes: readonly string[];
}

/**
 * Examines the files of a journal, or begins a new one, and mends what an unclean end left. Afterwards every group that is read is on the disk, and the
 * mark stands at the last. Throws `JournalDamaged` when what is stored is not what was acknowledged; then nothing was changed.
 * May be interrupted at any step and repeated. Source: reliability P5, P12.
 */
export function makeReady(disk: Disk, paths: JournalPaths, acceptLoss?: number): ReadyJournal {
  if (isNew(disk, paths)) {
    createMark(disk, paths.mark);
    const stored = new StoredJournal(disk, paths.journal);
    return { stored, start: { head: stored.head(), path: undefined }, notes: [] };
  }
  const { stored, end, mark, loss } = examine(disk, paths, acceptLoss);
  const notes = mendLast(disk, paths.journal, end);
  if (loss !== undefined) notes.push(`${loss}: accepted, history goes on after ${end.head.seq}`);
  // A loss was accepted, or the process ended between a group and its mark: what is read from here on is told.
  if (!agrees(mark, end.head)) createMark(disk, paths.mark, end.head);
  return { stored, start: { head: end.head, path: end.path }, notes };
}

/**
 * Opens the journal of a folder for writing, or makes it. Throws `FolderInUse` when another process has it, and
 * `JournalDamaged` when what is stored is not what was acknowledged; then nothing was changed.
 */
export async function openFileJournal(options: FileJournalOptions): Promise<FileJournal> {
  const paths = journalPaths(options.folder, options.mark);
  makeFolder(options.folder);
  const lock = new WriterLock(options.folder);
  try {
    const ready = makeReady(REAL_DISK, paths, options.acceptLoss);
    const { worker, full } = await startWorker({ paths, start: ready.start });
    return new FileJournal(ready, { worker, lock, full, onFailure: options.onFailure });
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
    worker.once('message', (reply: CommitReply) => {
      worker.off('error', failed);
      worker.off('exit', ended);
      resolve({ worker, full: reply.type === 'ready' && reply.full });
    });
  });
}

interface Waiting {
  readonly resolve: (head: Head) => void;
  readonly reject: (error: Error) => void;
}

/** What a journal is given when it is open. */
interface FileJournalParts {
  readonly worker: Worker;
  readonly lock: WriterLock;
  readonly full: boolean;
  readonly onFailure: ((failure: StorageFailed) => void) | undefined;
}

/** A journal in segment files, committed by a thread of its own. */
export class FileJournal implements Journal {
  readonly name: string;
  /** What the opening mended, as sentences for the log. */
  readonly notes: readonly string[];
  private readonly stored: StoredJournal;
  private readonly worker: Worker;
  private readonly lock: WriterLock;
  private readonly onFailure: FileJournalParts['onFailure'];
  private durable: Head;
  private full: boolean;
  private waiting: Waiting | undefined;
  private closing: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  private failure: StorageFailed | undefined;

  constructor({ stored, start, notes }: ReadyJournal, { worker, lock, full, onFailure }: FileJournalParts) {
    this.name = stored.name;
    this.notes = notes;
    this.stored = stored;
    this.worker = worker;
    this.lock = lock;
    this.onFailure = onFailure;
    this.durable = start.head;
    this.full = full;
    worker.on('message', (reply: CommitReply) => this.receive(reply));
    worker.on('error', (error: Error) => this.fail(error.message));
    worker.on('exit', () => this.fail('the commit thread has ended'));
  }

  head(): Head {
    return this.durable;
  }

  isFull(): boolean {
    return this.full;
  }

  append(group: Group): Promise<Head> {
    assert(this.waiting === undefined && this.closing === undefined, 'one append at a time');
    assert(
      group.firstSeq === this.durable.seq + 1 && group.count >= 1,
      `group ${group.firstSeq} after ${this.durable.seq}`,
    );
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      const frame = openFrame(group);
      this.send({ type: 'append', frame }, frame.buffer);
    });
  }

  groups(after: number): Iterable<StoredGroup> {
    return this.stored.groups(after);
  }

  hashAt(seq: number): string | undefined {
    return this.stored.hashAt(seq);
  }

  async close(): Promise<void> {
    assert(this.waiting === undefined, 'close while an append runs');
    try {
      if (this.failure === undefined) await this.closed();
    } finally {
      await this.worker.terminate();
      this.lock.release();
    }
  }

  /** Rejects when the storage fails at the last, as cutting the zeros off may: then the end was not in order. Source: reliability P6. */
  private closed(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.closing = { resolve, reject };
      this.send({ type: 'close' });
    });
  }

  private send(request: CommitRequest, ...transferred: ArrayBuffer[]): void {
    this.worker.postMessage(request, transferred);
  }

  private receive(reply: CommitReply): void {
    switch (reply.type) {
      case 'durable': {
        const { waiting } = this;
        this.waiting = undefined;
        this.durable = reply.head;
        this.stored.grow(reply.head);
        waiting?.resolve(reply.head);
        return;
      }
      case 'room':
        this.full = reply.full;
        return;
      case 'failed':
        this.fail(reply.message);
        return;
      case 'closed':
        this.closing?.resolve();
        return;
      case 'ready':
        return;
    }
  }

  /** The first failure is the one that counts; nothing is tried again. */
  private fail(message: string): void {
    if (this.failure !== undefined) return;
    this.failure = new StorageFailed(`${this.name}: ${message}`);
    const { waiting, closing } = this;
    this.waiting = undefined;
    waiting?.reject(this.failure);
    closing?.reject(this.failure);
    if (waiting === undefined && closing === undefined) this.onFailure?.(this.failure);
  }
}
