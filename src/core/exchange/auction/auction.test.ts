import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderNumber } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import { type AuctionInterest, noInterest } from '../../market.ts';
import type { OrderTerms, Side } from '../../order.ts';
import { Book } from '../book/book.ts';
import { Floor } from '../book/floor-fixture.ts';
import type { Phase } from '../phase.ts';
import { decideClosingEntry } from './match-auction.ts';

const MARKET: Partial<OrderTerms> = { priceType: 'MKT' };
/** The edges of a wide band, which are the prices of market orders. */
const HIGHEST = 1_000_000;
const LOWEST = 1;

function floorIn(phase: Phase, interest: Partial<AuctionInterest> = {}): Floor {
  const floor = new Floor();
  floor.interest = { ...noInterest(100 as Price), ...interest };
  floor.meet(phase);
  return floor;
}

/** Places the given orders, each of its own account, and matches. */
function matched(
  floor: Floor,
  orders: readonly (readonly [Side, price: number | 'market', units: number])[],
): OrderNumber[] {
  const numbers = orders.map(([side, price, units], account) =>
    price === 'market'
      ? floor.place(account, side, side === 'B' ? HIGHEST : LOWEST, units, MARKET)
      : floor.place(account, side, price, units),
  );
  floor.meet('PreOpenMatching');
  return numbers;
}

function resultOf(floor: Floor): object | undefined {
  const event = floor.events.find(({ type }) => type === 'AuctionMatched');
  return event?.type === 'AuctionMatched' ? event.result : undefined;
}

function fills(floor: Floor, numbers: readonly OrderNumber[]): number[] {
  return numbers.map((number) => floor.filled(number));
}

function resting(floor: Floor): string[] {
  return Array.from(floor.book.restingOrders(), (number) => {
    const { price } = floor.order(number).terms;
    return `${floor.order(number).side} ${floor.book.remainingOf(number)} at ${price}`;
  });
}

