import assert from 'node:assert/strict';
import { it } from 'node:test';
import { outcomes } from './outcomes.ts';
import { playCluster } from './play-seed.ts';
import { wanted } from './run-options.ts';

/** The outcomes of a run up to its first violation, as text. */
async function played(words: string): Promise<string[]> {
  const found: string[] = [];
  for await (const outcome of outcomes(wanted(words.split(' ')), playCluster)) {
    const { seed } = outcome;
    if ('failure' in outcome) return [...found, `${seed}: ${outcome.failure.message}`];
    const { met, ...figures } = outcome.result;
    found.push(`${seed}: ${JSON.stringify({ ...figures, met: [...met.counts].toSorted() })}`);
  }
  return found;
}

it('plays the same episodes in the same order in threads as without them', async () => {
  const run = '--cluster --episodes 5 --seed 300 --steps 20';
  const one = await played(run);
  assert.equal(one.length, 5);
  assert.deepEqual(await played(`${run} --threads 2`), one);
});

it('ends at the same first violation in threads as without them', async () => {
  const run = '--cluster --without fences --episodes 150 --seed 50 --steps 100';
  const one = await played(run);
  assert.match(one.at(-1) ?? '', /: cluster seed \d+, step \d+, record \d+: lane [AB]/);
  assert.deepEqual(await played(`${run} --threads 2`), one);
});

it('refuses the name of a protection that it does not know, and one of a single service', () => {
  assert.throws(() => wanted(['--cluster', '--without', 'luck']), /fences\|second-fence/);
  assert.throws(() => wanted(['--without', 'lease']), /usage|node sim/);
});
