/**
 * `npm run campaign -- <log> [--minutes N] [--fault name] [--together N] [--summary]`: the whole campaign of real
 * processes against a cluster, or the part of it whose faults begin with that name, as C10. It adds a line for each
 * trial to the log, and goes on from there when it is run again: after N minutes it begins nothing more. `--together`
 * has that number of clusters at a time, with clients that rest longer between their orders: for faults that mostly
 * wait, as C10. `--summary` runs nothing. Prints the spread of each fault, and the commits that were tried. Needs what
 * `npm run faults` needs. Source: docs/reliability.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runningCommit } from '../../kit/running-commit.ts';
import { timeWithRoom } from '../../kit/time-with-room.ts';
import { FIRST_SEED, fileOf, PARTS, type Part, seedsLeft } from './campaign-parts.ts';
import { addLines, commitsOf, readLines, summaryOf } from './trial-log.ts';

/** The trials of one run, on a cluster of its own: a campaign that is stopped loses no more than these. */
const AT_ONCE = 20;

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string' },
    fault: { type: 'string', default: '' },
    together: { type: 'string', default: '1' },
    summary: { type: 'boolean' },
  },
  allowPositionals: true,
});
const until = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const together = Number(values.together);
const parts = PARTS.filter(({ faults }) => faults.some((name) => name.startsWith(values.fault)));
const [given] = positionals;
if (given === undefined || Number.isNaN(until) || !(together >= 1) || parts.length === 0) {
  console.error('npm run campaign -- <log> [--minutes N] [--fault name] [--together N] [--summary]');
  process.exit(64);
}
const log = resolve(given);

if (values.summary !== true) process.exitCode = (await goOn()) ? 0 : 1;
const lines = readLines(log);
for (const { faults, trials } of PARTS) for (const fault of faults) console.log(summaryOf(lines, fault, trials));
console.log(`commits: ${commitsOf(lines).join(', ')}`);
const failures = lines.filter((line) => 'failed' in line);
console.log(
  `${failures.length} runs failed${failures.map(({ failed, seed }) => `; ${failed} from seed ${seed} on`).join('')}`,
);

/** Runs what is left, until the time is over. False when a run failed: nothing is begun after it. */
async function goOn(): Promise<boolean> {
  const commit = runningCommit(['src', 'test']);
  if (commitsOf(readLines(log)).at(-1) !== commit) addLines(log, [{ commit }]);
  for (const part of parts) {
    if (!(await runsOf(part))) return false;
  }
  return true;
}

/** Runs of a part, each after one before it, or beside it. */
async function runsOf(part: Part): Promise<boolean> {
  const begun = new Set<number>();
  let isGood = true;
  const oneByOne = async (): Promise<void> => {
    while (isGood && performance.now() < until) {
      const seeds = seedsLeft(part, readLines(log), begun).slice(0, AT_ONCE);
      if (seeds.length === 0) return;
      for (const seed of seeds) begun.add(seed);
      const isRunGood = await run(part, seeds);
      isGood &&= isRunGood;
    }
  };
  await Promise.all(Array.from({ length: together }, oneByOne));
  return isGood;
}

async function run(part: Part, seeds: readonly number[]): Promise<boolean> {
  const { pattern, trials } = part;
  const [seed = FIRST_SEED] = seeds;
  await timeWithRoom();
  console.log(`${pattern}: trials ${seed - FIRST_SEED + 1} to ${seed - FIRST_SEED + seeds.length} of ${trials}`);
  const settings = {
    SAUDA_FAULT_NAMED: 'on',
    SAUDA_FAULT_EACH: String(seeds.length),
    SAUDA_FAULT_SEED: String(seed),
    SAUDA_FAULT_LOG: log,
    SAUDA_FAULT_CLUSTERS: String(together),
  };
  const child = spawn(process.execPath, ['--test', `--test-name-pattern=${pattern}`, fileOf(part)], {
    env: { ...process.env, ...settings },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  // A run that passes and writes nothing, since no test has that name, would be repeated for ever.
  if (code === 0 && !seedsLeft(part, readLines(log), new Set()).includes(seed)) return true;
  addLines(log, [{ failed: pattern, seed }]);
  return false;
}
