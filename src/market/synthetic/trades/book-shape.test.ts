import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../base/assert.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import { hashWords, Random } from '../../../base/random.ts';
import { tickOf } from '../../../base/tick.ts';
import type { DepthLevel, PriceBand } from '../../../core/market.ts';
import type { MarketBook } from '../../listing.ts';
import { BSE_SHARE, civil, FUTURE, fixtureInstruments, freshMarket, IDLE_SHARE, OPTIONS, SHARE } from '../fixture.ts';
import { type BookedTape, bookAt } from './book-shape.ts';
import { LEVELS } from './book-side.ts';

const DAY = civil(2026, 9, 14);
const IDS: readonly InstrumentId[] = [SHARE, BSE_SHARE, IDLE_SHARE, FUTURE, ...OPTIONS];
const SECONDS = Array.from({ length: 60 }, (_, i) => 33_300 + i * 373);

test('the book has twenty levels a side, best first, never crossed, in lots and ticks', () => {
  const market = freshMarket('exchange');
  for (const id of IDS) {
    const { lot, tick } = must(fixtureInstruments.get(id), 'an instrument');
    for (const second of SECONDS) {
      const at = tickOf(DAY, second);
      const { bids, asks } = market.depth(id, at);
      const { lower, upper } = market.band(id, at);
      assert.ok(bids.length === LEVELS || must(bids.at(-1), 'a bid').price < 20 * tick);
      assert.equal(asks.length, LEVELS);
      assert.ok((bids[0]?.price ?? 0) < must(asks[0], 'an ask').price);
      for (const [side, direction] of [
        [bids, -1],
        [asks, 1],
      ] as const) {
        side.forEach((level, i) => {
          assert.ok(level.quantity > 0 && level.quantity % lot === 0 && level.price % tick === 0);
          assert.ok(level.price >= lower && level.price <= upper && level.price > 0);
          assert.ok(level.orders >= 1 && level.orders <= level.quantity / lot);
          const better = side[i - 1];
          assert.ok(better === undefined || (level.price - better.price) * direction > 0);
        });
      }
    }
  }
});

test('a depth of a few levels is the beginning of the whole one, with the units of all, asked before it or after', () => {
  const [market, other] = [freshMarket('exchange'), freshMarket('exchange')];
  for (const id of IDS) {
    for (const second of SECONDS) {
      const at = tickOf(DAY, second);
      const few = market.depth(id, at, 5);
      const whole = market.depth(id, at);
      assert.ok(few.bids.length <= 5 && few.asks.length === 5);
      assert.deepEqual(few, { ...whole, bids: whole.bids.slice(0, 5), asks: whole.asks.slice(0, 5) });
      assert.deepEqual(other.depth(id, at), whole);
      assert.equal(
        whole.askUnits,
        whole.asks.reduce((sum, { quantity }) => sum + quantity, 0),
      );
    }
  }
});

test('the quantity at a price is that of its level, 0 across the touch, off the tick and beyond the band', () => {
  const market = freshMarket('exchange');
  for (const id of IDS) {
    const { tick } = must(fixtureInstruments.get(id), 'an instrument');
    for (const second of SECONDS) {
      const at = tickOf(DAY, second);
      const { bids, asks } = market.depth(id, at);
      for (const { price, quantity } of bids) assert.equal(market.quantityAt(id, at, 'B', price), quantity);
      for (const { price, quantity } of asks) assert.equal(market.quantityAt(id, at, 'S', price), quantity);
      const bestAsk = must(asks[0], 'an ask').price;
      const bestBid = bids[0]?.price ?? 0;
      assert.equal(market.quantityAt(id, at, 'B', (bestBid + tick) as Price), 0);
      assert.equal(market.quantityAt(id, at, 'S', (bestAsk - tick) as Price), 0);
      assert.equal(market.quantityAt(id, at, 'S', (market.band(id, at).upper + tick) as Price), 0);
      if (tick > 1) assert.equal(market.quantityAt(id, at, 'S', (bestAsk + 1) as Price), 0);
    }
  }
});

/** A tape whose touch is drawn second by second, sometimes with the units at it. */
function drawnTape(seed: number): BookedTape {
  const bidAt = (second: number) => 40 + (hashWords(seed, second >> 3) % 24) + (hashWords(seed, second, 1) % 5);
  const widthAt = (second: number) => 1 + (hashWords(seed, second >> 4, 2) % 4);
  return {
    day: DAY,
    seed,
    open: 33_300,
    touches(second, count, bids, asks) {
      for (let back = 0; back < count; back += 1) {
        const bid = hashWords(seed, (second - back) >> 5, 3) % 9 === 0 ? 0 : bidAt(second - back);
        bids[back] = bid;
        asks[back] = -(bid + widthAt(second - back));
      }
    },
    unitsAtTouch(second, side) {
      const hash = hashWords(seed, second, side === 'B' ? 4 : 5);
      return hash % 7 === 0 ? { units: 1 + (hash % 900), since: second - (hash % 3) } : undefined;
    },
  };
}

