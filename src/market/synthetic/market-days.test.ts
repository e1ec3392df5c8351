import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import { type IstDay, weekday } from '../../base/time.ts';
import { civil, freshRoster, NIFTY, VIX } from './fixture.ts';

/** Seven years of days with fixed seeds: the measured values never differ, and no bound is near. */
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
  const seeds = SEEDS.map((seed) => daysOf(regime, seed));
  /** Over the seeds on average: one decade is not like another. */
  const over = (figure: (days: Days) => number) => mean(seeds.map(figure));
  const about = `${regime} hours, seeds ${SEEDS.join(', ')}`;

  test(`${about}: days have fat tails, lean to falls, and cluster`, () => {
    const sizes = (days: Days) => days.returns.map(Math.abs);
    within(
      over(({ returns }) => moment(returns, 4)),
      4.5,
      14,
      'the kurtosis of daily returns',
    );
    within(
      over(({ returns }) => moment(returns, 3)),
      -1.1,
      -0.2,
      'their skew',
    );
    within(
      over((days) => memory(sizes(days), 1)),
      0.13,
      0.3,
      'the memory of their size over a day',
    );
    within(
      over((days) => memory(sizes(days), 20)),
      0,
      0.16,
      'the memory of their size over 20 days',
    );
    within(
      over(({ returns }) => memory(returns, 1)),
      -0.06,
      0.06,
      'the memory of returns',
    );
  });

  test(`${about}: a fall makes the days after it wilder`, () => {
    const leverage = over(({ returns }) => correlation(returns.slice(0, -5), sizeOfNextFive(returns)));
    within(leverage, -0.2, -0.11, 'the leverage effect');
  });

  test(`${about}: the volatility index spikes when the market falls`, () => {
    within(
      over(({ changes }) => moment(changes, 4)),
      6,
      25,
      'the kurtosis of its daily change',
    );
    within(
      over(({ changes }) => moment(changes, 3)),
      0.3,
      2,
      'its skew',
    );
    within(
      over(({ changes }) => deviation(changes)),
      0.047,
      0.062,
      'its deviation',
    );
    within(
      over(({ levels }) => deviation(levels)),
      0.2,
      0.33,
      'the deviation of its logarithm',
    );
    within(
      over(({ levels }) => memory(levels, 20)),
      0.58,
      0.83,
      'its memory over 20 days',
    );
    within(
      over(({ changes, returns }) => correlation(changes, returns)),
      -0.64,
      -0.47,
      'its correlation with the index',
    );
    const after = (holds: (move: number) => boolean) =>
      over(({ changes, returns }) => mean(changes.filter((_, i) => holds(returns[i] as number))));
    within(
      after((move) => move > 0.01),
      -0.053,
      -0.033,
      'its mean change on days above 1 %',
    );
    within(
      after((move) => move < -0.01),
      0.045,
      0.075,
      'its mean change on days below -1 %',
    );
  });

  if (regime === 'always') continue;
  test(`${about}: a third of the variance of an index is the night's`, () => {
    const share = over(({ gaps, sessions }) => {
      const night = deviation(gaps) ** 2;
      return night / (night + deviation(sessions) ** 2);
    });
    // The eight shares of this small index have more paths of their own than the fifty of NIFTY, whose share is 0.36.
    within(share, 0.28, 0.4, 'the share of the night');
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
