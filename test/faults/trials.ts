import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it, type TestContext } from 'node:test';
import { Random } from '../../src/base/random.ts';
import { killAll } from '../process/kill/victim.ts';

/** How many trials each fault gets: multiplied from the count of a short run. */
const FACTOR = Number(process.env.SAUDA_FAULT_TRIALS ?? 1);
/** The trials of each fault, in place of those of a short run, for a campaign that counts them. */
const EACH = process.env.SAUDA_FAULT_EACH;
/** The source of random moments of faults and of the clients' actions. */
export const SEED = Number(process.env.SAUDA_FAULT_SEED ?? 20261121);

/**
 * A folder for the files of one test file; removed with every engine that is left when the file is done, `first` before
 * it.
 */
export function scratchFolder(first: () => void = () => undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-faults-'));
  after(() => {
    killAll();
    first();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/**
 * Repeats a trial: `short` times in a short run, times SAUDA_FAULT_TRIALS, or SAUDA_FAULT_EACH times. A trial returns
 * what was acknowledged to clients in it, or throws. The first that throws ends the run, with its number and the seed
 * in the words. The line for the table is printed as `fault: ...`.
 */
export async function trials(
  t: TestContext,
  fault: string,
  short: number,
  trial: (random: Random, number: number) => Promise<number>,
): Promise<void> {
  const count = Number(EACH ?? Math.max(1, Math.round(short * FACTOR)));
  const began = performance.now();
  let told = 0;
  for (let number = 0; number < count; number += 1) {
    try {
      told += await trial(new Random(SEED + number), number);
    } catch (error) {
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
      assert.fail(`${fault}: trial ${number} of SAUDA_FAULT_SEED=${SEED}: ${words}`);
    }
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  t.diagnostic(`fault: ${JSON.stringify({ fault, trials: count, told, lost: 0, partial: 0, seconds })}`);
}

/** True in long fault runs, which have more trials than the short ones, and in runs of faults that are named. */
export const IS_LONG = FACTOR > 1 || process.env.SAUDA_FAULT_NAMED === 'on';

/**
 * A test that long fault runs have alone: a control whose protection a short run proves, or a fault that takes long and
 * is tried by others too.
 */
export function longRun(name: string, work: (t: TestContext) => Promise<void>): void {
  if (IS_LONG) it(name, work);
}
