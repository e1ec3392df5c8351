import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../base/assert.ts';
import { tickOf } from '../../../base/tick.ts';
import { type IstDay, istInstant, MINUTE_MS, weekday } from '../../../base/time.ts';
import { MINUTES_IN_DAY } from '../../day-tape.ts';
import { black76 } from '../../options/black76.ts';
import { inCalendarTime, smileVolatility, yearsToExpiry } from '../../options/smile.ts';
import { Carry } from '../contracts/carry.ts';
import { Forward, FutureSource, OptionSource } from '../contracts/contract-source.ts';
import { civil, EXPIRY, freshMarket, freshRoster, NIFTY, OPTIONS } from '../fixture.ts';
import { activityProfile, dayVariance } from '../trades/profile.ts';
import { emptyLine, valueAt } from './line.ts';
import { MeanClock } from './mean-clock.ts';

const REGIMES = ['always', 'exchange'] as const;
const MONDAY = civil(2026, 9, 14);
const FIRST = civil(2023, 1, 2);
const DAYS = 900;
const EXPIRES = 940;
const CARRY = new Carry(1);

test('the clock passes as the variance of the days and minutes does, a year of it in 365 days', () => {
  for (const regime of REGIMES) {
    const clock = new MeanClock(regime, 'market');
    const profile = activityProfile(regime, 'market');
    let week = 0;
    for (let weekdayNumber = 0; weekdayNumber < 7; weekdayNumber += 1) week += dayVariance(regime, weekdayNumber);
    const year = (week * 365) / 7;
    assert.ok(Math.abs(clock.yearFactor - Math.sqrt(year / 252)) < 1e-12);
    for (let day = MONDAY; day < MONDAY + 15; day = (day + 1) as IstDay) {
      const variance = dayVariance(regime, weekday(day));
      for (const minute of [0, 300, 555, 700, 929, 930, 1_439]) {
        const passed = clock.at(day, minute + 1) - clock.at(day, minute);
        const share = must(profile[minute + 1], 'a share') - must(profile[minute], 'a share');
        assert.ok(Math.abs(passed * year - variance * share) < 1e-9, `${regime} ${day} ${minute}`);
        const half = clock.at(day, minute + 0.5) - clock.at(day, minute);
        assert.ok(Math.abs(2 * half - passed) < 1e-11);
      }
      assert.ok(Math.abs(clock.at(day, MINUTES_IN_DAY) - clock.at((day + 1) as IstDay, 0)) < 1e-11);
    }
    const weeks = 52;
    const years = clock.at((MONDAY + 7 * weeks) as IstDay, 600) - clock.at(MONDAY, 600);
    assert.ok(Math.abs(years - (7 * weeks) / 365) < 1e-10);
  }
});

test('a buyer who holds the straddle at the money through its last day gets about the price paid, bought at any time of the day', () => {
  for (const regime of REGIMES) {
    for (const minute of [560, 720, 870]) {
      let [paid, got] = [0, 0];
      for (const seed of [1, 2, 3, 4]) {
        const roster = freshRoster(regime, seed);
        const { source: spot } = roster.get(NIFTY).terms;
        const atm = roster.get(NIFTY).atm;
        for (let day = FIRST; day < FIRST + DAYS; day = (day + 1) as IstDay) {
          if (weekday(day) === 0 || weekday(day) === 6) continue;
          const expiresAt = istInstant(day, EXPIRES * MINUTE_MS);
          const clock = new MeanClock(regime, 'market');
          const forward = new Forward({
            spot,
            expiresAt,
            tick: 5,
            seed,
            settledFrom: MINUTES_IN_DAY,
            clock,
            carry: CARRY,
          });
          const strike = spot.at(day, minute);
          for (const type of ['CE', 'PE'] as const)
            paid += new OptionSource({ type, strike }, forward, atm).at(day, minute);
          got += Math.abs(spot.at(day, EXPIRES) - strike);
        }
      }
      // The shares of this small index make it move a fifth more than its own fact says.
      const ratio = got / paid;
      assert.ok(ratio > 0.95 && ratio < 1.25, `${regime} from minute ${minute}: ${ratio}`);
    }
  }
});

