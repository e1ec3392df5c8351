import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ask, Baseline, Verdict } from './mutant-runner.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
/** Every mutant leaves its modules behind; a new process has none. */
const MUTANTS_PER_PROCESS = 120;
const BASELINE_MS = 600_000;

/** What became of a question: the answer, or why there was none. */
type Outcome<T> = { readonly answer: T } | { readonly ended: 'time' | 'process' };

/** One process after the other that tests mutants. A mutant that never ends, or that takes all memory, costs a process and counts as killed. */
export class MutantProcess {
  #child: ChildProcess | undefined;
  #tested = 0;

  async baseline(ask: Extract<Ask, { ask: 'baseline' }>): Promise<Baseline> {
    const outcome = await this.#ask<Baseline>(ask, BASELINE_MS);
    if ('ended' in outcome) throw new Error(`the tests did not end without a mutant: ${outcome.ended}`);
    await this.end();
    return outcome.answer;
  }

  /** `limit` in milliseconds. */
  async test(ask: Extract<Ask, { ask: 'mutant' }>, limit: number): Promise<Verdict> {
    const outcome = await this.#ask<Verdict>(ask, limit);
    this.#tested += 1;
    if ('ended' in outcome) return { killedBy: outcome.ended === 'time' ? 'the time limit' : 'the end of the process' };
    if (this.#tested % MUTANTS_PER_PROCESS === 0) await this.end();
    return outcome.answer;
  }

  async end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async #ask<T>(ask: Ask, limit: number): Promise<Outcome<T>> {
    const child = this.#running();
    const outcome = await new Promise<Outcome<T>>((resolve) => {
      const timer = setTimeout(() => resolve({ ended: 'time' }), limit);
      const settle = (given: Outcome<T>): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(given);
      };
      child.once('message', (answer) => settle({ answer: answer as T }));
      child.once('exit', () => settle({ ended: 'process' }));
      child.send(ask);
    });
    if ('ended' in outcome) await this.end();
    return outcome;
  }

  #running(): ChildProcess {
    this.#child ??= fork(CHILD, {
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=900'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    return this.#child;
  }
}
