import { Worker } from 'node:worker_threads';

/*
 * When each group became durable, seen from outside of the thread that waits for it: another thread is woken with it,
 * and notes the time. The words that the commit thread shares with its caller are found by listening to what the caller
 * waits for.
 */

const WATCHER = `
  const { workerData } = require('node:worker_threads');
  const { words, times } = workerData;
  for (let seen = Atomics.load(words, 1); ; ) {
    Atomics.wait(words, 1, seen);
    const now = performance.timeOrigin + performance.now();
    seen = Atomics.load(words, 1);
    if (seen < times.length) times[seen] = now;
  }
`;

/** When commits were done. */
export interface CommitTimes {
  /** The time of the n-th is at n, 0 for one that was missed. */
  readonly done: Float64Array;
  /** When this thread heard of the last. */
  heard: number;
}

/** Notes from now on when the commits of the one journal of this process are done. */
export function watchCommits(most: number): CommitTimes {
  const done = new Float64Array(new SharedArrayBuffer(most * Float64Array.BYTES_PER_ELEMENT));
  const times: CommitTimes = { done, heard: 0 };
  const { waitAsync } = Atomics;
  let watcher: Worker | undefined;
  const watched = (words: Int32Array, index: number, value: number): unknown => {
    if (watcher === undefined) {
      watcher = new Worker(WATCHER, { eval: true, workerData: { words, times: done } });
      watcher.unref();
    }
    const waiting = waitAsync(words, index, value);
    // It comes before whoever asked, since it asked first.
    if (waiting.async) {
      waiting.value.then(() => {
        times.heard = performance.timeOrigin + performance.now();
      });
    }
    return waiting;
  };
  Object.assign(Atomics, { waitAsync: watched });
  return times;
}
