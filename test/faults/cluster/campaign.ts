/**
 * `npm run campaign -- <log> [--minutes N] [--fault name] [--summary]`: the whole campaign of real processes against a
 * cluster, or the part of it whose faults begin with that name, as C10. It adds a line for each trial to the log, and
 * goes on from there when it is run again: after N minutes it begins nothing more. `--summary` runs nothing. Prints the
 * spread of each fault, and the commits that were tried. Needs what `npm run faults` needs. Source:
 * docs/reliability.md.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { dayWithRoom } from '../../kit/day-with-room.ts';
import { runningCommit } from '../../kit/running-commit.ts';
import { fileOf, PARTS, type Part } from './campaign-parts.ts';
import { addLines, commitsOf, readLines, summaryOf, trialsOf } from './trial-log.ts';

/** The trials of one run, on a cluster of its own: a campaign that is stopped loses no more than these. */
const AT_ONCE = 8;
const FIRST_SEED = 20_261_121;

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string' }, fault: { type: 'string', default: '' }, summary: { type: 'boolean' } },
  allowPositionals: true,
});
const until = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const parts = PARTS.filter(({ faults }) => faults.some((name) => name.startsWith(values.fault)));
const [given] = positionals;
if (given === undefined || Number.isNaN(until) || parts.length === 0) {
  console.error('npm run campaign -- <log> [--minutes N] [--fault name] [--summary]');
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

/** Runs what is left, until the time is over. False when a run failed: nothing is run behind it. */
async function goOn(): Promise<boolean> {
  const commit = runningCommit(['src', 'test']);
  if (commitsOf(readLines(log)).at(-1) !== commit) addLines(log, [{ commit }]);
  for (const part of parts) {
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
  const { pattern, trials } = part;
  const done = trials - leftOf(part);
  const seed = FIRST_SEED + done;
  await dayWithRoom();
  console.log(`${pattern}: trials ${done + 1} to ${done + count} of ${trials}`);
  const settings = {
    SAUDA_FAULT_NAMED: 'on',
    SAUDA_FAULT_TRIALS: String(count),
    SAUDA_FAULT_SEED: String(seed),
    SAUDA_FAULT_LOG: log,
  };
  const child = spawn(process.execPath, ['--test', `--test-name-pattern=${pattern}`, fileOf(part)], {
    env: { ...process.env, ...settings },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  // A run that passes and writes nothing, since no test has that name, would be repeated for ever.
  if (code === 0 && trials - leftOf(part) > done) return true;
  addLines(log, [{ failed: pattern, seed }]);
  return false;
}