test('a book that goes on from second to second is the one that is made for the second alone', () => {
  const seed = 20_261_128;
  const random = new Random(seed);
  for (let book = 0; book < 60; book += 1) {
    const liquidity = { trades: 0, lots: 0, spreadShare: 0, depthLots: 400, orderLots: 7, gap: random.between(1, 5) };
    const days = [1, 2].map((nth) => {
      return {
        tape: drawnTape(seed + 2 * book + nth),
        liquidity,
        tick: 5 as Price,
        lot: random.between(1, 9) as Quantity,
      };
    });
    let [traded, second, kept] = [random.pick(days), 33_300 + random.below(40), undefined as MarketBook | undefined];
    for (let step = 0; step < 300; step += 1) {
      const lower = 5 * random.between(0, 50);
      const band = random.chance(80) ? { lower: 5, upper: 1_000 } : { lower, upper: lower + 5 * random.between(0, 40) };
      const moment = { traded, second, band: band as PriceBand, isOption: book % 2 === 0 };
      kept = bookAt(moment, kept);
      const made = bookAt(moment, undefined);
      const where = `seed ${seed}, book ${book}, step ${step}, second ${second}`;
      if (random.chance(70)) assert.deepEqual(kept.depth(), made.depth(), where);
      const price = (5 * random.between(0, 90)) as Price;
      for (const side of ['B', 'S'] as const)
        assert.equal(kept.quantityAt(side, price), made.quantityAt(side, price), where);
      if (random.chance(3)) traded = random.pick(days);
      second = random.chance(10) ? 33_300 + random.below(200) : second + (random.chance(20) ? random.below(40) : 1);
    }
  }
});

test('the units of a side are those of its levels', () => {
  const market = freshMarket('exchange');
  for (const id of IDS) {
    for (const second of SECONDS) {
      const { bids, asks, bidUnits, askUnits } = market.depth(id, tickOf(DAY, second));
      assert.equal(
        bidUnits,
        bids.reduce((units, { quantity }) => units + quantity, 0),
      );
      assert.equal(
        askUnits,
        asks.reduce((units, { quantity }) => units + quantity, 0),
      );
    }
  }
});

test('the book goes on beyond the displayed levels', () => {
  const market = freshMarket('exchange');
  const at = tickOf(DAY, 40_000);
  const { bids, asks } = market.depth(SHARE, at);
  assert.ok(market.quantityAt(SHARE, at, 'B', (must(bids.at(-1), 'a bid').price - 50) as Price) > 0);
  assert.ok(market.quantityAt(SHARE, at, 'S', (must(asks.at(-1), 'an ask').price + 50) as Price) > 0);
});

test('a level keeps its quantity for its generation, and is renewed within half a minute', () => {
  const market = freshMarket('exchange');
  for (const id of [SHARE, FUTURE, must(OPTIONS[4], 'an option')]) {
    for (const side of ['bids', 'asks'] as const) {
      const seen = new Map<string, DepthLevel>();
      let renewals = 0;
      for (let second = 40_000; second < 40_600; second += 1) {
        const at = tickOf(DAY, second);
        for (const level of market.depth(id, at)[side]) {
          const key = `${level.price} ${level.generation}`;
          const known = seen.get(key);
          if (known === undefined) renewals += 1;
          else assert.deepEqual(level, known);
          seen.set(key, level);
          assert.ok(level.generation <= at && at - level.generation < 31);
        }
      }
      assert.ok(renewals > 600, `${renewals} renewals`);
    }
  }
});

test('a price that changed sides comes back as a new generation', () => {
  const market = freshMarket('exchange');
  const lastAway = new Map<Price, number>();
  let returns = 0;
  for (let second = 40_000; second < 43_000; second += 1) {
    const at = tickOf(DAY, second);
    const { bids, asks } = market.depth(SHARE, at);
    for (const { price } of asks) lastAway.set(price, at);
    for (const { price, generation } of bids) {
      const away = lastAway.get(price);
      if (away === undefined) continue;
      assert.ok(generation > away, `${price} at ${second}`);
      if (generation === away + 1) returns += 1;
    }
  }
  assert.ok(returns > 50, `${returns} returns`);
});

test('the book is thicker behind the touch than at it', () => {
  const market = freshMarket('exchange');
  let near = 0;
  let far = 0;
  for (const second of SECONDS) {
    const { bids } = market.depth(SHARE, tickOf(DAY, second));
    near += must(bids[0], 'a bid').quantity;
    far += must(bids[15], 'a bid').quantity;
  }
  assert.ok(far > 2 * near);
});
