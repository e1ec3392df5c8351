import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../base/assert.ts';
import type { HoursRegime } from '../../../base/market/hours-regime.ts';
import { type IstDay, istInstant, MINUTE_MS } from '../../../base/time.ts';
import { MINUTES_IN_DAY } from '../../day-tape.ts';
import { civil, freshRoster, NIFTY } from '../fixture.ts';
import { emptyLine, type Line, type Source, valueAt } from '../paths/line.ts';
import { MeanClock } from '../paths/mean-clock.ts';
import { Carry } from './carry.ts';
import { Forward, FutureSource, OptionSource } from './contract-source.ts';

const REGIMES = ['always', 'exchange'] as const;
const FIRST = civil(2026, 9, 14);
const SECONDS = 60;
const EXPIRES = 940;
const WIDTH = 5_000;
/** Strikes around the spot, in widths. */
const AWAY = [-6, -3, -2, -1, 0, 1, 2, 3, 6];
/** Farther from the money than one minute can go, in paise. */
const FAR = 9_000;
/** The rounding error that sums of prices may leave, in paise. */
const ROUNDING = 1e-6;

interface Chain {
  readonly spot: Source;
  readonly future: FutureSource;
  readonly strikes: readonly number[];
  readonly calls: readonly OptionSource[];
  readonly puts: readonly OptionSource[];
}

/** A chain that expires on a day, with strikes around the spot at a minute; it settles by the spot at `settledFrom`. */
function chainOf(regime: HoursRegime, seed: number, day: IstDay, minute: number, settledFrom: number): Chain {
  const roster = freshRoster(regime, seed);
  const { source: spot } = roster.get(NIFTY).terms;
  const atm = roster.get(NIFTY).atm;
  const expiresAt = istInstant(day, EXPIRES * MINUTE_MS);
  const clock = new MeanClock(regime, 'market');
  const forward = new Forward({ spot, expiresAt, tick: 5, seed, settledFrom, clock, carry: new Carry(seed) });
  const middle = Math.round(spot.at(day, minute) / WIDTH) * WIDTH;
  const strikes = AWAY.map((away) => middle + away * WIDTH);
  const optionsOf = (type: 'CE' | 'PE') => strikes.map((strike) => new OptionSource({ type, strike }, forward, atm));
  return { spot, future: new FutureSource(forward), strikes, calls: optionsOf('CE'), puts: optionsOf('PE') };
}

function lineOf(source: Source, day: IstDay, minute: number): Line {
  const line = emptyLine();
  source.fill(day, minute, line);
  return line;
}

/** Fails where two or three strikes give a gain without risk. `values` by strike, of calls. */
function assertSound(strikes: readonly number[], values: readonly number[], about: string): void {
  const of = (list: readonly number[], i: number) => must(list[i], 'a strike');
  for (let i = 1; i < strikes.length; i += 1) {
    const width = of(strikes, i) - of(strikes, i - 1);
    const spread = of(values, i - 1) - of(values, i);
    assert.ok(spread >= -ROUNDING && spread <= width + ROUNDING, `${about}: a spread of ${width} costs ${spread}`);
    if (i + 1 === strikes.length) continue;
    const next = of(strikes, i + 1) - of(strikes, i);
    const wings = (next * of(values, i - 1) + width * of(values, i + 1)) / (width + next);
    assert.ok(wings >= of(values, i) - ROUNDING, `${about}: the wings are worth ${wings}, the middle ${of(values, i)}`);
  }
}

test('at each second of the last minutes strikes, calls and puts leave no gain without risk', () => {
  for (const regime of REGIMES) {
    for (const settledFrom of [928, MINUTES_IN_DAY]) {
      const end = Math.min(settledFrom, EXPIRES);
      for (let day = FIRST; day < FIRST + 12; day = (day + 1) as IstDay) {
        for (const minute of [end - 30, end - 29, end - 3, end - 2, end - 1]) {
          const chain = chainOf(regime, 3, day, minute, settledFrom);
          const future = lineOf(chain.future, day, minute);
          const calls = chain.calls.map((call) => lineOf(call, day, minute));
          const puts = chain.puts.map((put) => lineOf(put, day, minute));
          for (let second = 0; second < SECONDS; second += 1) {
            const about = `${regime} hours, day ${day}, ${minute}:${second}`;
            const values = calls.map((line) => valueAt(line, second));
            assertSound(chain.strikes, values, about);
            for (const [i, call] of values.entries()) {
              const put = valueAt(must(puts[i], 'a put'), second);
              assert.ok(call >= 0 && put >= 0, about);
              const ahead = valueAt(future, second) - must(chain.strikes[i], 'a strike');
              assert.ok(
                Math.abs(call - put - ahead) < 0.01 + 1e-5 * Math.abs(ahead),
                `${about}: ${call - put} for ${ahead}`,
              );
            }
          }
        }
      }
    }
  }
});

test('within a minute an option follows its underlying by the delta of the start, however the minute ends', () => {
  for (const regime of REGIMES) {
    for (let day = FIRST; day < FIRST + 5; day = (day + 1) as IstDay) {
      for (const minute of [600, 750, EXPIRES - 40]) {
        const { spot, calls, puts } = chainOf(regime, 3, day, minute, MINUTES_IN_DAY);
        const walk = walkOf(lineOf(spot, day, minute));
        for (const option of [...calls, ...puts]) {
          const delta = option.delta(day, minute);
          const found = walkOf(lineOf(option, day, minute));
          for (const [second, move] of found.entries()) {
            assert.ok(
              Math.abs(move - delta * must(walk[second], 'a second')) < 1e-6,
              `${regime} ${day} ${minute}:${second}`,
            );
          }
        }
      }
    }
  }
});

/** How far a line is from the straight one at each second. */
function walkOf(line: Line): number[] {
  return Array.from({ length: SECONDS }, (_, second) => valueAt(line, second) - line.value - line.slope * second);
}

test('in the last minute an option deep in the money follows the forward, and one far out is worth nothing, however the minute ends', () => {
  for (const regime of REGIMES) {
    let looked = 0;
    for (let day = FIRST; day < FIRST + 20; day = (day + 1) as IstDay) {
      const minute = EXPIRES - 1;
      const { future, strikes, calls } = chainOf(regime, 4, day, minute, MINUTES_IN_DAY);
      const forward = lineOf(future, day, minute);
      for (const [i, call] of calls.entries()) {
        const line = lineOf(call, day, minute);
        for (let second = 0; second < SECONDS; second += 1) {
          const ahead = valueAt(forward, second) - must(strikes[i], 'a strike');
          if (Math.abs(ahead) < FAR) continue;
          looked += 1;
          const value = valueAt(line, second);
          assert.ok(Math.abs(value - Math.max(ahead, 0)) < 1, `${regime} ${day}:${second}: ${value} with ${ahead}`);
        }
      }
    }
    assert.ok(looked > 1_000, `${looked}`);
  }
});
