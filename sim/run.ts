import { execFileSync } from 'node:child_process';
import { Episode, EpisodeFailed } from './episode.ts';
import { Situations } from './situations.ts';

const OPTIONS = ['--seconds', '--seed', '--episodes', '--commands', '--decided', '--failures', '--outcomes'] as const;
type Option = (typeof OPTIONS)[number];
const USAGE = `node sim/run.ts ${OPTIONS.map((option) => `[${option} N]`).join(' ')}`;
const SECONDS = 60;
/** Commands of one episode: some trading days. */
const COMMANDS = 3_000;
/** A run of this many commands must have come through every situation. */
const ENOUGH = 300_000;
/** After this many episodes a run says how far it came: also one that is ended before its end has said it then. */
const PROGRESS = 100;

interface Wanted {
  readonly seconds: number;
  readonly seed: number;
  readonly episodes: number;
  /** Of one episode. */
  readonly commands: number;
  /** Of the run. */
  readonly decided: number;
  /** Of a hundred placements those that ask for an outcome, beyond the usual ones. */
  readonly outcomes: number;
  /** The run ends with this many. */
  readonly failures: number;
}

function wanted(words: readonly string[]): Wanted {
  const found = new Map<string, number>();
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value = ''] = [words[at], words[at + 1]];
    if (!OPTIONS.includes(name as Option) || !/^\d+$/.test(value)) throw new Error(`${name} ${value}? ${USAGE}`);
    found.set(name, Number(value));
  }
  const of = (option: Option, otherwise: number) => found.get(option) ?? otherwise;
  const ends = found.has('--episodes') || found.has('--decided');
  return {
    seconds: of('--seconds', ends ? Number.POSITIVE_INFINITY : SECONDS),
    seed: of('--seed', 1),
    episodes: of('--episodes', Number.POSITIVE_INFINITY),
    commands: of('--commands', COMMANDS),
    decided: of('--decided', Number.POSITIVE_INFINITY),
    failures: of('--failures', 1),
    outcomes: of('--outcomes', 0),
  };
}

/** The commit that runs, and whether there is more than it. */
function commit(): string {
  try {
    const git = (...words: string[]) =>
      execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', ':/src', ':/sim') === '' ? '' : ' with changes'}`;
  } catch (error) {
    return `unknown (${error instanceof Error ? error.message : String(error)})`;
  }
}

const { seconds, seed, episodes, commands, decided, failures, outcomes } = wanted(process.argv.slice(2));
const began = performance.now();
const met = new Situations();
const sums = { sent: 0, outcomes: 0, decided: 0, compared: 0, starts: 0, done: 0, failed: 0 };

function elapsed(): number {
  return (performance.now() - began) / 1_000;
}

function soFar(): string {
  const { sent, outcomes: asked, decided, compared, starts, done, failed } = sums;
  return `${done} episodes from seed ${seed} on: ${sent} commands sent, ${asked} with an outcome on demand, ${decided} decided, ${compared} compared with the naive books, ${starts} starts, ${failed} failed`;
}

async function play(at: number): Promise<void> {
  try {
    const result = await new Episode({ seed: at, commands, outcomePercent: outcomes }).run();
    met.add(result.met);
    sums.sent += result.sent;
    sums.outcomes += result.outcomes;
    sums.decided += result.decided;
    sums.compared += result.compared;
    sums.starts += result.starts;
    sums.done += 1;
    if (sums.done % PROGRESS === 0) console.error(`${elapsed().toFixed(0)} s, seed ${at}: ${soFar()}`);
  } catch (error) {
    if (!(error instanceof EpisodeFailed)) throw error;
    sums.failed += 1;
    console.error(error.message);
    console.error(error.cause);
    console.error(
      `Commit ${commit()}. Again: node sim/run.ts --episodes 1 --seed ${error.seed} --commands ${commands} --outcomes ${outcomes}`,
    );
    process.exitCode = 1;
  }
}

for (let at = seed; at < seed + episodes; at += 1) {
  if (elapsed() >= seconds || sums.decided >= decided || sums.failed >= failures) break;
  await play(at);
}
console.log(met.text());
const took = elapsed();
const { user, system } = process.cpuUsage();
const cpu = (user + system) / 1_000_000;
console.log(soFar());
console.log(
  `${took.toFixed(1)} s, ${(sums.sent / took).toFixed(0)} commands sent a second; ${(sums.sent / cpu).toFixed(0)} sent and ${(sums.decided / cpu).toFixed(0)} decided a second of the processor`,
);
const missed = met.missed();
if (sums.done > 0 && missed.length > 0) console.log(`not met: ${missed.join('; ')}`);
if (sums.sent >= ENOUGH && missed.length > 0) process.exitCode = 1;
