import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, InstrumentId, OrderNumber, Tick, TradeId } from '../../base/ids.ts';
import { inMemory } from '../../base/logs/byte-log.ts';
import type { Price, Quantity } from '../../base/money.ts';
import { Random } from '../../base/random.ts';
import { type EpochMs, istDay, MINUTE_MS, SECOND_MS } from '../../base/time.ts';
import type { Traded } from '../../core/event.ts';
import type { OwnBar } from './own-bar.ts';
import { OwnTrades, together } from './own-trades.ts';

const START = 1_790_000_000;
const SIDE = { order: 1 as OrderNumber, account: 0 as AccountId, product: 'I' as const };

function tradeOf(instrument: number, tick: number, random: Random): Traded {
  const [price, quantity] = [random.between(100, 200) as Price, random.between(1, 50) as Quantity];
  const isPassive = random.chance(30);
  return {
    type: 'Traded',
    trade: 1 as TradeId,
    instrument: instrument as InstrumentId,
    kind: 'equity',
    group: instrument as InstrumentId,
    tick: tick as Tick,
    price,
    quantity,
    aggressor: isPassive ? 'S' : 'B',
    buy: SIDE,
  };
}

/** Random trades in three instruments over some days, given one by one. */
function* trades(random: Random, count: number): Generator<Traded> {
  let tick = START;
  for (let made = 0; made < count; made += 1) {
    tick += random.chance(2) ? random.below(90_000) : random.below(100);
    yield tradeOf(1 + random.below(3), tick, random);
  }
}

/** The bars of an instrument, each minute folded from a list of all trades. */
function barsOf(all: readonly Traded[], instrument: number): OwnBar[] {
  const minutes = Map.groupBy(
    all.filter((trade) => trade.instrument === instrument),
    ({ tick }) => Math.floor((tick * SECOND_MS) / MINUTE_MS),
  );
  return [...minutes.values()].map((own) => {
    const one = new OwnTrades();
    for (const trade of own) one.apply(trade);
    return one.minutesOf(instrument as InstrumentId, 0 as EpochMs, 1e15 as EpochMs)[0] as OwnBar;
  });
}

test('the minutes of any range and any day are those of all trades, before and after a snapshot', () => {
  const random = new Random(41);
  const lived = new OwnTrades();
  const all = [...trades(random, 4_000)];
  for (const trade of all) lived.apply(trade);
  const loaded = new OwnTrades();
  for (const row of lived.rows()) loaded.take(JSON.parse(JSON.stringify(row)));
  assert.deepEqual([...loaded.rows()], [...lived.rows()]);
  for (const instrument of [1, 2, 3] as InstrumentId[]) {
    const bars = barsOf(all, instrument);
    const starts = bars.map(({ start }) => start);
    for (let asked = 0; asked < 60; asked += 1) {
      const from = (random.pick(starts) + random.between(-1, 1)) as EpochMs;
      const to = (random.pick(starts) + random.between(-1, 1)) as EpochMs;
      const day = istDay(random.pick(starts));
      const wanted = bars.filter(({ start }) => start >= from && start <= to);
      const ofDay = together(bars.filter(({ start }) => istDay(start) === day));
      for (const own of [lived, loaded]) {
        assert.deepEqual(own.minutesOf(instrument, from, to), wanted);
        assert.deepEqual(own.dayOf(instrument, day), ofDay);
      }
    }
  }
});

test('minutes that are over are rows of a store, and no objects', () => {
  let chunks = 0;
  const own = new OwnTrades(() => {
    const store = inMemory();
    return {
      put(chunk) {
        chunks += 1;
        store.put(chunk);
      },
      read: (from, into) => store.read(from, into),
    };
  });
  const random = new Random(43);
  for (let minute = 0; minute < 2_200; minute += 1) own.apply(tradeOf(1, START + minute * 60, random));
  assert.equal(chunks, 2, 'chunks of 1,024 rows');
});
