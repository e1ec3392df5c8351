import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type IstDay, weekday } from '../../base/time.ts';
import { civil, freshRoster, NIFTY, VIX } from './fixture.ts';
import type { HoursRegime } from './profile.ts';

/** Seven years of days of seeds that are fixed: what is measured here never differs, and no bound is near. */
const FIRST = civil(2020, 1, 2);
const LAST = civil(2026, 11, 20);
const SEEDS = [1, 2, 3];
const [OPEN, CLOSE] = [555, 930];

interface Days {
  readonly returns: readonly number[];
  /** The change of the volatility index, as a share of it. */
  readonly changes: readonly number[];
  readonly levels: readonly number[];
  readonly gaps: readonly number[];
  readonly sessions: readonly number[];
}

function daysOf(regime: HoursRegime, seed: number): Days {
  const roster = freshRoster(regime, seed);
  const [index, vix] = [roster.get(NIFTY).terms.source, roster.get(VIX).terms.source];
  const found = { returns: [], changes: [], levels: [], gaps: [], sessions: [] } as Record<keyof Days, number[]>;
  let before: { readonly close: number; readonly level: number } | undefined;
  for (let day = FIRST; day <= LAST; day = (day + 1) as IstDay) {
    if (regime === 'exchange' && weekday(day) % 6 === 0) continue;
    const [open, close, level] = [index.at(day, OPEN), index.at(day, CLOSE), vix.at(day, CLOSE)];
    if (before !== undefined) {
      found.returns.push(Math.log(close / before.close));
      found.changes.push(level / before.level - 1);
      found.gaps.push(Math.log(open / before.close));
      found.sessions.push(Math.log(close / open));
    }
    found.levels.push(Math.log(level / 10_000));
    before = { close, level };
  }
  return found;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The mean of a power of the distances from the mean, in deviations. */
function moment(values: readonly number[], power: number): number {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** power)) / deviation(values) ** power;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  return mean(a.map((value, i) => (value - meanA) * ((b[i] as number) - meanB))) / (deviation(a) * deviation(b));
}

function memory(values: readonly number[], lag: number): number {
  return correlation(values.slice(lag), values.slice(0, -lag));
}

function sizeOfNextFive(returns: readonly number[]): readonly number[] {
  return returns.slice(0, -5).map((_, i) => mean(returns.slice(i + 1, i + 6).map(Math.abs)));
}

function within(value: number, low: number, high: number, about: string): void {
  assert.ok(value >= low && value <= high, `${about} is ${value}, not within ${low} and ${high}`);
}

for (const regime of ['always', 'exchange'] as const) {
  for (const seed of SEEDS) {
    const days = daysOf(regime, seed);
    const about = `${regime} hours, seed ${seed}`;

    test(`${about}: days have fat tails, lean to falls, and cluster`, () => {
      const sizes = days.returns.map(Math.abs);
      within(moment(days.returns, 4), 4, 17, 'the kurtosis of daily returns');
      within(moment(days.returns, 3), -1.3, -0.1, 'their skew');
      within(memory(sizes, 1), 0.1, 0.32, 'the memory of their size over a day');
      within(memory(sizes, 20), -0.02, 0.2, 'the memory of their size over 20 days');
      within(memory(days.returns, 1), -0.1, 0.1, 'the memory of returns');
    });

    test(`${about}: a fall makes the days after it wilder`, () => {
      const { returns } = days;
      within(correlation(returns.slice(0, -5), sizeOfNextFive(returns)), -0.24, -0.09, 'the leverage effect');
    });

    test(`${about}: the volatility index spikes when the market falls`, () => {
      const { changes, returns, levels } = days;
      within(moment(changes, 4), 4.5, 40, 'the kurtosis of its daily change');
      within(moment(changes, 3), 0.1, 3, 'its skew');
      within(deviation(changes), 0.045, 0.065, 'its deviation');
      within(deviation(levels), 0.17, 0.34, 'the deviation of its logarithm');
      within(memory(levels, 20), 0.5, 0.85, 'its memory over 20 days');
      within(correlation(changes, returns), -0.68, -0.45, 'its correlation with the index');
      const after = (holds: (move: number) => boolean) => mean(changes.filter((_, i) => holds(returns[i] as number)));
      within(after((move) => move > 0.01), -0.055, -0.03, 'its mean change on days above 1 %');
      within(after((move) => move < -0.01), 0.04, 0.08, 'its mean change on days below -1 %');
    });
  }
}

for (const seed of SEEDS) {
  test(`exchange hours, seed ${seed}: a good third of the variance of an index is the night's`, () => {
    const { gaps, sessions } = daysOf('exchange', seed);
    const night = deviation(gaps) ** 2;
    within(night / (night + deviation(sessions) ** 2), 0.31, 0.45, 'the share of the night');
  });
}

test('prices stay within reach of the reference for decades', () => {
  for (const regime of ['always', 'exchange'] as const) {
    for (const seed of SEEDS) {
      const { source } = freshRoster(regime, seed).get(NIFTY).terms;
      for (let day = civil(2020, 1, 1); day < civil(2109, 1, 1); day = (day + 97) as IstDay) {
        within(source.at(day, CLOSE), 300_000, 20_000_000, `${regime} ${seed}: the index on day ${day}`);
      }
    }
  }
});