describe('An opening auction', () => {
  it('lets crossing orders wait side by side, and matches them at one price', () => {
    const floor = floorIn('PreOpen');
    const buy = floor.place(1, 'B', 105, 10);
    const sell = floor.place(2, 'S', 95, 10);
    assert.deepEqual(floor.types(), ['OrderAcknowledged', 'OrderRested']);
    assert.equal(floor.book.levelCount('B') + floor.book.levelCount('S'), 0);
    floor.meet('PreOpenLimitOnly');
    floor.meet('PreOpenMatching');
    assert.deepEqual(floor.types(), ['PhaseMet', 'Traded', 'AuctionMatched']);
    assert.deepEqual(floor.trades(), ['100 x 10']);
    assert.deepEqual(fills(floor, [buy, sell]), [10, 10]);
    assert.equal(floor.book.lastTrade?.price, 100);
  });

  it('trades the worked example, and carries on the orders that are left at their limits', () => {
    const floor = floorIn('PreOpen');
    const numbers = matched(floor, [
      ['B', 105, 14_000],
      ['B', 104, 13_500],
      ['B', 103, 9_500],
      ['B', 102, 9_800],
      ['B', 101, 7_500],
      ['B', 100, 12_500],
      ['S', 98, 5_000],
      ['S', 99, 7_500],
      ['S', 100, 9_500],
      ['S', 101, 12_500],
      ['S', 102, 8_000],
      ['S', 103, 9_500],
      ['S', 104, 6_000],
      ['S', 105, 8_500],
    ]);
    assert.deepEqual(resultOf(floor), { price: 102, quantity: 42_500, demand: 46_800, supply: 42_500 });
    assert.ok(floor.trades().every((trade) => trade.startsWith('102 x ')));
    assert.deepEqual(
      fills(floor, numbers),
      [14_000, 13_500, 9_500, 5_500, 0, 0, 5_000, 7_500, 9_500, 12_500, 8_000, 0, 0, 0],
    );
    floor.meet('Buffer');
    floor.meet('Continuous');
    assert.deepEqual(floor.types(), ['PhaseMet']);
    assert.deepEqual(resting(floor), [
      'B 4300 at 102',
      'B 7500 at 101',
      'B 12500 at 100',
      'S 9500 at 103',
      'S 6000 at 104',
      'S 8500 at 105',
    ]);
    for (const number of floor.book.restingOrders()) assert.equal(floor.book.aheadOf(number), 0, 'nobody is in front');
  });

  it('fills limit orders before market orders, which go on as limit orders at its price', () => {
    const floor = floorIn('PreOpen');
    const numbers = matched(floor, [
      ['B', 'market', 50],
      ['B', 101, 50],
      ['S', 101, 60],
    ]);
    assert.deepEqual(fills(floor, numbers), [10, 50, 60]);
    const [first] = numbers;
    assert.ok(first !== undefined);
    const { priceType, price } = floor.order(first).terms;
    assert.deepEqual([priceType, price], ['LMT', 101]);
    floor.meet('Continuous');
    assert.deepEqual(resting(floor), ['B 40 at 101']);
  });

  it('fills market orders before limit orders where the session says so', () => {
    const floor = floorIn('PreOpen', { marketFirst: true });
    const numbers = matched(floor, [
      ['B', 101, 50],
      ['B', 'market', 50],
      ['S', 101, 60],
    ]);
    assert.deepEqual(fills(floor, numbers), [10, 50, 60]);
  });

  it('pairs limit orders first, their rest with market orders, then market orders with each other; or the other way round', () => {
    const pairs = (marketFirst: boolean) => {
      const floor = floorIn('PreOpen', { marketFirst });
      matched(floor, [
        ['B', 101, 10],
        ['B', 'market', 10],
        ['S', 99, 6],
        ['S', 'market', 14],
      ]);
      return floor.events.flatMap((event) =>
        event.type === 'Traded' ? [`${event.buy?.account} and ${event.sell?.account}: ${event.quantity}`] : [],
      );
    };
    assert.deepEqual(pairs(false), ['0 and 2: 6', '0 and 3: 4', '1 and 3: 10']);
    assert.deepEqual(pairs(true), ['1 and 3: 10', '0 and 3: 4', '0 and 2: 6']);
  });

  it('trades nothing without a price, and lets market orders go on at the previous close', () => {
    const floor = floorIn('PreOpen');
    const numbers = matched(floor, [
      ['B', 'market', 50],
      ['B', 98, 5],
    ]);
    assert.deepEqual(fills(floor, numbers), [0, 0]);
    assert.equal(resultOf(floor), undefined);
    assert.equal(floor.book.lastTrade, undefined);
    floor.meet('Continuous');
    assert.deepEqual(resting(floor), ['B 50 at 100', 'B 5 at 98']);
  });

  it('keeps the time priority of orders that go on, market orders included', () => {
    const floor = floorIn('PreOpen');
    const early = floor.place(1, 'B', 101, 10);
    const atMarket = floor.place(2, 'B', HIGHEST, 3, MARKET);
    const late = floor.place(3, 'B', 101, 10);
    const moved = floor.place(4, 'B', 101, 10);
    const last = floor.place(5, 'B', 101, 10);
    floor.replace(moved, { quantity: 12 });
    floor.place(6, 'S', 101, 4);
    floor.meet('PreOpenMatching');
    assert.deepEqual(resultOf(floor), { price: 101, quantity: 4, demand: 45, supply: 4 });
    assert.deepEqual(fills(floor, [early, atMarket]), [4, 0]);
    floor.meet('Continuous');
    assert.deepEqual([...floor.book.restingOrders()], [early, atMarket, late, last, moved]);
  });

  it('lets orders with fewer units keep their time, and cancels orders while they gather', () => {
    const floor = floorIn('PreOpen');
    const first = floor.place(1, 'B', 101, 10);
    const second = floor.place(2, 'B', 101, 10);
    const gone = floor.place(3, 'B', 101, 10);
    floor.replace(first, { quantity: 6 });
    floor.cancel(gone);
    floor.place(4, 'S', 101, 8);
    floor.meet('PreOpenMatching');
    assert.deepEqual(fills(floor, [first, second, gone]), [6, 2, 0]);
  });

  it('ends the earlier of two crossing orders of one account', () => {
    const floor = floorIn('PreOpen');
    const earlier = floor.place(1, 'B', 105, 10);
    const later = floor.place(1, 'S', 95, 10);
    const other = floor.place(2, 'B', 99, 10);
    floor.meet('PreOpenMatching');
    assert.deepEqual(fills(floor, [earlier, later, other]), [0, 10, 10]);
    assert.deepEqual(floor.types(), ['PhaseMet', 'OrderCancelled', 'Traded', 'AuctionMatched']);
    assert.equal(floor.book.has(earlier), false);
  });

  it('lets the market trade at its place in the queue, in front of a user order and behind it', () => {
    const bids = [{ price: 101 as Price, quantity: 30 as Quantity }];
    const asks = [{ price: 101 as Price, quantity: 45 as Quantity }];
    const floor = floorIn('PreOpen', { bids, asks });
    const behind = floor.place(1, 'B', 101, 10);
    const below = floor.place(2, 'B', 99, 10);
    floor.interest = { ...floor.interest, bids: [{ price: 101 as Price, quantity: 50 as Quantity }] };
    floor.meet('PreOpenMatching');
    assert.deepEqual(resultOf(floor), { price: 101, quantity: 45, demand: 60, supply: 45 });
    assert.deepEqual(fills(floor, [behind, below]), [10, 0]);
    const trade = floor.events.find(({ type }) => type === 'Traded');
    assert.ok(trade?.type === 'Traded' && trade.sell === undefined && trade.aggressor === 'B');
  });

  it('leaves fewer units of the market in front of an order that it did not reach', () => {
    const bids = [{ price: 101 as Price, quantity: 30 as Quantity }];
    const asks = [{ price: 101 as Price, quantity: 20 as Quantity }];
    const floor = floorIn('PreOpen', { bids, asks });
    const order = floor.place(1, 'B', 101, 10);
    floor.meet('PreOpenMatching');
    assert.equal(floor.filled(order), 0);
    floor.meet('Continuous');
    assert.equal(floor.book.aheadOf(order), 10);
  });

  it('trades nothing when it was missed: market orders go on at the previous close, and later orders that cross end', () => {
    const floor = floorIn('PreOpen');
    const market = floor.place(1, 'B', HIGHEST, 10, MARKET);
    const crossing = floor.place(2, 'S', 99, 10);
    const apart = floor.place(3, 'S', 101, 10);
    floor.meet('Continuous');
    assert.deepEqual(floor.trades(), []);
    assert.deepEqual(resting(floor), ['B 10 at 100', 'S 10 at 101']);
    assert.deepEqual(
      [market, crossing, apart].map((number) => floor.book.has(number)),
      [true, false, true],
    );
  });

  it('ends orders that cross the market when it was missed, since they would be filled at their limits', () => {
    const floor = floorIn('PreOpen');
    const dear = floor.place(1, 'B', 105, 10);
    const fair = floor.place(2, 'B', 101, 10);
    floor.shown = { asks: [[102, 50]] };
    floor.meet('Continuous');
    floor.move(floor.shown);
    assert.deepEqual(fills(floor, [dear, fair]), [0, 0]);
    assert.deepEqual([...floor.book.restingOrders()], [fair]);
  });

  it('compares orders with the best prices of the market on both sides when it was missed', () => {
    const shown = {
      bids: [
        [97, 5],
        [90, 5],
      ],
      asks: [
        [102, 5],
        [110, 5],
      ],
    } as const;
    for (const [side, price, ends] of [
      ['B', 101, false],
      ['B', 102, true],
      ['S', 98, false],
      ['S', 97, true],
    ] as const) {
      const floor = floorIn('PreOpen');
      floor.place(1, side, price, 10);
      floor.shown = shown;
      floor.meet('Continuous');
      assert.equal(floor.types().includes('OrderCancelled'), ends, `${side} at ${price}`);
      assert.equal(floor.book.hasInterest(), !ends);
    }
  });

  it('makes no queue event where no order is left in the queue', () => {
    const floor = floorIn('PreOpen', { bids: [{ price: 101 as Price, quantity: 30 as Quantity }] });
    matched(floor, [
      ['B', 101, 10],
      ['S', 99, 40],
    ]);
    assert.equal(floor.types().includes('QueueAdvanced'), false);
    const waiting = floorIn('PreOpen', { bids: [{ price: 101 as Price, quantity: 30 as Quantity }] });
    matched(waiting, [
      ['B', 101, 10],
      ['S', 99, 39],
    ]);
    assert.equal(waiting.types().includes('QueueAdvanced'), true);
  });

  it('takes in resting orders when trading is to begin again after a halt', () => {
    const floor = new Floor();
    const before = floor.place(1, 'B', 101, 10);
    floor.meet('PreOpen');
    const other = floor.place(2, 'B', 101, 10);
    floor.place(3, 'S', 99, 10);
    floor.meet('PreOpenMatching');
    floor.meet('Continuous');
    assert.deepEqual(fills(floor, [before, other]), [10, 0]);
    assert.deepEqual(resting(floor), ['B 10 at 101']);
  });

  it('gathers and matches again when trading stops before continuous trading', () => {
    const floor = floorIn('PreOpen');
    floor.place(1, 'B', 101, 10);
    const sell = floor.place(2, 'S', 99, 20);
    floor.meet('PreOpenMatching');
    floor.meet('PreOpen');
    const buy = floor.place(3, 'B', 105, 4);
    assert.equal(floor.book.dump().auction?.matched, false);
    floor.meet('PreOpenMatching');
    assert.deepEqual(fills(floor, [sell, buy]), [14, 4]);
  });

  it('does not fire stops itself: its price fires them once trading is continuous', () => {
    const floor = new Floor();
    const stop = floor.place(1, 'B', 120, 10, { trigger: 110 as Price });
    floor.meet('PreOpen');
    floor.place(2, 'B', 115, 10);
    floor.place(3, 'S', 115, 10);
    floor.meet('PreOpenMatching');
    assert.equal(floor.book.isArmed(stop), true);
    floor.meet('Continuous');
    assert.equal(floor.book.isArmed(stop), false);
  });

  it('fires stops by its price even when the market trades lower as continuous trading begins', () => {
    const floor = new Floor();
    for (const trigger of [110, 116]) floor.place(1, 'B', 120, 10, { trigger: trigger as Price });
    floor.meet('PreOpen');
    floor.place(2, 'B', 115, 10);
    floor.place(3, 'S', 115, 10);
    floor.meet('PreOpenMatching');
    floor.meet('Buffer');
    floor.show({ print: ['B', 104, 1] });
    floor.meet('Continuous');
    assert.equal(floor.book.armedStops()[0]?.trigger, 116 as Price);
  });
});

