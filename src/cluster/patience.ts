import type { ClusterTime } from './cluster-time.ts';

/** The result of `work`, or `late` when it takes longer than `ms`. Its result is then dropped. */
export function withPatience<T, L>(time: ClusterTime, ms: number, work: Promise<T>, late: L): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const cancel = time.after(ms, () => resolve(late));
    work.then(
      (result) => {
        cancel();
        resolve(result);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}

/** Resolves after `ms` milliseconds. */
export function pause(time: ClusterTime, ms: number): Promise<void> {
  return new Promise((resolve) => {
    time.after(ms, resolve);
  });
}
