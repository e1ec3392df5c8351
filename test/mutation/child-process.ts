import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ask, Baseline, Verdict } from './mutant-runner.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
/** Every mutant leaves its modules behind; a new process has none. */
const MUTANTS_PER_PROCESS = 120;
/** A machine that is busy with something else gives a process little: what never ends is known by the processor time that it takes, or by taking none for so long. */
const LONGEST_MS = 180_000;
const LOOK_EVERY_MS = 1_000;

/** What became of a question: the answer, or why there was none. */
type Outcome<T> = { readonly answer: T } | { readonly ended: 'time' | 'process' };

/** One process after the other that tests mutants. A mutant that never ends, or that takes all memory, costs a process and counts as killed. */
export class MutantProcess {
  #child: ChildProcess | undefined;
  #tested = 0;

  async baseline(ask: Extract<Ask, { ask: 'baseline' }>): Promise<Baseline> {
    const outcome = await this.#ask<Baseline>(ask, Number.POSITIVE_INFINITY);
    if ('ended' in outcome) throw new Error(`the tests did not end without a mutant: ${outcome.ended}`);
    await this.end();
    return outcome.answer;
  }

  /** `limit` in milliseconds of processor time. */
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
      const began = performance.now();
      const cpuBefore = cpuOf(child);
      const timer = setInterval(() => {
        const late = performance.now() - began > LONGEST_MS;
        if (Number.isFinite(limit) && (late || cpuOf(child) - cpuBefore > limit)) settle({ ended: 'time' });
      }, LOOK_EVERY_MS);
      const settle = (given: Outcome<T>): void => {
        clearInterval(timer);
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

/** Milliseconds of processor time that a process took so far. */
function cpuOf({ pid }: ChildProcess): number {
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const seconds = time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds * 1_000;
}
