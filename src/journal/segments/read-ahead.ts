/**
 * Reads a long journal in a thread of its own, ahead of a reader that folds it. The thread hands over good groups
 * alone. Where it ends, for whatever cause, the reader goes on by itself, and so meets every fault as it would without
 * the thread.
 */

import { MessageChannel, Worker } from 'node:worker_threads';
import { lastSeq } from '../chain.ts';
import { REAL_DISK } from '../disk/real-disk.ts';
import type { StoredGroup } from '../journal.ts';
import { type AheadWay, newCounts, takeGroups } from './ahead-channel.ts';
import type { ReadAheadData } from './read-ahead-worker.ts';
import type { Point, StoredJournal } from './stored-journal.ts';

/** A reader of at least this much has a thread. In bytes. */
const LONG_READ = 32 * 1024 * 1024;
/** The reader reads this much by itself while the thread starts. In bytes. */
const READ_MEANWHILE = 8 * 1024 * 1024;

/**
 * A journal for a reader that takes all groups after a record, while no one else wants a second processor. Groups of
 * the thread say after which hash theirs was found right. A thread ends with the reading.
 */
export function readingAhead(stored: StoredJournal): Pick<StoredJournal, 'name' | 'head' | 'hashAt' | 'groups'> {
  return {
    name: stored.name,
    head: () => stored.head(),
    hashAt: (seq) => stored.hashAt(seq),
    groups: (after) => groupsAhead(stored, after),
  };
}

function* groupsAhead(stored: StoredJournal, after: number): Iterable<StoredGroup> {
  const from = startOfThread(stored, after);
  let done = after;
  for (const group of from === undefined ? [] : groupsWithThread(stored, after, from)) {
    yield group;
    done = lastSeq(group);
  }
  yield* stored.groups(done);
}

/** Where the thread begins; `undefined` where little is to be read, or not from the disk of this machine. */
function startOfThread(stored: StoredJournal, after: number): Point | undefined {
  if (stored.disk !== REAL_DISK || stored.pointBehind(after, LONG_READ) === undefined) return undefined;
  return stored.pointBehind(after, READ_MEANWHILE);
}

/** The groups up to the point at which the thread begins, and those that it gives. */
function* groupsWithThread(stored: StoredJournal, after: number, from: Point): Iterable<StoredGroup> {
  const { way, end } = startThread(stored, from);
  try {
    for (const group of stored.groups(after)) {
      yield group;
      if (lastSeq(group) >= from.before.seq) break;
    }
    yield* takeGroups(way, from.before.hash);
  } finally {
    end();
  }
}

function startThread(stored: StoredJournal, from: Point): { readonly way: AheadWay; readonly end: () => void } {
  const { port1, port2 } = new MessageChannel();
  const counts = newCounts();
  const workerData: ReadAheadData = { folder: stored.name, from, end: stored.head(), way: { port: port2, counts } };
  const worker = new Worker(new URL('./read-ahead-worker.ts', import.meta.url), { workerData, transferList: [port2] });
  worker.unref();
  // The reader meets the same fault, and says what it is.
  worker.on('error', () => undefined);
  const end = (): void => {
    port1.close();
    worker.terminate();
  };
  return { way: { port: port1, counts }, end };
}
