/** The queue was full: the task was not run and will not be. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/**
 * Runs asynchronous tasks one after the other, in the order they came, and lets only so many wait. Password checks go through
 * it so that a flood of logins takes one thread of the pool and a known amount of memory. Source: reliability P10, §4.
 */
export class BoundedQueue {
  private readonly limit: number;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** `limit` tasks may wait or run at the same time. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** Runs `task` when its turn comes and resolves as it does; rejects with `QueueFull` at once when there is no place. */
  run<T>(task: () => Promise<T>): Promise<T> {
    if (this.waiting >= this.limit) return Promise.reject(new QueueFull('too many tasks are waiting'));
    this.waiting += 1;
    const result = this.last.then(task).finally(() => {
      this.waiting -= 1;
    });
    this.last = result.then(ignoreOutcome, ignoreOutcome);
    return result;
  }
}

/** The caller of `run` has the outcome; the next task only needs to know that there is one. */
function ignoreOutcome(): undefined {
  return undefined;
}
