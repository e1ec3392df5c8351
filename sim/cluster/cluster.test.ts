import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DAY_MS } from '../../src/base/time.ts';
import { EpisodeFailed } from '../episode.ts';
import { TAKEN_AWAY } from './cluster-controls.ts';
import { ClusterEpisode } from './cluster-episode.ts';
import type { Trouble } from './cluster-trouble.ts';

/** Every day others; a failure names its own. */
const FRESH = Number(process.env.SAUDA_SIM_SEED ?? Math.floor(Date.now() / DAY_MS)) * 100;
const EPISODES = 5;
const STEPS = 100;

interface KeptSeed {
  readonly seed: number;
  readonly steps: number;
  readonly troubles?: readonly Trouble[];
  readonly why: string;
}

function keptSeeds(): KeptSeed[] {
  const text = readFileSync(join(import.meta.dirname, 'seeds.txt'), 'utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, seed, steps, troubles, why] = /^(\d+) (\d+) ([A-Za-z,]+) (.+)$/.exec(line) ?? [];
    assert.ok(seed && steps && troubles && why, `not a kept seed: ${line}`);
    const only = troubles === 'all' ? {} : { troubles: troubles.split(',') as Trouble[] };
    return { seed: Number(seed), steps: Number(steps), ...only, why };
  });
}

describe('runs of a cluster that failed once', () => {
  for (const { why, ...terms } of keptSeeds()) {
    it(`hold now: seed ${terms.seed}, ${why}`, async () => {
      await new ClusterEpisode(terms).run();
    });
  }
});

describe('a cluster', () => {
  it(`keeps every promise through whatever goes wrong (seeds from ${FRESH})`, async (t) => {
    let [epochs, acknowledged] = [0, 0];
    for (let seed = FRESH; seed < FRESH + EPISODES; seed += 1) {
      const result = await new ClusterEpisode({ seed, steps: STEPS }).run();
      epochs += result.epochs;
      acknowledged += result.acknowledged;
    }
    assert.ok(epochs > EPISODES && acknowledged > 10 * EPISODES, `${epochs} epochs, ${acknowledged} acknowledgements`);
    t.diagnostic(`${epochs} epochs, ${acknowledged} acknowledgements`);
  });

  it('runs the same for the same seed, to the last bit of its history', async () => {
    const play = async (seed: number) => {
      const { met, ...figures } = await new ClusterEpisode({ seed, steps: 80 }).run();
      return { ...figures, met: met.text() };
    };
    const first = await play(7);
    assert.deepEqual(await play(7), first);
    assert.notEqual((await play(8)).chain, first.chain);
  });
});

/** Seeds that are played until one fails. */
const MOST_SEEDS = 150;
/** Most controls fail at one of the first seeds from here on. */
const FIRST_SEED = 50;
/** That of the clocks needs two faults at once, which are rare: it begins at a seed that had both. */
const FIRST_SEEDS: ReadonlyMap<string, number> = new Map([['clock-guard', 83]]);

describe('without a protection the simulator of clusters finds what goes wrong when', () => {
  for (const [name, { what, controls, troubles, found }] of TAKEN_AWAY) {
    it(what, async (t) => {
      const first = FIRST_SEEDS.get(name) ?? FIRST_SEED;
      for (let seed = first; seed < first + MOST_SEEDS; seed += 1) {
        try {
          await new ClusterEpisode({ seed, steps: STEPS, controls, troubles }).run();
        } catch (error) {
          if (!(error instanceof EpisodeFailed)) throw error;
          assert.match(error.message, found);
          t.diagnostic(error.message);
          return;
        }
      }
      assert.fail(`${MOST_SEEDS} seeds found nothing`);
    });
  }
});
