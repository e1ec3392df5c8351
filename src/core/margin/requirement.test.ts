import assert from 'node:assert/strict';
import test from 'node:test';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import { amountOf, type Paise, price, quantity, ZERO_PRICE } from '../../base/money.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import type { Derivative, Equity, Instrument, OptionType } from '../instrument.ts';
import type { Market, RiskFigures } from '../market.ts';
import type { Product, Side } from '../order.ts';
import type { Desk } from '../ports.ts';
import { addFill, addOpen, emptyPosition, positionFacts } from '../position.ts';
import type { Position } from '../state.ts';
import { priceScanRange, volatilityScanRange } from './contract-risk.ts';
import { requirement } from './requirement.ts';

/** The house parameters of market-rules 4.3: S 24000, r 7 %, 30 days, volatility 12 % (so the scan range is its floor, 2232). */
const SPOT = 24_000;
const RATE = 0.07;
const TODAY = 20_000;
const LOT = 65;

const NIFTY = 1 as InstrumentId;
const FUTURE = contract(2, { kind: 'future' });
const CALL = contract(3, { kind: 'option', strike: price(24_000_00), optionType: 'CE' });
const PUT = contract(4, { kind: 'option', strike: price(23_500_00), optionType: 'PE' });
const SHARE: Equity = {
  ...base(5, 'RELIANCE-EQ'),
  kind: 'equity',
  isin: 'INE002A01018',
  series: 'EQ',
  tradeForTrade: false,
  hasDerivatives: true,
};
const LISTED: readonly Instrument[] = [FUTURE, CALL, PUT, SHARE];

function base(id: number, tradingSymbol: string) {
  return {
    id: id as InstrumentId,
    exchange: 'NFO' as const,
    token: id,
    tradingSymbol,
    symbol: tradingSymbol,
    companyName: tradingSymbol,
    lot: quantity(1),
    tick: price(5),
    freeze: quantity(0),
  };
}

type Terms = { kind: 'future' } | { kind: 'option'; strike: ReturnType<typeof price>; optionType: OptionType };

function contract(id: number, terms: Terms): Derivative {
  return {
    ...base(id, `NIFTY${id}`),
    underlying: NIFTY,
    underlyingKind: 'index',
    expiryDay: (TODAY + 30) as IstDay,
    expiresAt: 0 as EpochMs,
    listedOn: 0 as IstDay,
    cycle: 'monthly',
    ...terms,
  };
}

/** The normal distribution by Simpson's rule: slow and plain. */
function normal(x: number): number {
  const steps = 400;
  const width = x / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i += 1) {
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-((i * width) ** 2) / 2);
  }
  return 0.5 + (sum * width) / 3 / Math.sqrt(2 * Math.PI);
}

function blackScholes(type: OptionType, spot: number, strike: number, years: number, volatility: number): number {
  const width = volatility * Math.sqrt(years);
  const d1 = (Math.log(spot / strike) + (RATE + (volatility * volatility) / 2) * years) / width;
  const discounted = strike * Math.exp(-RATE * years);
  const call = spot * normal(d1) - discounted * normal(d1 - width);
  return type === 'CE' ? call : call - spot + discounted;
}

function riskOf(id: InstrumentId): RiskFigures {
  const figures = { spot: price(SPOT * 100), volatility: 0.12 };
  if (id === FUTURE.id) {
    const now = 24_138_50;
    return { ...figures, price: price(now), reprice: (move) => now + SPOT * 100 * move };
  }
  if (id === SHARE.id) {
    return { ...figures, price: price(1_260_00), spot: price(1_260_00), reprice: (move) => 1_260_00 * (1 + move) };
  }
  const [type, strike, volatility, now] =
    id === CALL.id ? (['CE', 24_000, 0.13, 428_85] as const) : (['PE', 23_500, 0.14, 143_30] as const);
  return {
    ...figures,
    price: price(now),
    reprice: (move, volatilityMove) => {
      const isNow = move === 0 && volatilityMove === 0;
      return 100 * blackScholes(type, SPOT * (1 + move), strike, (isNow ? 30 : 29) / 365, volatility + volatilityMove);
    },
  };
}

const market: Market = {
  tickAt: () => 0 as Tick,
  isOpen: () => true,
  depth: () => ({ bids: [], asks: [] }),
  quantityAt: () => quantity(0),
  print: () => undefined,
  lastPrint: () => ({ tick: 0 as Tick, price: ZERO_PRICE, quantity: quantity(0), aggressor: 'B' }),
  previousClose: () => ZERO_PRICE,
  band: () => ({ lower: price(0), upper: price(10 ** 9) }),
  risk: riskOf,
};
const desk: Desk = {
  instruments: { get: (id) => LISTED.find((instrument) => instrument.id === id) },
  market,
  tick: (TODAY * 86_400) as Tick,
};

type Fills = readonly (readonly [Side, units: number, at: number])[];

function row(instrument: Instrument, product: Product, fills: Fills, open: Fills = []): Position {
  const made = emptyPosition(positionFacts(instrument), product);
  for (const [side, units, at] of fills) addFill(made, side, quantity(units), amountOf(price(at), quantity(units)));
  for (const [side, units, at] of open) addOpen(made, side, units, units * at);
  return made;
}

