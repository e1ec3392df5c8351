import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { Tick } from '../../../src/base/ids.ts';
import { type EpochMs, type IstDay, istInstant, MINUTE_MS, parseIsoDay, SECOND_MS } from '../../../src/base/time.ts';
import type { Event, Traded } from '../../../src/core/event.ts';
import { lastTradedPrice } from '../../../src/core/exchange/reference.ts';
import { instrumentOf } from '../../../src/core/ports.ts';
import { venueOf } from '../../../src/core/venue-of.ts';
import { dailyCandles, fullQuote, intradayCandles, lastPrice } from '../../../src/views/quote.ts';
import { emptyViews, type Views } from '../../../src/views/views.ts';
import { World } from '../../kit/money/world.ts';
import { ExchangeMonth } from '../../property/month/exchange-month.ts';

const month = new ExchangeMonth(71);
const { market, ports } = month;
const DAY = must(parseIsoDay('2026-11-20'), 'a Friday');
const CRORE = 1_000_000_000;
const [SHARE] = month.shares(istInstant(DAY, 0));
const { id, tick: STEP } = must(SHARE, 'a share');

function tickOf(clock: string): Tick {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return market.tickAt(istInstant(DAY, ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS));
}

/** The second in which the closing auction is matched. */
const MATCHED = ((): Tick => {
  let tick = tickOf('15:28');
  while (market.phase(id, tick) !== 'ClosingMatching') tick = (tick + 1) as Tick;
  return tick;
})();

/** One account on the day, before its share opens. */
class Day {
  readonly world = new World(ports, (DAY - 1) as IstDay);
  readonly user = this.world.user('AB1234', 10 * CRORE);

  constructor() {
    this.world.passTo(istInstant(DAY, 8 * 3_600_000));
    this.at('09:15:01');
  }

  /** Lets the book meet the market at a time of the day. */
  at(clock: string | Tick): readonly Event[] {
    const tick = typeof clock === 'string' ? tickOf(clock) : clock;
    this.world.at = (tick * SECOND_MS) as EpochMs;
    return this.world.submit({ type: 'MoveMarket', instrument: id, tick }).events;
  }

  views(): Views {
    const views = emptyViews();
    for (const event of this.world.records.flatMap(({ events }) => events)) views.ownTrades.apply(event);
    return views;
  }

  /** The last price for a quote, a position and a stop: one and the same. */
  last(tick: Tick): number {
    const { state } = this.world;
    const views = this.views();
    const last = lastPrice(views, market, id, tick);
    assert.equal(fullQuote(state, views, market, id, tick).last, last);
    const desk = { ...ports, tick, riskTick: tick, riskFiles: [] };
    assert.equal(lastTradedPrice(venueOf(state, desk, instrumentOf(desk, id))), last);
    return last;
  }
}

function tradesOf(events: readonly Event[]): Traded[] {
  return events.filter((event) => event.type === 'Traded');
}

describe('The print of the closing auction', () => {
  it('is the last price behind what a user traded before it', () => {
    const day = new Day();
    const order = { by: day.user, of: id, product: 'C', side: 'B', units: 10 } as const;
    day.at('15:14:59');
    assert.equal(day.world.place(order).status, 'Complete');
    const own = must(tradesOf(must(day.world.records.at(-1), 'a record').events)[0], 'a trade').price;
    assert.deepEqual([day.last(tickOf('15:20')), day.last((MATCHED - 1) as Tick)], [own, own]);
    const { price } = must(market.print(id, MATCHED), 'the auction');
    const saturday = market.tickAt(istInstant((DAY + 1) as IstDay, 12 * 3_600_000));
    for (const tick of [MATCHED, tickOf('15:40'), tickOf('23:59'), saturday]) assert.equal(day.last(tick), price);
    const monday = market.tickAt(istInstant((DAY + 3) as IstDay, 8 * 3_600_000));
    assert.equal(market.previousClose(id, monday), price);
  });

  it('comes before what users traded in the auction, and its volume stands beside theirs', () => {
    const day = new Day();
    day.at('15:21');
    day.world.place({ by: day.user, of: id, product: 'C', side: 'B', units: 40 });
    const [trade, ...more] = tradesOf(day.at(MATCHED));
    const own = must(trade, 'a trade');
    assert.deepEqual([own.auction, own.quantity, more.length], [true, 40, 0]);
    const print = must(market.print(id, MATCHED), 'the auction');
    assert.equal(day.last(MATCHED), own.price);
    const views = day.views();
    const before = must(market.dayFigures(id, (MATCHED - 1) as Tick), 'figures');
    const quote = fullQuote(day.world.state, views, market, id, MATCHED);
    assert.equal(quote.volume, before.volume + print.quantity + 40);
    assert.equal(quote.high, Math.max(before.high, print.price, own.price));
    assert.equal(quote.low, Math.min(before.low, print.price, own.price));
    const minute = (Math.floor((MATCHED * SECOND_MS) / MINUTE_MS) * MINUTE_MS) as EpochMs;
    const [bar] = intradayCandles(views, market, id, 1, minute, minute, MATCHED);
    assert.deepEqual(
      [bar?.open, bar?.close, bar?.volume, bar?.start],
      [print.price, own.price, print.quantity + 40, minute],
    );
    const [daily] = dailyCandles(views, market, id, DAY, DAY, MATCHED);
    assert.deepEqual([daily?.close, daily?.volume], [own.price, quote.volume]);
  });

  it('fires no stop: those that wait end with continuous trading', () => {
    const day = new Day();
    const last = day.last(tickOf('15:14:59'));
    const { price: close } = must(market.print(id, MATCHED), 'the auction');
    const side = close > last ? 'B' : 'S';
    const way = side === 'B' ? STEP : -STEP;
    assert.ok(Math.abs(close - last) >= 2 * STEP, `the close ${close} is beyond a stop from ${last}`);
    day.at('15:14:59');
    const terms = { trigger: last + way, at: last + 2 * way, type: 'SL-LMT' } as const;
    const stop = day.world.place({ by: day.user, of: id, product: 'I', side, units: 10, ...terms });
    assert.equal(stop.status, 'TriggerPending');
    day.at('15:15');
    assert.equal(stop.status, 'Cancelled');
    const later = ['15:20', '15:26', MATCHED, (MATCHED + 1) as Tick, '15:50', '16:01'].flatMap((at) => day.at(at));
    assert.deepEqual(
      later.filter(({ type }) => type !== 'PhaseMet' && type !== 'AuctionMatched'),
      [],
    );
    assert.equal(stop.filled, 0);
  });
});
