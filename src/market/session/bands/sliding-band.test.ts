import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price } from '../../../base/money.ts';
import { coolingMinutes, flexStep, flexTriggers, slidBand } from './sliding-band.ts';

const BASE = price(1_260_00);
const TICK = price(10);

test('the flexes of R1.42 slide both edges by the same share of the base', () => {
  const bands: [number, number][] = [];
  let slid = 0;
  for (let flex = 0; flex <= 6; flex += 1) {
    if (flex > 0) slid += flexStep(flex).slide;
    const { lower, upper } = slidBand(BASE, slid, TICK);
    bands.push([lower, upper]);
  }
  assert.deepEqual(bands, [
    [1_134_00, 1_386_00],
    [1_197_00, 1_449_00],
    [1_260_00, 1_512_00],
    [1_297_80, 1_549_80],
    [1_335_60, 1_587_60],
    [1_360_80, 1_612_80],
    [1_386_00, 1_638_00],
  ]);
});

test('a band slides downwards as it does upwards', () => {
  assert.deepEqual(slidBand(BASE, -500, TICK), { lower: 1_071_00, upper: 1_323_00 });
});

test('trades ask for the first flex at 9.90 %, and for the next a tenth of a point before the edge', () => {
  assert.equal(flexTriggers(BASE, 0).up, 1_384_74);
  assert.equal(flexTriggers(BASE, 0).down, 1_135_26);
  assert.equal(flexTriggers(BASE, 500).up, BASE * 1.149);
  assert.equal(flexTriggers(BASE, 1_000).up, BASE * 1.199);
});

test('the cooling-off grows with the flexes, and is short in the last half hour for the first two', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 9].map((flex) => coolingMinutes(flex, 200)),
    [15, 15, 30, 30, 60, 60],
  );
  assert.deepEqual(
    [1, 2, 3, 5].map((flex) => coolingMinutes(flex, 30)),
    [5, 5, 30, 60],
  );
});

test('a band is rounded inwards to the tick', () => {
  assert.deepEqual(slidBand(price(425_40), 0, price(5)), { lower: 382_90, upper: 467_90 });
});

test('the bands of R1.40 around 425.40 come out to the tick for each width', () => {
  const edges = (half: number) => Object.values(slidBand(price(425_40), 0, price(5), half));
  assert.deepEqual(edges(200), [416_90, 433_90]);
  assert.deepEqual(edges(500), [404_15, 446_65]);
  assert.deepEqual(edges(1_000), [382_90, 467_90]);
  assert.deepEqual(edges(2_000), [340_35, 510_45]);
});