test('at expiry an option is worth its intrinsic value', () => {
  for (const regime of REGIMES) {
    const roster = freshRoster(regime, 5);
    const { source: spot } = roster.get(NIFTY).terms;
    const atm = roster.get(NIFTY).atm;
    const terms = { spot, tick: 5, seed: 1, settledFrom: 928, clock: new MeanClock(regime, 'market'), carry: CARRY };
    const forward = new Forward({ ...terms, expiresAt: istInstant(EXPIRY, EXPIRES * MINUTE_MS) });
    for (const minute of [928, 935, 940]) {
      for (const away of [-10_000, 10_000]) {
        const strike = spot.at(EXPIRY, 928) + away;
        const call = new OptionSource({ type: 'CE', strike }, forward, atm);
        const inside = away < 0 ? -away : 0;
        assert.ok(Math.abs(call.at(EXPIRY, minute) - inside) < 60, `${regime} ${minute}`);
        assert.equal(call.delta(EXPIRY, minute), away < 0 ? 1 : 0);
      }
    }
  }
});

test('through its last minute an option that ends worthless is never below nothing, and call and put keep parity', () => {
  const roster = freshRoster('always', 5);
  const { source: spot } = roster.get(NIFTY).terms;
  const atm = roster.get(NIFTY).atm;
  const clock = new MeanClock('always', 'market');
  const [call, put, future] = [emptyLine(), emptyLine(), emptyLine()];
  for (let day = MONDAY; day < MONDAY + 40; day = (day + 1) as IstDay) {
    const expiresAt = istInstant(day, EXPIRES * MINUTE_MS);
    const forward = new Forward({
      spot,
      expiresAt,
      tick: 5,
      seed: 1,
      settledFrom: MINUTES_IN_DAY,
      clock,
      carry: CARRY,
    });
    const strike = Math.round(spot.at(day, EXPIRES - 1) / 1_000) * 1_000;
    new OptionSource({ type: 'CE', strike }, forward, atm).fill(day, EXPIRES - 1, call);
    new OptionSource({ type: 'PE', strike }, forward, atm).fill(day, EXPIRES - 1, put);
    new FutureSource(forward).fill(day, EXPIRES - 1, future);
    for (let second = 0; second < 60; second += 1) {
      const [c, p, f] = [valueAt(call, second), valueAt(put, second), valueAt(future, second)];
      assert.ok(Math.abs(c - p - (f - strike)) < 1, `${day} ${second}: ${c} less ${p} for ${f} less ${strike}`);
      for (const line of [call, put]) {
        const endsWorthless = line.value + 60 * line.slope < 0.001;
        assert.ok(!endsWorthless || valueAt(line, second) > -0.001, `${day} ${second}: ${valueAt(line, second)}`);
      }
    }
  }
});

test('the model of margins prices an option as the market does, and a day later with the variance that is left then', () => {
  for (const regime of REGIMES) {
    const market = freshMarket(regime);
    const roster = freshRoster(regime, 20_260_821);
    const call = roster.get(must(OPTIONS[4], 'a call'));
    const { instrument } = call;
    assert.ok(instrument.kind === 'option');
    const day = (EXPIRY - 6) as IstDay;
    for (const second of [34_000, 43_215, 55_000]) {
      const tick = tickOf(day, second);
      const { value, spot, reprice } = market.risk(call.id, tick);
      const { bids, asks } = market.depth(call.id, tick);
      const [bid, ask] = [bids[0]?.price ?? 0, must(asks[0], 'an ask').price];
      const about = `${regime} ${second}: ${value} in ${bid} to ${ask}`;
      assert.ok(value > 0.97 * bid - 5 && value < 1.03 * ask + 5, about);
      const years = yearsToExpiry(istInstant(day, second * 1_000), instrument.expiresAt);
      const varianceYears = must(call.terms.varianceYears, 'of a contract');
      const carryFactor = must(call.terms.carryFactor, 'of a contract');
      const atm = roster.get(NIFTY).atm(day, Math.floor(second / 60));
      const forward = spot * carryFactor(day, second / 60, years);
      const volatility = smileVolatility(atm, instrument.strike, forward, varianceYears(day, second / 60));
      const rest = years - 1 / 365;
      const terms = { type: instrument.optionType, strike: instrument.strike };
      const left = inCalendarTime(volatility, varianceYears((day + 1) as IstDay, second / 60), rest);
      const later = black76(terms, spot * carryFactor(day, second / 60, rest), rest, left);
      assert.ok(Math.abs(reprice(0, 0) - later) < 1e-6, `${regime} ${second}: ${reprice(0, 0)} for ${later}`);
    }
  }
});
