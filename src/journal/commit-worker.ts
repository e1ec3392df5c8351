/**
 * The thread that commits groups: takes frames from the main thread, makes them durable with a `Committer`, and reports
 * when the disk is full or fails. It knows nothing of commands and records.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { must } from '../base/assert.ts';
import { messageOf } from '../base/system-fault.ts';
import { CommitServer, type SharedMemory } from './commit-channel.ts';
import { Committer } from './committer.ts';
import { REAL_DISK } from './disk/real-disk.ts';
import type { Head } from './journal.ts';
import type { LogStart } from './segments/segment-log.ts';
import type { JournalPaths } from './upkeep/examine.ts';

/** The data with which the thread is started. */
export interface CommitWorkerData {
  readonly paths: JournalPaths;
  /** The examined and repaired end of the journal: the chain continues from here. */
  readonly start: LogStart;
  /** The ways on which frames come and their durability is reported. */
  readonly memory: SharedMemory;
}

/** A message that is not an answer to a request. */
export type CommitNotice =
  | { readonly type: 'ready'; readonly full: boolean }
  /** Whether the disk has room for what is to come. */
  | { readonly type: 'room'; readonly full: boolean }
  /** The storage failed. The thread ends without another message: the content of the disk is unknown. */
  | { readonly type: 'failed'; readonly message: string };

const SECOND_MS = 1_000;

/**
 * Commits frame after frame, and passes the seconds between them, until it is asked to end. Throws the errors of the
 * storage.
 */
function serve(committer: Committer, channel: CommitServer, notify: (notice: CommitNotice) => void): void {
  let full = committer.isFull();
  const lookForRoom = (): void => {
    if (full === committer.isFull()) return;
    full = !full;
    notify({ type: 'room', full });
  };
  const report = (head: Head | undefined): void => {
    if (head === undefined) return;
    channel.done(committer.lastOffset);
    committer.prepare();
  };
  let due = performance.now() + SECOND_MS;
  for (;;) {
    const request = channel.next(due - performance.now());
    if (request?.type === 'close') return;
    if (request !== undefined) report(committer.commit(request.frame));
    if (performance.now() >= due) {
      due = performance.now() + SECOND_MS;
      report(committer.passSecond());
    }
    lookForRoom();
  }
}

function main(): void {
  const port = must(parentPort, 'the commit thread has no parent');
  const { paths, start, memory } = workerData as CommitWorkerData;
  const notify = (notice: CommitNotice): void => port.postMessage(notice);
  const channel = new CommitServer(memory);
  const committer = new Committer(REAL_DISK, paths, start);
  notify({ type: 'ready', full: committer.isFull() });
  try {
    serve(committer, channel, notify);
    committer.close();
    // The end of the thread may be heard of before this word: it stays until it is ended.
    port.ref();
    channel.done();
  } catch (error) {
    notify({ type: 'failed', message: messageOf(error) });
  }
}

main();
