import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { Price } from '../../../base/money.ts';
import type { Side } from '../../order.ts';
import type { AuctionEntry } from './auction-book.ts';
import { crossing, selfTrades } from './self-trades.ts';

type Drawn = readonly [account: number, side: Side, price: number];
const orders = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.constantFrom<Side>('B', 'S'), fc.integer({ min: 1, max: 9 })), {
  maxLength: 12,
});

function entriesOf(drawn: readonly Drawn[]): AuctionEntry[] {
  return drawn.map(([account, side, price], number) => ({ number, account, side, price }) as unknown as AuctionEntry);
}

/** True when a buy and a sell could trade with each other. */
function cross(one: AuctionEntry, other: AuctionEntry, at = (entry: AuctionEntry): number => entry.price): boolean {
  if (one.side === other.side) return false;
  const [buy, sale] = one.side === 'B' ? [one, other] : [other, one];
  return at(buy) >= at(sale);
}

test('the earlier of two crossing orders of one account ends, and no other order', () => {
  fc.assert(
    fc.property(orders, (drawn) => {
      const entries = entriesOf(drawn);
      const kept: AuctionEntry[] = [];
      for (const entry of entries.toReversed()) {
        const isCrossed = kept.some((later) => later.account === entry.account && cross(entry, later));
        if (!isCrossed) kept.push(entry);
      }
      const ended = selfTrades(entries, () => false);
      assert.deepEqual(
        entries.filter((entry) => !ended.has(entry)),
        kept.toReversed(),
      );
    }),
    { numRuns: 2_000 },
  );
});

test('an order of the risk desk ends only for a later order of the risk desk', () => {
  fc.assert(
    fc.property(orders, fc.nat(), (drawn, bits) => {
      const entries = entriesOf(drawn);
      const isDesk = ({ number }: Readonly<AuctionEntry>) => ((bits >>> number) & 1) === 1;
      const ended = selfTrades(entries, isDesk);
      const left = entries.filter((entry) => !ended.has(entry));
      for (const [place, entry] of entries.entries()) {
        const against = (those: readonly AuctionEntry[]): boolean =>
          those.some((one) => one.account === entry.account && one !== entry && cross(entry, one));
        if (!ended.has(entry)) assert.ok(!against(left), 'nothing that is left crosses');
        else assert.ok(against(left.filter((one) => isDesk(one) || (!isDesk(entry) && one.number > entry.number))));
        if (isDesk(entry) && ended.has(entry)) assert.ok(against(entries.slice(place + 1).filter(isDesk)));
      }
    }),
    { numRuns: 2_000 },
  );
});

test('after a missed auction each order ends that crosses the market or an earlier order at its new price', () => {
  const touches = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined });
  fc.assert(
    fc.property(orders, touches, touches, fc.integer({ min: 1, max: 9 }), (drawn, bid, ask, atMarket) => {
      const entries = entriesOf(drawn);
      const priceOf = (entry: Readonly<AuctionEntry>) => (entry.account === 0 ? atMarket : entry.price) as Price;
      const kept: AuctionEntry[] = [];
      for (const entry of entries) {
        const price = priceOf(entry);
        const ofMarket = entry.side === 'B' ? ask !== undefined && price >= ask : bid !== undefined && price <= bid;
        if (!ofMarket && !kept.some((before) => cross(entry, before, priceOf))) kept.push(entry);
      }
      const touch = { bid: bid as Price | undefined, ask: ask as Price | undefined };
      const ended = crossing(entries, priceOf, touch);
      assert.deepEqual(
        entries.filter((entry) => !ended.has(entry)),
        kept,
      );
    }),
    { numRuns: 2_000 },
  );
});
