import { execFileSync } from 'node:child_process';
import { Episode, EpisodeFailed } from './episode.ts';
import { Situations } from './situations.ts';

const USAGE = 'node sim/run.ts [--seconds N] [--seed N] [--episodes N] [--commands N]';
/** Commands of one episode: some trading days. */
const COMMANDS = 3_000;
/** A run of so many commands must have come through every situation. */
const ENOUGH = 300_000;

interface Wanted {
  readonly seconds: number;
  readonly seed: number;
  readonly episodes: number;
  readonly commands: number;
}

function wanted(words: readonly string[]): Wanted {
  const found = new Map<string, number>();
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value = ''] = [words[at], words[at + 1]];
    if (!['--seconds', '--seed', '--episodes', '--commands'].includes(name) || !/^\d+$/.test(value)) {
      throw new Error(`${name} ${value}? ${USAGE}`);
    }
    found.set(name, Number(value));
  }
  const seconds = found.get('--seconds') ?? (found.has('--episodes') ? Number.POSITIVE_INFINITY : 60);
  const episodes = found.get('--episodes') ?? Number.POSITIVE_INFINITY;
  return { seconds, episodes, seed: found.get('--seed') ?? 1, commands: found.get('--commands') ?? COMMANDS };
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

const { seconds, seed, episodes, commands } = wanted(process.argv.slice(2));
const began = performance.now();
const met = new Situations();
let [sent, decided, compared, starts, done] = [0, 0, 0, 0, 0];
try {
  for (let at = seed; done < episodes && performance.now() - began < seconds * 1_000; at += 1) {
    const result = await new Episode({ seed: at, commands }).run();
    met.add(result.met);
    sent += result.sent;
    decided += result.decided;
    compared += result.compared;
    starts += result.starts;
    done += 1;
  }
} catch (error) {
  if (!(error instanceof EpisodeFailed)) throw error;
  console.error(error.message);
  console.error(error.cause);
  console.error(`Commit ${commit()}. Again: node sim/run.ts --episodes 1 --seed ${error.seed} --commands ${commands}`);
  process.exitCode = 1;
}
console.log(met.text());
const took = (performance.now() - began) / 1_000;
const { user, system } = process.cpuUsage();
const cpu = (user + system) / 1_000_000;
console.log(
  `${done} episodes from seed ${seed} on: ${sent} commands sent, ${decided} decided, ${compared} compared with the naive books, ${starts} starts`,
);
console.log(
  `${took.toFixed(1)} s, ${(sent / took).toFixed(0)} commands sent a second; ${(sent / cpu).toFixed(0)} a second of the processor`,
);
const missed = met.missed();
if (done > 0 && missed.length > 0) console.log(`not met: ${missed.join('; ')}`);
if (sent >= ENOUGH && missed.length > 0) process.exitCode = 1;
