/** Tests of strategies that live on behind the nearest expiry, over a market of one volatility. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InstrumentId, instrumentId, type Tick } from '../../base/ids.ts';
import { type Price, price, quantity } from '../../base/money.ts';
import { firstTickOf, instantOf } from '../../base/tick.ts';
import { DAY_MS, type EpochMs, type IstDay } from '../../base/time.ts';
import type { Option, OptionType } from '../../core/instrument.ts';
import type { MarketData } from '../../core/market.ts';
import { type StrategyLeg, strategyFigures } from './strategy.ts';

const TODAY = 20_700 as IstDay;
const TICK = firstTickOf(TODAY) as Tick;
const SPOT = 1_000_00;
const options = new Map<InstrumentId, Option>();

function optionOf(token: number, optionType: OptionType, strike: number, days: number): Option {
  const made: Option = {
    id: instrumentId('NFO', token),
    exchange: 'NFO',
    token,
    tradingSymbol: `X${token}`,
    symbol: 'X',
    companyName: 'X',
    lot: quantity(10),
    tick: price(5),
    freeze: quantity(0),
    underlying: instrumentId('NSE', 1),
    underlyingKind: 'equity',
    expiryDay: (TODAY + days) as IstDay,
    expiresAt: (instantOf(TICK) + days * DAY_MS) as EpochMs,
    listedOn: (TODAY - 30) as IstDay,
    cycle: 'monthly',
    kind: 'option',
    optionType,
    strike: price(strike),
  };
  options.set(made.id, made);
  return made;
}

/** A value that falls with the time that is left, smooth in the price: intrinsic value with a rounded corner. */
function worthOf({ strike, optionType, expiresAt }: Option, spot: number, days: number): number {
  const left = Math.max(0, (expiresAt - instantOf(TICK)) / DAY_MS - days);
  const inside = optionType === 'CE' ? spot - strike : strike - spot;
  return (inside + Math.sqrt(inside * inside + left * 4_000_000)) / 2;
}

const market = {
  greeks: () => ({ delta: 0.5, gamma: 0.25, theta: -2, vega: 3, rho: 1, volatility: 0.2 }),
  valuation: (id: InstrumentId) => (spot: number, days: number) => worthOf(options.get(id) as Option, spot, days),
} as unknown as MarketData;

function figures(legs: readonly StrategyLeg[]) {
  const work = strategyFigures(legs, { market, tick: TICK, spot: SPOT });
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

const leg = (instrument: Option, units: number, entry: number): StrategyLeg => ({
  instrument,
  units,
  entry: entry as Price,
});

test('the later leg of a calendar is valued by the model at the nearest expiry', () => {
  const [near, far] = [optionOf(1, 'CE', SPOT, 7), optionOf(2, 'CE', SPOT, 37)];
  const sold = 15_00;
  const bought = 40_00;
  const { payoff, points, greeks, netPremium } = figures([leg(near, -10, sold), leg(far, 10, bought)]);
  const naive = (at: number) => 10 * (worthOf(far, at, 7) - bought) - 10 * (Math.max(0, at - SPOT) - sold);
  let best = Number.NEGATIVE_INFINITY;
  const zeros: number[] = [];
  for (let at = 700_00; at < 1_300_00; at += 1) {
    best = Math.max(best, naive(at));
    if (naive(at) === 0 || naive(at) * naive(at + 1) < 0) zeros.push(at);
  }
  assert.equal(zeros.length, 2);
  for (const [place, zero] of zeros.entries()) {
    assert.ok(Math.abs((payoff.breakevens[place] as number) - zero) <= 1, 'a breakeven to the paisa');
  }
  assert.equal(Math.round(payoff.greatest as number), Math.round(best));
  assert.ok((payoff.least as number) >= -10 * (bought - sold) - 1 && (payoff.least as number) < 0);
  for (const { price, atExpiry, today } of points) {
    assert.equal(atExpiry, naive(price));
    const now = 10 * (worthOf(far, price, 0) - bought) - 10 * (worthOf(near, price, 0) - sold);
    assert.ok(Math.abs(today - now) < 1e-6);
  }
  assert.equal(netPremium, 10 * (sold - bought));
  assert.equal(greeks.delta, 0);
});

test('points hold the spot, every strike and every breakeven, ascending', () => {
  const [low, high] = [optionOf(3, 'CE', 990_00, 7), optionOf(4, 'CE', 1_010_00, 7)];
  const { points, payoff } = figures([leg(low, 10, 20_00), leg(high, -10, 9_00)]);
  const prices = points.map(({ price }) => price);
  assert.deepEqual(
    prices,
    [...new Set(prices)].sort((a, b) => a - b),
  );
  for (const price of [SPOT, 990_00, 1_010_00, ...payoff.breakevens]) assert.ok(prices.includes(price), `${price}`);
  assert.ok(points.length >= 60 && points.length <= 200, `${points.length} points`);
});

test('the greeks of a strategy are those of its units together', () => {
  const { greeks } = figures([leg(optionOf(5, 'CE', SPOT, 7), 30, 10_00), leg(optionOf(6, 'PE', SPOT, 7), -10, 10_00)]);
  assert.deepEqual(greeks, { delta: 10, gamma: 5, theta: -40, vega: 60 });
});
