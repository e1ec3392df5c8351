import { Worker } from 'node:worker_threads';
import type { Outcome } from './play-seed.ts';
import type { Wanted } from './run-options.ts';

/** A thread that plays episodes, as the run sees it. */
export class EpisodeThread<Result> {
  private readonly worker: Worker;
  /** The seeds that were sent and have no outcome yet. */
  private readonly waiting = new Map<number, PromiseWithResolvers<Outcome<Result>>>();

  constructor(run: Wanted) {
    this.worker = new Worker(new URL('./episode-worker.ts', import.meta.url), { workerData: run });
    this.worker.on('message', (outcome: Outcome<Result>) => {
      this.waiting.get(outcome.seed)?.resolve(outcome);
      this.waiting.delete(outcome.seed);
    });
    this.worker.on('error', (error) => {
      for (const { reject } of this.waiting.values()) reject(error);
    });
  }

  /** Plays a seed behind those that were asked for before. Rejects with what ended the thread. */
  play(seed: number): Promise<Outcome<Result>> {
    const outcome = Promise.withResolvers<Outcome<Result>>();
    // A thread that ends rejects all at once, and the run looks at the first alone.
    outcome.promise.catch(() => undefined);
    this.waiting.set(seed, outcome);
    this.worker.postMessage(seed);
    return outcome.promise;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