describe('A closing auction', () => {
  it('takes in resting orders, and ends orders that are not matched', () => {
    const floor = new Floor();
    const before = floor.place(1, 'B', 101, 10);
    const low = floor.place(2, 'B', 99, 10);
    floor.meet('ClosingReference');
    floor.meet('ClosingEntry');
    const sell = floor.place(3, 'S', LOWEST, 6, MARKET);
    floor.meet('ClosingLimitOnly');
    floor.meet('ClosingMatching');
    assert.deepEqual(floor.trades(), ['100 x 6']);
    assert.deepEqual(fills(floor, [before, low, sell]), [6, 0, 6]);
    assert.equal(floor.types().filter((type) => type === 'OrderCancelled').length, 2);
    assert.equal(floor.book.hasInterest(), false);
  });

  it('takes a resting market order as a limit order at its protected price', () => {
    const floor = new Floor();
    floor.interest = { ...noInterest(100 as Price), marketFirst: true };
    const earlier = floor.place(1, 'B', 103, 10);
    const protectedOne = floor.place(2, 'B', 103, 10, MARKET);
    const better = floor.place(4, 'B', 104, 5);
    floor.meet('ClosingReference');
    floor.meet('ClosingEntry');
    const sell = floor.place(3, 'S', 103, 10);
    floor.meet('ClosingMatching');
    assert.deepEqual(fills(floor, [better, earlier, protectedOne, sell]), [5, 5, 0, 10]);
  });

  it('ends every order when it was missed', () => {
    const floor = floorIn('ClosingEntry');
    floor.place(1, 'B', 101, 10);
    floor.place(2, 'S', 99, 10);
    floor.meet('PostClose');
    assert.deepEqual(floor.trades(), []);
    assert.equal(floor.book.hasInterest(), false);
  });
});

