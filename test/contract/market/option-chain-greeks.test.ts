import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { type InstrumentId, instrumentId } from '../../../src/base/ids.ts';
import type { Price } from '../../../src/base/money.ts';
import { dayOfCivil, type EpochMs, HOUR_MS, type IstDay, istInstant } from '../../../src/base/time.ts';
import type { Option } from '../../../src/core/instrument.ts';
import { formatExpiry } from '../../../src/gateway/fields/times.ts';
import { calendarHours } from '../../../src/market/session/sessions.ts';
import { SyntheticMarket } from '../../../src/market/synthetic/synthetic-market.ts';
import { loadReferenceData } from '../../../src/reference/instruments/load.ts';
import { contractOf } from '../../kit/wire/suite.ts';
import { assertFailure, assertSuccess, INTEGER, RUPEES } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

const MESSAGE = 'Option chain with Greeks retrieved successfully';
const REQUEST = { exchange: 'NFO', symbol: 'NIFTY', expiry: '29DEC26', count: '1', strikePrice: '24000' };
const FIGURE = /^-?\d+\.\d{4}$/;

contractOf({
  path: '/optionChainGreeks',
  message: MESSAGE,
  request: REQUEST,
  required: {
    exchange: ['BAD_REQUEST', 'Invalid exchange provided'],
    symbol: ['BAD_REQUEST', 'Symbol is required'],
    expiry: ['BAD_REQUEST', 'Invalid expiry format'],
    count: ['BAD_REQUEST', 'Count must be a valid positive number or ALL'],
    strikePrice: ['BAD_REQUEST', 'Strike Price is required when count is not ALL'],
  },
  fields: { exchange: 'text', symbol: 'text', expiry: 'text', count: 'number', strikePrice: 'number' },
  data: [
    {
      exchange: /^NFO$/,
      lotSize: INTEGER,
      optionType: /^(CE|PE)$/,
      parentToken: /^26000$/,
      pricePrecision: /^2$/,
      strikePrice: RUPEES,
      tickSize: RUPEES,
      token: INTEGER,
      tradingSymbol: /^NIFTY29DEC26[CP]\d+$/,
      lastTradedPrice: RUPEES,
      delta: FIGURE,
      gamma: /^\d+\.\d{8}$/,
      theta: FIGURE,
      vega: FIGURE,
      rho: FIGURE,
      iv: /^\d+\.\d{2}$/,
      oi: INTEGER,
    },
  ],
});

type Row = Readonly<Record<string, string>>;

async function rowsOf(world: World, change: object): Promise<readonly Row[]> {
  return assertSuccess(await world.call('/optionChainGreeks', ALICE, { ...REQUEST, ...change }), MESSAGE) as Row[];
}

test('optionChainGreeks gives every strike for ALL, and needs no central one then', async () => {
  const world = await openWorld();
  const { strikePrice: _centre, ...rest } = REQUEST;
  const seen = await world.call('/optionChainGreeks', ALICE, { ...rest, count: 'ALL' });
  const all = assertSuccess(seen, MESSAGE) as Row[];
  assert.equal(all.length, 14);
  assert.deepEqual(await rowsOf(world, { count: 'ALL', strikePrice: '' }), all);
  assert.deepEqual(await rowsOf(world, { count: 'ALL', strikePrice: '24000' }), all);
  assert.deepEqual(await rowsOf(world, {}), all.slice(6, 12));
  await world.close();
});

test('optionChainGreeks words each wrong value', async () => {
  const world = await openWorld();
  const wrong: [change: object, field: string, message?: string][] = [
    [{ count: '31' }, 'count', 'Count cannot exceed 30'],
    [{ count: 'all of them' }, 'count', 'Count must be a valid positive number or ALL'],
    [{ count: '0' }, 'count', 'Count must be a valid positive number or ALL'],
    [{ strikePrice: '0' }, 'strikePrice', 'Strike Price must be a valid positive number'],
    [{ count: 'ALL', strikePrice: 'x' }, 'strikePrice', 'Strike Price must be a valid positive number'],
    [{ expiry: '30DEC26' }, 'expiry'],
    [{ symbol: 'NOSUCH' }, 'symbol'],
  ];
  for (const [change, field, message] of wrong) {
    const seen = await world.call('/optionChainGreeks', ALICE, { ...REQUEST, ...change });
    assertFailure(seen, 400, 'BAD_REQUEST', field, message);
  }
  await world.close();
});

test('optionChainGreeks writes a negative figure that rounds to nothing as zero', async () => {
  const world = await openWorld();
  const [row] = await rowsOf(world, {});
  const { delta, gamma, theta, vega, rho, iv } = must(row, 'a row');
  assert.deepEqual([delta, gamma, theta, vega], ['0.0000', '0.00200000', '-12.5000', '8.3000']);
  assert.deepEqual([rho, iv], ['-0.1500', '14.25']);
  await world.close();
});

/* The model once more, from the formula alone and without a line of the service. */

const RATE = 0.07;

/** The area under the bell to the left of `x`, by Simpson's rule. */
function cumulative(x: number): number {
  const steps = 2_000;
  const width = x / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i += 1) {
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-((i * width) ** 2) / 2);
  }
  return 0.5 + (sum * width) / 3 / Math.sqrt(2 * Math.PI);
}

