import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IstDay } from '../../base/time.ts';
import { IndexSource } from './index-source.ts';
import { Factors } from './paths/factors.ts';
import { emptyLine, valueAt } from './paths/line.ts';
import { FIRST_DAY } from './paths/span-of-days.ts';
import { StockSource } from './stock-source.ts';

const DAY = (FIRST_DAY + 700) as IstDay;
const ANCHOR = { close: 100_000, day: (FIRST_DAY + 650) as IstDay, minute: 930 };

function build(factors: Factors) {
  const loadings = { market: 0.009, sector: 0.006, own: 0.013 };
  const members = ['a', 'b', 'c'].map((name, i) => ({
    source: new StockSource(factors, name, 'BANK', loadings, ANCHOR),
    weight: [0.5, 0.3, 0.2][i] as number,
  }));
  return { members, index: new IndexSource(factors, 'index', members, { ...ANCHOR, close: 2_400_000 }) };
}

test('at every minute the level is the weighted sum of its members against their anchors', () => {
  for (const regime of ['always', 'exchange'] as const) {
    const { members, index } = build(new Factors(3, regime));
    for (let minute = 0; minute <= 1_440; minute += 7) {
      let sum = 0;
      for (const { source, weight } of members) sum += (weight * source.at(DAY, minute)) / ANCHOR.close;
      assert.ok(Math.abs(index.at(DAY, minute) / (2_400_000 * sum) - 1) < 1e-11, `${regime} ${minute}`);
    }
  }
});

test('at its anchor each source has the close of the anchor', () => {
  const { members, index } = build(new Factors(3, 'exchange'));
  assert.ok(Math.abs(index.at(ANCHOR.day, ANCHOR.minute) - 2_400_000) < 1e-4);
  for (const { source } of members) assert.ok(Math.abs(source.at(ANCHOR.day, ANCHOR.minute) - ANCHOR.close) < 1e-6);
});

test('the line of a minute goes from one minute to the next', () => {
  const { members, index } = build(new Factors(3, 'always'));
  const line = emptyLine();
  for (const source of [index, ...members.map((member) => member.source)]) {
    for (const minute of [0, 59, 60, 600, 929, 1_439]) {
      source.fill(DAY, minute, line);
      assert.equal(valueAt(line, 0), source.at(DAY, minute));
      assert.ok(Math.abs(line.value + 60 * line.slope - source.at(DAY, minute + 1)) < 1e-6);
    }
  }
});

test('within a minute the index stays near what its members add up to', () => {
  const { members, index } = build(new Factors(3, 'exchange'));
  const [line, memberLine] = [emptyLine(), emptyLine()];
  let [apart, moved] = [0, 0];
  for (let minute = 600; minute < 900; minute += 1) {
    index.fill(DAY, minute, line);
    const sums = new Float64Array(60);
    for (const { source, weight } of members) {
      source.fill(DAY, minute, memberLine);
      for (let second = 0; second < 60; second += 1) {
        const value = (2_400_000 * weight * valueAt(memberLine, second)) / ANCHOR.close;
        sums[second] = (sums[second] as number) + value;
      }
    }
    for (let second = 0; second < 60; second += 1) {
      apart += (valueAt(line, second) - (sums[second] as number)) ** 2;
      moved += (valueAt(line, second) - line.value - line.slope * second) ** 2;
    }
  }
  assert.ok(Math.sqrt(apart / moved) < 0.65, `${Math.sqrt(apart / moved)} of the walk`);
});
