import { Worker } from 'node:worker_threads';

/*
 * When each group became durable, seen from outside of the thread that waits for it: another thread is woken with it, and notes the time. The
 * words that the commit thread shares with its caller are found by listening to what the caller waits for.
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

/** Notes from now on when the commits of the one journal of this process are done: the time of the n-th is at n, 0 for those that were missed. */
export function watchCommits(most: number): Float64Array {
  const times = new Float64Array(new SharedArrayBuffer(most * Float64Array.BYTES_PER_ELEMENT));
  const { waitAsync } = Atomics;
  let watcher: Worker | undefined;
  const watched = (words: Int32Array, index: number, value: number): unknown => {
    if (watcher === undefined) {
      watcher = new Worker(WATCHER, { eval: true, workerData: { words, times } });
      watcher.unref();
    }
    return waitAsync(words, index, value);
  };
  Object.assign(Atomics, { waitAsync: watched });
  return times;
}
