import { mkdirSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import type { CommitReply, CommitRequest, CommitWorkerData } from './commit-worker.ts';
import { examine, isNew, type JournalPaths, journalPaths, markFault } from './examine.ts';
import { createGroupFile, type GroupFile } from './group-file.ts';
import { createMark, readMark } from './high-water-mark.ts';
import type { Group, Head, Journal, StoredGroup } from './journal.ts';
import { WriterLock } from './writer-lock.ts';

/** The storage refused or lost a write. What it holds is unknown until the next start. Source: reliability P6. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed';
}

export interface SqliteJournalOptions {
  /** Made when it does not exist. */
  readonly folder: string;
  /** The file of the high-water mark; by default beside the journal. */
  readonly mark?: string;
  /** The sequence number at which the operator agrees that a journal with a lost tail ends. */
  readonly acceptLoss?: number;
}

/**
 * Opens the journal of a folder for writing, or makes it. Throws `FolderInUse` when another process has it, and
 * `JournalDamaged` when what is stored is not what was acknowledged; then nothing was changed.
 */
export async function openSqliteJournal(options: SqliteJournalOptions): Promise<SqliteJournal> {
  const paths = journalPaths(options.folder, options.mark);
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const lock = new WriterLock(options.folder);
  try {
    const file = openFile(paths, options.acceptLoss);
    const head = file.head();
    const worker = await startWorker({ journal: paths.journal, mark: paths.mark, head });
    return new SqliteJournal(file, worker, lock, head);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openFile(paths: JournalPaths, acceptLoss?: number): GroupFile {
  if (isNew(paths)) {
    createGroupFile(paths.journal);
    createMark(paths.mark);
  }
  const file = examine(paths, true, acceptLoss);
  const head = file.head();
  // The loss was accepted, or a start before this one was: from here on the mark stands where the journal ends.
  if (markFault(paths, readMark(paths.mark), file, head) !== undefined) createMark(paths.mark, head);
  return file;
}

function startWorker(data: CommitWorkerData): Promise<Worker> {
  const worker = new Worker(new URL('./commit-worker.ts', import.meta.url), { workerData: data });
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => reject(new StorageFailed(`the commit thread ended with code ${code}`));
    const failed = (error: Error): void => reject(new StorageFailed(`${data.journal}: ${error.message}`));
    worker.once('error', failed);
    worker.once('exit', ended);
    worker.once('message', () => {
      worker.off('error', failed);
      worker.off('exit', ended);
      resolve(worker);
    });
  });
}

interface Waiting {
  readonly resolve: (head: Head) => void;
  readonly reject: (error: Error) => void;
}

/** A journal in one SQLite file, committed by a thread of its own. */
export class SqliteJournal implements Journal {
  readonly name: string;
  private readonly file: GroupFile;
  private readonly worker: Worker;
  private readonly lock: WriterLock;
  private durable: Head;
  private waiting: Waiting | undefined;
  private closing: (() => void) | undefined;
  private failure: StorageFailed | undefined;

  constructor(file: GroupFile, worker: Worker, lock: WriterLock, head: Head) {
    this.name = file.path;
    this.file = file;
    this.worker = worker;
    this.lock = lock;
    this.durable = head;
    worker.on('message', (reply: CommitReply) => this.receive(reply));
    worker.on('error', (error: Error) => this.fail(error.message));
    worker.on('exit', () => this.fail('the commit thread has ended'));
  }

  head(): Head {
    return this.durable;
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
      this.send({ type: 'append', group });
    });
  }

  groups(after: number): Iterable<StoredGroup> {
    return this.file.groups(after);
  }

  hashAt(seq: number): string | undefined {
    return this.file.hashAt(seq);
  }

  async close(): Promise<void> {
    assert(this.waiting === undefined, 'close while an append runs');
    this.file.close();
    if (this.failure === undefined) {
      await new Promise<void>((resolve) => {
        this.closing = resolve;
        this.send({ type: 'close' });
      });
    }
    await this.worker.terminate();
    this.lock.release();
  }

  private send(request: CommitRequest): void {
    this.worker.postMessage(request);
  }

  private receive(reply: CommitReply): void {
    switch (reply.type) {
      case 'durable': {
        const { waiting } = this;
        this.waiting = undefined;
        this.durable = reply.head;
        waiting?.resolve(reply.head);
        return;
      }
      case 'failed':
        this.fail(reply.message);
        return;
      case 'closed':
        this.closing?.();
        return;
      case 'ready':
        return;
    }
  }

  /** The first failure is the one that counts; nothing is tried again. */
  private fail(message: string): void {
    if (this.failure !== undefined) return;
    this.failure = new StorageFailed(`${this.name}: ${message}`);
    this.waiting?.reject(this.failure);
    this.waiting = undefined;
    this.closing?.();
  }
}
