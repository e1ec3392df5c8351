import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../base/assert.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import { tickOf } from '../../../base/tick.ts';
import type { DepthLevel } from '../../../core/market.ts';
import { BSE_SHARE, civil, FUTURE, fixtureInstruments, freshMarket, IDLE_SHARE, OPTIONS, SHARE } from '../fixture.ts';
import { LEVELS } from './book-shape.ts';

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