describe('Trading after a closing auction', () => {
  it('uses the ladders again', () => {
    const floor = floorIn('ClosingEntry');
    floor.place(1, 'B', 101, 10);
    floor.meet('ClosingMatching');
    floor.meet('Closed');
    floor.meet('PostClose');
    const order = floor.place(1, 'B', 100, 10);
    assert.equal(floor.book.levelCount('B'), 1);
    assert.deepEqual(resting(floor), ['B 10 at 100']);
    assert.equal(floor.book.isResting(order), true);
  });
});

describe('A book whose orders gather', () => {
  it('is the same after a dump and a load', () => {
    const floor = floorIn('PreOpen', { bids: [{ price: 101 as Price, quantity: 30 as Quantity }] });
    floor.place(1, 'B', 101, 10);
    floor.place(2, 'S', 99, 10);
    floor.place(3, 'B', HIGHEST, 10, MARKET);
    const dump = floor.book.dump();
    assert.equal(dump.auction?.orders.length, 3);
    assert.equal(dump.auction?.matched, false);
    assert.deepEqual(Book.load(dump).dump(), dump);
    floor.meet('PreOpenMatching');
    const matchedDump = floor.book.dump();
    assert.equal(matchedDump.auction?.matched, true);
    assert.deepEqual(Book.load(matchedDump).dump(), matchedDump);
  });
});

describe('A closing auction', () => {
  it('begins without the orders of continuous trading outside its band', () => {
    const floor = new Floor();
    const places: readonly (readonly [Side, number])[] = [
      ['B', 89],
      ['B', 90],
      ['S', 110],
      ['S', 111],
    ];
    const [low, lowest, highest, high] = places.map(([side, price], account) => floor.place(account, side, price, 10));
    floor.band = { lower: 90 as Price, upper: 110 as Price };
    const ended = decideClosingEntry(floor.venue());
    assert.deepEqual(
      ended,
      [low, high].map((order) => ({ type: 'OrderCancelled', order, reason: 'OutsideBand' })),
    );
    assert.ok(lowest !== undefined && highest !== undefined);
  });
});