function marginOf(...rows: Position[]) {
  const legs = new Map<InstrumentId, Position[]>();
  for (const one of rows) legs.set(one.instrument, [...(legs.get(one.instrument) ?? []), one]);
  const parts = requirement(desk, legs);
  assert.deepEqual(requirement(desk, undefined, rows), parts, 'a wish is measured as the books are');
  return parts;
}

function near(actual: Paise, rupees: number): void {
  assert.ok(Math.abs(actual - rupees * 100) <= 5, `${actual / 100} is not ${rupees}`);
}

test('scan ranges follow volatility down to their floors', () => {
  assert.equal(priceScanRange(0.12, 0.093), 0.093);
  assert.equal(priceScanRange(0.2, 0.093).toFixed(4), '0.1069');
  assert.equal(priceScanRange(0.28, 0.142).toFixed(5), '0.14967');
  assert.equal(priceScanRange(0.4, 0.142).toFixed(5), '0.21381');
  assert.deepEqual(
    [volatilityScanRange(0.12, 0.04), volatilityScanRange(0.28, 0.1), volatilityScanRange(0.5, 0.1)],
    [0.04, 0.1, 0.125],
  );
});

test('a future blocks the SPAN and the exposure of the worked table, long as short', () => {
  for (const side of ['B', 'S'] as const) {
    const parts = marginOf(row(FUTURE, 'M', [[side, LOT, 24_138_50]]));
    near(parts.span, 145_080);
    near(parts.exposure, 31_380.05);
    assert.equal(parts.premium, 0);
  }
});

test('a short call blocks what the worked table says, and a long one nothing but its premium', () => {
  const short = marginOf(row(CALL, 'M', [['S', LOT, 428_85]]));
  near(short.span, 154_443.71);
  near(short.exposure, 31_200);
  assert.deepEqual(marginOf(row(CALL, 'M', [['B', LOT, 428_85]])), { span: 0, exposure: 0, premium: 0, cash: 0 });
  const resting = marginOf(row(CALL, 'M', [], [['B', LOT, 428_85]]));
  assert.deepEqual(resting, { span: 0, exposure: 0, premium: 27_875_25, cash: 0 });
});

test('contracts are not netted against each other, products of one contract are', () => {
  const apart = marginOf(row(CALL, 'M', [['S', LOT, 428_85]]), row(PUT, 'M', [['B', LOT, 143_30]]));
  near(apart.span, 154_443.71);
  const flat = marginOf(row(FUTURE, 'M', [['B', LOT, 24_138_50]]), row(FUTURE, 'I', [['S', LOT, 24_138_50]]));
  assert.deepEqual(flat, { span: 0, exposure: 0, premium: 0, cash: 0 });
});

test('closing orders need nothing, and a second closing order is margined as the short that it opens', () => {
  const held = row(FUTURE, 'M', [['B', LOT, 24_138_50]]);
  const alone = marginOf(held);
  const closing = marginOf(row(FUTURE, 'M', [['B', LOT, 24_138_50]], [['S', LOT, 24_000_00]]));
  assert.deepEqual(closing, alone);
  const twice = row(FUTURE, 'M', [['B', LOT, 24_138_50]], [['S', 3 * LOT, 24_000_00]]);
  near(marginOf(twice).span, 2 * 145_080);
  const bought = marginOf(row(CALL, 'M', [['S', LOT, 428_85]], [['B', 2 * LOT, 400_00]]));
  assert.equal(bought.premium, LOT * 400_00);
});

test('shares: the full value of delivery buys, a fifth of intraday, the larger of its two worlds', () => {
  assert.equal(marginOf(row(SHARE, 'C', [], [['B', 100, 1_260_00]])).cash, 126_000_00);
  assert.equal(marginOf(row(SHARE, 'C', [], [['S', 100, 1_260_00]])).cash, 0);
  assert.equal(marginOf(row(SHARE, 'I', [], [['B', 100, 1_260_00]])).cash, 25_200_00);
  assert.equal(marginOf(row(SHARE, 'M', [['B', 100, 1_260_00]])).cash, 25_200_00);
  assert.equal(marginOf(row(SHARE, 'I', [], [['S', 100, 1_266_30]])).cash, 25_326_00);
  assert.equal(marginOf(row(SHARE, 'I', [], [['S', 100, 1_200_00]])).cash, 25_200_00);
  assert.equal(marginOf(row(SHARE, 'I', [['B', 100, 1_260_00]], [['S', 100, 1_300_00]])).cash, 25_200_00);
  assert.equal(marginOf(row(SHARE, 'I', [['B', 100, 1_260_00]], [['S', 300, 1_300_00]])).cash, 52_000_00);
  assert.equal(marginOf(row(SHARE, 'I', [['S', 100, 1_260_00]], [['B', 40, 1_250_00]])).cash, 25_200_00);
});

test('an expired contract blocks nothing', () => {
  const later: Desk = { ...desk, market: { ...market }, tick: ((TODAY + 31) * 86_400) as Tick };
  const rows = [row(FUTURE, 'M', [['B', LOT, 24_138_50]])];
  assert.deepEqual(requirement(later, new Map([[FUTURE.id, rows]])), { span: 0, exposure: 0, premium: 0, cash: 0 });
});
