import assert from 'node:assert/strict';
import { test } from 'node:test';
import { correlation } from '../../../bench/market/samples.ts';
import { Recogniser } from '../../../bench/market/strategies/recogniser.ts';
import { walksOfMinutes } from './old-shapes.ts';

const SEEN = 20;
const [RECORDED, PLAYED] = [4_000, 400];

/** The correlation of the forecast rest of a minute with the actual rest. */
function foresight(from: 'list' | 'draw'): number {
  const recogniser = new Recogniser(walksOfMinutes(RECORDED, 1, from), SEEN);
  const played = walksOfMinutes(PLAYED, 2, from);
  const foretold = played.map((walk) => recogniser.foretell(walk.slice(0, SEEN + 1), SEEN + 1, 59));
  return correlation(
    foretold,
    played.map((walk) => (walk[59] as number) - (walk[SEEN + 1] as number)),
  );
}

test('minutes out of a list of shapes are recognised by their first 20 seconds', () => {
  const found = foresight('list');
  assert.ok(found > 0.8, `correlation ${found.toFixed(3)}`);
});

test('minutes that are drawn by themselves are not recognised', () => {
  const found = foresight('draw');
  assert.ok(Math.abs(found) < 0.15, `correlation ${found.toFixed(3)}`);
});
