/**
 * `npm run campaign -- <log> [--minutes N] [--summary]`: the whole campaign of real processes against a cluster. It
 * adds a line for each trial to the log, and goes on from there when it is run again: after N minutes it begins nothing
 * more. `--summary` runs nothing. Prints the spread of each fault, and the commits that were tried. Needs what
 * `npm run faults` needs. Source: docs/reliability.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { dayWithRoom } from '../../kit/day-with-room.ts';
import { runningCommit } from '../../kit/running-commit.ts';
import { addLines, commitsOf, readLines, summaryOf, trialsOf } from './trial-log.ts';

/** Tests that are run together: those of a file whose name matches. */
interface Part {
  readonly file: string;
  readonly pattern: string;
  /** The faults that a run tries, each as often. */
  readonly faults: readonly string[];
  readonly trials: number;
}

const PARTS: readonly Part[] = [
  { file: 'members', pattern: '\\(C03\\)', faults: ['C03 rolling restart'], trials: 100 },
  { file: 'members', pattern: '\\(C01\\)', faults: ['C01 leader killed'], trials: 500 },
  { file: 'members', pattern: '\\(C10\\)', faults: ['C10 leader stopped for 5 to 30 s and back'], trials: 500 },
  { file: 'members', pattern: '\\(C04\\)', faults: ['C04 leader and log server lost'], trials: 100 },
  {
    file: 'partitions',
    pattern: '\\(C05, C07\\)',
    faults: [
      'C05 leader cut off from the log',
      'C05 follower cut off from the log',
      'C05 log servers cut off from each other',
    ],
    trials: 75,
  },
  {
    file: 'partitions',
    pattern: 'with its log server \\(C05\\)',
    faults: ['C05 machine of the leader cut off, with its log server'],
    trials: 75,
  },
  {
    file: 'power-cuts',
    pattern: 'with all servers of the log at once',
    faults: ['C06 power cut of all log servers, every other time of all members too'],
    trials: 100,
  },
];

/** The trials of one run, on a cluster of its own: a campaign that is stopped loses no more than these. */
const AT_ONCE = 8;
const FIRST_SEED = 20_261_121;

const words = process.argv.slice(2);
const minutesAt = words.indexOf('--minutes');
const until = minutesAt === -1 ? Number.POSITIVE_INFINITY : performance.now() + Number(words[minutesAt + 1]) * 60_000;
const given = words.find((word, index) => !word.startsWith('--') && (minutesAt === -1 || index !== minutesAt + 1));
if (given === undefined || Number.isNaN(until)) {
  console.error('npm run campaign -- <log> [--minutes N] [--summary]');
  process.exit(64);
}
const log = resolve(given);

if (!words.includes('--summary')) process.exitCode = (await goOn()) ? 0 : 1;
const lines = readLines(log);
for (const { faults, trials } of PARTS) for (const fault of faults) console.log(summaryOf(lines, fault, trials));
console.log(`commits: ${commitsOf(lines).join(', ')}`);
const failures = lines.filter((line) => 'failed' in line);
console.log(
  `${failures.length} runs failed${failures.map(({ failed, seed }) => `; ${failed} from seed ${seed} on`).join('')}`,
);

/** Runs what is left, until the time is over. False when a run failed: nothing is run behind it. */
async function goOn(): Promise<boolean> {
  const commit = runningCommit(['src', 'test']);
  if (commitsOf(readLines(log)).at(-1) !== commit) addLines(log, [{ commit }]);
  for (const part of PARTS) {
    for (let left = leftOf(part); left > 0 && performance.now() < until; left = leftOf(part)) {
      if (!(await run(part, Math.min(left, AT_ONCE)))) return false;
    }
  }
  return true;
}

function leftOf({ faults, trials }: Part): number {
  return trials - Math.min(...faults.map((fault) => trialsOf(readLines(log), fault).length));
}

async function run(part: Part, count: number): Promise<boolean> {
  const { file, pattern, trials } = part;
  const done = trials - leftOf(part);
  const seed = FIRST_SEED + done;
  await dayWithRoom();
  console.log(`${pattern}: trials ${done + 1} to ${done + count} of ${trials}`);
  const tests = ['--test', `--test-name-pattern=${pattern}`, join(import.meta.dirname, `${file}.faults.ts`)];
  const settings = {
    SAUDA_FAULT_NAMED: 'on',
    SAUDA_FAULT_TRIALS: String(count),
    SAUDA_FAULT_SEED: String(seed),
    SAUDA_FAULT_LOG: log,
  };
  const child = spawn(process.execPath, tests, { env: { ...process.env, ...settings }, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  // A run that passes and writes nothing, since no test has that name, would be repeated for ever.
  if (code === 0 && trials - leftOf(part) > done) return true;
  addLines(log, [{ failed: pattern, seed }]);
  return false;
}
