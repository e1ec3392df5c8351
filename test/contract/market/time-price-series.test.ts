import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EpochMs, type IstDay, istDay, parseIsoDay } from '../../../src/base/time.ts';
import type { MarketData } from '../../../src/core/market.ts';
import { FUTURE } from '../../kit/wire/fake-instruments.ts';
import { fakeMarket } from '../../kit/wire/fake-market.ts';
import { contractOf, missingFields } from '../../kit/wire/suite.ts';
import { assertFailure, assertShape, assertSuccess, type Matcher, T1, T4 } from '../../kit/wire/wire-checks.ts';
import { ALICE, openWorld, type World } from '../../kit/wire/world.ts';

const PATH = '/timePriceSeries';
const MESSAGE = 'Successfully fetched charts data';
const REQUEST = {
  exchange: 'NSE',
  tradingSymbol: 'RELIANCE-EQ',
  startTime: '09:15:00 20-11-2026',
  endTime: '09:20:00 20-11-2026',
  interval: '1mi',
};

/** Of a market whose share is listed late. */
const FIRST_DAY = parseIsoDay('2020-01-01') as IstDay;
const FUTURE_LISTED = parseIsoDay('2026-09-30') as IstDay;
const LISTED = parseIsoDay('2026-11-18') as IstDay;

function candles(time: RegExp): Matcher {
  const numbers = {
    open: 'number',
    high: 'number',
    low: 'number',
    close: 'number',
    volume: 'number',
    oi: 'number',
  } as const;
  return [{ time, epochTime: 'number', ...numbers }];
}

contractOf({
  path: PATH,
  message: MESSAGE,
  request: REQUEST,
  required: missingFields('exchange', 'tradingSymbol', 'startTime', 'endTime', 'interval'),
  fields: { exchange: 'text', tradingSymbol: 'text', startTime: 'text', endTime: 'text', interval: 'text' },
  data: candles(T4),
});

async function series(world: World, change: object): Promise<{ time: string; epochTime: number }[]> {
  const data = assertSuccess(await world.call(PATH, ALICE, { ...REQUEST, ...change }), MESSAGE);
  return data as { time: string; epochTime: number }[];
}

test('timePriceSeries takes bars whose start lies in the range, both ends included', async () => {
  const world = await openWorld();
  const bars = await series(world, {});
  assert.equal(bars.length, 6);
  assert.deepEqual([bars[0]?.time, bars[0]?.epochTime], ['2026-11-20T09:15:00', 1795146300]);
  assert.equal(bars[5]?.time, '2026-11-20T09:20:00');
  assert.deepEqual(await series(world, { startTime: '20-11-2026 09:15:00', endTime: '20-11-2026 09:20:00' }), bars);
  await world.close();
});

test('timePriceSeries takes daily bars by date, whatever the clock times, with the time of T1', async () => {
  const world = await openWorld();
  const daily = { interval: '1d', startTime: '09:15:00 18-11-2026', endTime: '09:15:00 20-11-2026' };
  const bars = await series(world, daily);
  assertShape(bars, candles(T1));
  assert.deepEqual(
    bars.map((bar) => bar.time),
    ['00:00:00 18-11-2026', '00:00:00 19-11-2026', '00:00:00 20-11-2026'],
  );
  assert.equal(bars[0]?.epochTime, 1794940200);
  const one = { interval: '1d', startTime: '00:00:00 20-11-2026', endTime: '00:00:00 20-11-2026' };
  assert.equal((await series(world, one)).length, 1);
  await world.close();
});

test('timePriceSeries knows its intervals and no other', async () => {
  const world = await openWorld();
  for (const minutes of [1, 2, 3, 5, 10, 15, 20, 30, 60, 120, 240]) await series(world, { interval: `${minutes}mi` });
  for (const interval of ['4mi', '1', '0mi', '1D', '1w', '30']) {
    assertFailure(await world.call(PATH, ALICE, { ...REQUEST, interval }), 400, 'BAD_REQUEST', 'interval');
  }
  await world.close();
});

