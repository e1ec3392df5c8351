import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import { type InstrumentId, instrumentId, type Tick } from '../../../src/base/ids.ts';
import type { Price, Quantity } from '../../../src/base/money.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import type { MarketData, Print } from '../../../src/core/market.ts';
import { reopeningAuction } from '../../../src/core/phase-of.ts';
import { ExchangeMonth } from '../month/exchange-month.ts';
import { LivedDay } from '../month/lived-day.ts';

/**
 * The auction that ends a halt of the whole market, on the real instruments: NIFTY stands 10.5 % lower for some seconds
 * at 10:00, so the market is halted to 11:00 and orders are matched at 10:53.
 */

const month = new ExchangeMonth(20_261_120);
const DATE = '2026-11-20';
const NIFTY = instrumentId('NSE', 26_000);
const FALLS_AT = '10:00:00';
const FALLS_FOR = 5;

/** A share that is 3 % below its open when orders are matched. */
const FALLEN = 'KFINTECH-EQ';

function fallen(): MarketData {
  const { market } = month;
  const from = new LivedDay(month, DATE, FALLS_AT).tickAt(FALLS_AT);
  const lastPrint = (id: InstrumentId, tick: Tick): Print => {
    const print = market.lastPrint(id, tick);
    if (id !== NIFTY || tick < from || tick >= from + FALLS_FOR) return print;
    return { ...print, price: Math.round(market.previousClose(id, tick) * 0.895) as Price };
  };
  return new Proxy(market, {
    get: (_, name) => {
      if (name === 'lastPrint') return lastPrint;
      if (name === 'reach') return () => undefined;
      const member: unknown = Reflect.get(market, name);
      return typeof member === 'function' ? member.bind(market) : member;
    },
  });
}

/** A day shortly before the fall, with the share and its price as its reopening is matched. */
async function begun(): Promise<{ day: LivedDay; share: Instrument; path: Price; open: Price }> {
  const day = new LivedDay(month, DATE, '09:59:00', fallen());
  await day.open();
  const share = must(
    month.listed('NSE', day.at('12:00:00')).find(({ tradingSymbol }) => tradingSymbol === FALLEN),
    'the share is listed',
  );
  const path = day.market.lastPrint(share.id, day.tickAt('10:53:00')).price;
  const open = must(day.market.dayFigures(share.id, day.tickAt('10:53:00')), 'it has traded').open;
  assert.ok(path < open * 0.975, `the price ${path} is far from the open ${open}`);
  return { day, share, path, open };
}

const isNear = (price: number, path: number, percent: number) => Math.abs(price - path) * 100 <= percent * path;

test('a reopening without users finds the price of the path, and an order at the market trades there', async () => {
  const { day, share, path } = await begun();
  day.passTo('10:46:00');
  await day.place(share, 'S', { priceType: 'MKT', quantity: (share.lot * 100) as Quantity });
  day.passTo('11:00:30');
  const matched = (await day.events()).find(({ type }) => type === 'AuctionMatched');
  assert.ok(matched?.type === 'AuctionMatched' && matched.result !== undefined);
  assert.ok(isNear(matched.result.price, path, 0.5), `${matched.result.price} near ${path}`);
});

test('a stop at the price of the open waits as trading goes on far below it', async () => {
  const { day, share, open } = await begun();
  const stop = await day.place(share, 'B', { priceType: 'SL-MKT', trigger: (open - 2_40) as Price });
  day.passTo('10:46:00');
  await day.place(share, 'S', { priceType: 'MKT', quantity: (share.lot * 100) as Quantity });
  day.passTo('11:00:30');
  assert.equal(day.order(stop.number).status, 'TriggerPending');
});

test('a large order at the market trades near the path in a reopening and after it', async () => {
  const { day, share, path } = await begun();
  day.passTo('10:46:00');
  const { number } = await day.place(share, 'B', { priceType: 'MKT', quantity: 20_000 as Quantity });
  day.passTo('11:00:30');
  const trades = (await day.events()).filter((event) => event.type === 'Traded' && event.buy?.order === number);
  assert.ok(trades.length > 0);
  for (const trade of trades) assert.ok(trade.type === 'Traded' && isNear(trade.price, path, 2), JSON.stringify(trade));
});

test('a halt ends with an auction on each day that opened with one, whatever its hours', () => {
  const phases = (['2026-11-20 10:00', '2025-10-21 13:50', '2026-11-08 18:10'] as const).map((instant) => {
    const [date = '', clock = ''] = instant.split(' ');
    const day = new LivedDay(month, date, clock);
    const share = must(month.shares(day.at(clock))[0], 'a share');
    const tick = day.tickAt(clock);
    assert.equal(day.market.phase(share.id, tick), 'Continuous', instant);
    const halts = { breaker: { stage: 10, until: (tick + 600) as Tick } } as const;
    return reopeningAuction(halts, tick, (at) => day.market.phase(share.id, at));
  });
  assert.deepEqual(phases, ['PreOpen', 'PreOpen', 'PreOpen']);
});

test('a halt ends without an auction for an option, which opened without one', () => {
  const day = new LivedDay(month, DATE, '10:00');
  const option = must(
    month.contracts(day.at('10:00')).find(({ kind }) => kind === 'option'),
    'an option',
  );
  const tick = day.tickAt('10:00');
  const halts = { breaker: { stage: 10, until: (tick + 600) as Tick } } as const;
  assert.equal(
    reopeningAuction(halts, tick, (at) => day.market.phase(option.id, at)),
    undefined,
  );
});