interface Inputs {
  readonly forward: number;
  readonly strike: number;
  readonly years: number;
  readonly volatility: number;
  readonly rate: number;
}

function naiveBlack(type: string, { forward, strike, years, volatility, rate }: Inputs): number {
  const width = volatility * Math.sqrt(years);
  const d1 = Math.log(forward / strike) / width + width / 2;
  const call = forward * cumulative(d1) - strike * cumulative(d1 - width);
  return Math.exp(-rate * years) * (type === 'CE' ? call : call - forward + strike);
}

/** The greeks of a unit in rupees by differences of values. */
function naiveGreeks(type: string, inputs: Inputs) {
  const value = (change: Partial<Inputs>) => naiveBlack(type, { ...inputs, ...change });
  const { forward, years, volatility, rate } = inputs;
  const step = forward * volatility * Math.sqrt(years) * 0.01;
  const [up, here, down] = [value({ forward: forward + step }), value({}), value({ forward: forward - step })];
  const moment = years * 1e-3;
  return {
    delta: (up - down) / (2 * step),
    gamma: (up - 2 * here + down) / step ** 2,
    theta: (value({ years: years - moment }) - value({ years: years + moment })) / (2 * moment) / 365,
    vega: (value({ volatility: volatility + 1e-4 }) - value({ volatility: volatility - 1e-4 })) / 2e-4 / 100,
    rho: (value({ rate: rate + 1e-4 }) - value({ rate: rate - 1e-4 })) / 2e-4 / 100,
  };
}

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const calendar = calendarHours(data);
/** Friday, 20 November 2026, 13:00 IST. */
const LUNCH = istInstant(must(dayOfCivil(2026, 11, 20), 'a date'), 13 * HOUR_MS);

function realMarket(regime: 'always' | 'exchange') {
  const instruments = data.master({ closeOf: (id, day, asOf) => closeOf(id, day, asOf) });
  const market = new SyntheticMarket({ seed: 3, regime, instruments, facts: data.facts, calendar });
  const closeOf = (id: InstrumentId, day: IstDay, asOf: IstDay): Price => market.closeOn(id, day, asOf);
  return { instruments, market };
}

function near(found: string, expected: number, share: number, least: number, what: string): void {
  const allowed = Math.max(Math.abs(expected) * share, least);
  assert.ok(Math.abs(Number(found) - expected) <= allowed, `${what}: ${found} for ${expected}`);
}

for (const regime of ['always', 'exchange'] as const) {
  test(`optionChainGreeks agrees with Black's formula and its differences, and with the quotes, in ${regime} hours`, async () => {
    const { market, instruments } = realMarket(regime);
    const world = await openWorld({ market, instruments });
    world.now = LUNCH as EpochMs;
    const user = await world.logIn(ALICE);
    const tick = market.tickAt(LUNCH);
    for (const [symbol, underlying] of [
      ['NIFTY', instrumentId('NSE', 26_000)],
      ['RELIANCE', instrumentId('NSE', 2885)],
    ] as const) {
      const spot = market.lastPrint(underlying, tick).price;
      for (const expiry of instruments.expiries(underlying, LUNCH).slice(0, 2)) {
        const strikePrice = (spot / 100).toFixed(2);
        const request = { exchange: 'NFO', symbol, expiry: formatExpiry(expiry), count: '5', strikePrice };
        const seen = await world.call('/optionChainGreeks', user, request);
        const rows = assertSuccess(seen, MESSAGE) as Row[];
        assert.equal(rows.length, 22, `${symbol} ${expiry}`);
        for (const row of rows) {
          const { tradingSymbol = '', optionType = '', delta = '', gamma = '', theta = '', vega = '', rho = '' } = row;
          const option = must(instruments.find('NFO', tradingSymbol, LUNCH), tradingSymbol) as Option;
          const inputs: Inputs = {
            forward: market.risk(option.id, tick).forward / 100,
            strike: option.strike / 100,
            years: (option.expiresAt - LUNCH) / (365 * 86_400_000),
            volatility: Number(row.iv) / 100,
            rate: RATE,
          };
          const naive = naiveGreeks(optionType, inputs);
          // The volatility has two decimals, so figures are right to a part of it.
          near(delta, naive.delta, 0.002, 0.002, `delta of ${tradingSymbol}`);
          near(gamma, naive.gamma, 0.005, 2e-6, `gamma of ${tradingSymbol}`);
          near(theta, naive.theta, 0.005, 0.02, `theta of ${tradingSymbol}`);
          near(vega, naive.vega, 0.005, 0.01, `vega of ${tradingSymbol}`);
          near(rho, naive.rho, 0.01, 0.005, `rho of ${tradingSymbol}`);
          const { bids, asks } = market.depth(option.id, tick);
          // Nobody bids for an option that is worth less than a tick.
          const [bid, ask] = [(bids[0]?.price ?? 0) / 100, must(asks[0], 'an ask').price / 100];
          const value = naiveBlack(optionType, inputs);
          const strayed = 0.3 + Math.abs(naive.delta) * inputs.forward * 5e-5 + Number(vega) * 0.01;
          assert.ok(value > bid - strayed && value < ask + strayed, `${tradingSymbol}: ${value} in ${bid} to ${ask}`);
          assert.equal(row.oi, String(market.openInterest(option.id, tick)));
        }
      }
    }
    await world.close();
  });
}