test('timePriceSeries refuses impossible dates, ranges that go back and ranges of too many candles', async () => {
  const world = await openWorld();
  const wrong: [change: object, field: string][] = [
    [{ startTime: '09:15:00 31-02-2026' }, 'startTime'],
    [{ startTime: '24:00:00 20-11-2026' }, 'startTime'],
    [{ endTime: '09:60:00 20-11-2026' }, 'endTime'],
    [{ endTime: '2026-11-20 09:20:00' }, 'endTime'],
    [{ endTime: REQUEST.startTime }, 'endTime'],
    [{ endTime: '09:14:59 20-11-2026' }, 'endTime'],
    [{ interval: '1d', endTime: '09:15:00 19-11-2026' }, 'endTime'],
    [{ startTime: '09:15:00 20-11-2020' }, 'startTime'],
    [{ startTime: '09:15:00 20-08-2026' }, 'startTime'],
    [{ tradingSymbol: 'NOSUCH-EQ' }, 'tradingSymbol'],
  ];
  for (const [change, field] of wrong) {
    assertFailure(await world.call(PATH, ALICE, { ...REQUEST, ...change }), 400, 'BAD_REQUEST', field);
  }
  await world.close();
});

test('timePriceSeries answers any range that holds few candles, and looks at days of the market alone', async () => {
  let asked = 0;
  const market = {
    ...fakeMarket,
    tradingDay: (at: EpochMs) => Math.max(istDay(at), FIRST_DAY) as IstDay,
    intraday: (...[id, minutes, from, to, until]: Parameters<MarketData['intraday']>) => {
      asked += 1;
      return istDay(from) < LISTED ? [] : fakeMarket.intraday(id, minutes, from, to, until);
    },
  };
  const world = await openWorld({ market });
  const few = await series(world, { startTime: '00:00:00 18-11-2026', endTime: '23:59:59 20-11-2026' });
  asked = 0;
  assert.deepEqual(await series(world, { startTime: '00:00:00 01-01-2023', endTime: '00:00:00 01-01-2027' }), few);
  assert.deepEqual(await series(world, { startTime: '00:00:00 01-01-0001', endTime: '23:59:59 31-12-9999' }), few);
  assert.ok(asked <= 2 * (fakeMarket.tradingDay(world.now) - FIRST_DAY + 1), `${asked} days`);
  const before = { startTime: '00:00:00 01-01-1980', endTime: '00:00:00 01-01-1990' };
  const later = { startTime: '00:00:00 01-01-2030', endTime: '00:00:00 01-01-2040' };
  for (const range of [before, later]) assert.deepEqual(await series(world, range), []);
  asked = 0;
  const contract = { exchange: 'NFO', tradingSymbol: FUTURE.tradingSymbol };
  await series(world, { ...contract, startTime: '00:00:00 01-01-2023', endTime: '00:00:00 01-01-2027' });
  assert.ok(asked <= fakeMarket.tradingDay(world.now) - FUTURE_LISTED + 1, `${asked} days of a contract`);
  await world.close();
});

test('timePriceSeries answers a long range as its days one by one would', async () => {
  const world = await openWorld();
  for (const interval of ['15mi', '1d']) {
    const whole = await series(world, { interval, startTime: '00:00:00 28-10-2026', endTime: '23:59:59 18-11-2026' });
    const single: unknown[] = [];
    for (const date of [
      '28-10',
      '29-10',
      '30-10',
      '31-10',
      ...Array.from({ length: 18 }, (_, day) => `${String(day + 1).padStart(2, '0')}-11`),
    ]) {
      single.push(
        ...(await series(world, { interval, startTime: `00:00:00 ${date}-2026`, endTime: `23:59:59 ${date}-2026` })),
      );
    }
    assert.deepEqual(whole, single);
  }
  const backwards = { interval: '1d', startTime: '15:29:00 18-11-2026', endTime: '09:15:00 18-11-2026' };
  assert.equal((await series(world, backwards)).length, 1);
  await world.close();
});
