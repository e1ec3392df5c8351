import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ask, Baseline, Begun, Verdict } from './mutant-runner.ts';
import { SHORT_RUNS } from './targets.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
/** Every mutant leaves its modules behind; a new process has none. */
const MUTANTS_PER_PROCESS = 120;
/**
 * A machine that is busy with something else gives a process little: what never ends is known by the processor time
 * that it takes, or by taking none for that time.
 */
const MOST_LOOKS = 180;
const LOOK_EVERY_MS = 1_000;

/** The outcome of a question: the answer, or why there was none. */
type Outcome<T> = { readonly answer: T } | { readonly ended: 'time' | 'process' };

/**
 * One process after the other that tests mutants. A mutant that never ends, or that takes all memory, costs a process
 * and counts as killed.
 */
export class MutantProcess {
  #child: ChildProcess | undefined;
  #tested = 0;

  /** In a process of its own: what runs is seen in files that were not loaded before. */
  async baseline(ask: Extract<Ask, { ask: 'baseline' }>): Promise<Baseline> {
    await this.end();
    const outcome = await this.#ask<Baseline>(ask, () => Number.POSITIVE_INFINITY);
    if ('ended' in outcome) throw new Error(`the tests did not end without a mutant: ${outcome.ended}`);
    await this.end();
    return outcome.answer;
  }

  /** `limitOf` a test file in milliseconds of processor time. */
  async test(ask: Extract<Ask, { ask: 'mutant' }>, limitOf: (testFile: string) => number): Promise<Verdict> {
    const outcome = await this.#ask<Verdict>(ask, limitOf);
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

  async #ask<T extends object>(ask: Ask, limitOf: (testFile: string) => number): Promise<Outcome<T>> {
    const child = this.#running();
    const outcome = await new Promise<Outcome<T>>((resolve) => {
      let watch = new Watch(child, Number.POSITIVE_INFINITY);
      const timer = setInterval(() => {
        if (watch.isOver()) settle({ ended: 'time' });
      }, LOOK_EVERY_MS);
      const settle = (given: Outcome<T>): void => {
        clearInterval(timer);
        child.removeAllListeners();
        resolve(given);
      };
      child.on('message', (said: T | Begun) => {
        if ('begun' in said) watch = new Watch(child, limitOf(said.begun));
        else settle({ answer: said });
      });
      child.once('exit', () => settle({ ended: 'process' }));
      child.send(ask);
    });
    if ('ended' in outcome) await this.end();
    return outcome;
  }

  #running(): ChildProcess {
    this.#child ??= fork(CHILD, {
      execArgv: ['--disable-warning=ExperimentalWarning', '--max-old-space-size=900'],
      env: { ...process.env, ...SHORT_RUNS },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    return this.#child;
  }
}

/** The time that one test file takes. Most end before the first look, which asks the machine nothing. */
class Watch {
  readonly #child: ChildProcess;
  readonly #limit: number;
  /** Counted, not timed: a machine that sleeps, or holds this process up, takes nobody's time. */
  #looks = 0;
  #before: number | undefined;

  constructor(child: ChildProcess, limit: number) {
    this.#child = child;
    this.#limit = limit;
  }

  isOver(): boolean {
    if (!Number.isFinite(this.#limit)) return false;
    const now = cpuOf(this.#child);
    this.#before ??= now;
    this.#looks += 1;
    return now - this.#before > this.#limit || this.#looks > MOST_LOOKS;
  }
}

/** Milliseconds of processor time that a process took so far. */
function cpuOf({ pid }: ChildProcess): number {
  const time = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const seconds = time.split(/[-:]/).reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds * 1_000;
}
