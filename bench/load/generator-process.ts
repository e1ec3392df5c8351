import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Quantiles } from './latencies.ts';
import type { Credentials, Kind } from './user.ts';

/** Where the load goes and as whom; every user logs in, and what was known of orders is forgotten. */
export interface Prepare {
  readonly port: number;
  readonly users: readonly Credentials[];
  /** Connections; each has at most one request under way. */
  readonly lines: number;
}

/** A rate of requests a second, and its length. */
export interface Stage {
  readonly rate: number;
  readonly seconds: number;
}

/** One open-loop run: its stages follow each other without a pause. */
export interface Run {
  readonly stages: readonly Stage[];
  /** A body that is sent to a bare server instead of what users wish. */
  readonly echo?: string;
}

/** The outcome of the requests that were due in one stage, or in one second of a run. */
export interface StageReport {
  /** Answers that were no success and no clean refusal of load, or that contradict the ledger. */
  readonly bad: number;
  /** Requests that found no free connection in time. */
  readonly notSent: number;
  /** Successes. */
  readonly answered: Quantiles;
  /** Refusals with 503 or 429. */
  readonly shed: Quantiles;
  readonly answeredKinds: Readonly<Partial<Record<Kind, Quantiles>>>;
  readonly shedKinds: Readonly<Partial<Record<Kind, Quantiles>>>;
}

export interface Report {
  readonly stages: readonly StageReport[];
  readonly seconds: readonly StageReport[];
  /** From the first request to the last answer. */
  readonly elapsedSeconds: number;
  /** The first of what was bad. */
  readonly faults: readonly string[];
}

/** Order books compared with the acknowledgements, over all users. */
export interface Verification {
  readonly acknowledged: number;
  readonly missing: number;
  readonly unwanted: number;
  readonly unanswered: number;
  readonly wrong: number;
  readonly examples: readonly string[];
}

/** The orders of the parent to the generator. */
export type Wanted =
  | ({ readonly do: 'prepare' } & Prepare)
  | ({ readonly do: 'run' } & Run)
  | { readonly do: 'verify' };

/** The process that makes the load. */
export class Generator {
  private readonly child: ChildProcess;

  constructor() {
    this.child = fork(join(import.meta.dirname, 'generator.ts'));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  prepare(target: Prepare): Promise<void> {
    return this.ask<void>({ do: 'prepare', ...target });
  }

  run(run: Run): Promise<Report> {
    return this.ask<Report>({ do: 'run', ...run });
  }

  verify(): Promise<Verification> {
    return this.ask<Verification>({ do: 'verify' });
  }

  stop(): void {
    this.child.disconnect();
  }

  private ask<T>(message: Wanted): Promise<T> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`the generator ended with ${code}`));
      this.child.once('exit', ended);
      this.child.once('message', ({ result, error }: { result: T; error?: string }) => {
        this.child.off('exit', ended);
        if (error === undefined) resolve(result);
        else reject(new Error(error));
      });
      this.child.send(message);
    });
  }
}
