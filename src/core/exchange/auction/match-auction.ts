/**
 * Matches an auction: which orders trade at its price, and what becomes of the orders that are left. It also starts a
 * closing auction, and prepares orders for continuous trading after a missed opening auction. It only decides;
 * `applyToBook` changes the book.
 */

import { assert } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { Event, TradeSide } from '../../event.ts';
import type { AuctionInterest, AuctionLevel } from '../../market.ts';
import type { Side } from '../../order.ts';
import type { AuctionSession } from '../phase.ts';
import { traded } from '../rows/traded.ts';
import type { Venue } from '../venue.ts';
import type { AuctionEntry } from './auction-book.ts';
import { type Claim, claimsOf } from './claims.ts';
import { equilibrium } from './equilibrium.ts';
import { crossing, selfTrades } from './self-trades.ts';

/**
 * Decides an auction: its price, every trade at it, and what becomes of the orders that are left. After an opening
 * auction they go on, and market orders become limit orders at the price of the auction. After a closing auction they
 * are cancelled. All events belong in one record. Empty when no orders gather. Source: market-rules R2.6 to R2.9.
 */
export function decideAuction(venue: Venue, session: AuctionSession): Event[] {
  const { book, instrument, tick } = venue;
  if (book.auction === undefined) return [];
  const gathered = Array.from(book.auction.entries());
  const ended = selfTrades(gathered, ({ number }) => venue.order(number).squareOff);
  const entries = gathered.filter((entry) => !ended.has(entry));
  const interest = venue.market.auction(instrument, tick);
  const { reference, step } = interest;
  const band = venue.band();
  const levels = levelsOf(entries, interest, band);
  const result = equilibrium(levels.B, levels.S, { reference, tick: step, band });
  const events: Event[] = Array.from(ended, ({ number }) => ({
    type: 'OrderCancelled',
    order: number,
    reason: 'SelfTrade',
  }));
  const filled = new Map<OrderNumber, number>();
  if (result !== undefined) {
    const common = { price: result.price, entries, interest };
    const buys = claimsOf({ ...common, side: 'B' });
    const sells = claimsOf({ ...common, side: 'S' });
    trade({ venue, price: result.price, quantity: result.quantity, events, filled }, buys, sells);
  }
  events.push({ type: 'AuctionMatched', instrument, session, tick, ...(result === undefined ? {} : { result }) });
  const left = entries.filter(({ number, remaining }) => (filled.get(number) ?? 0) < remaining);
  const more = session === 'Open' ? asLimits(venue, left, result?.price ?? reference) : endings(left);
  return [...events, ...more];
}

/**
 * Prepares the orders of an opening auction for continuous trading. After a matched auction there is nothing to do.
 * After a missed one, market orders become limit orders at the previous close, and orders that cross an earlier order
 * or the market are cancelled. Source: market-rules R2.8.
 */
export function decideCarryOver(venue: Venue): Event[] {
  const { book, instrument, tick, market } = venue;
  if (book.auction === undefined || book.auction.matched) return [];
  const entries = Array.from(book.auction.entries());
  const { reference } = market.auction(instrument, tick);
  const { bids, asks } = market.depth(instrument, tick);
  const touch = { bid: bids[0]?.price, ask: asks[0]?.price };
  const priceOf = (entry: Readonly<AuctionEntry>) => (entry.atMarket ? limitAt(entry, reference) : entry.price);
  const ended = crossing(entries, priceOf, touch);
  const left = entries.filter((entry) => !ended.has(entry));
  return [...endings([...ended]), ...asLimits(venue, left, reference)];
}

/**
 * Starts a closing auction: orders of continuous trading that lie outside its band are cancelled. Source: market-rules
 * R2.10.
 */
export function decideClosingEntry(venue: Venue): Event[] {
  const { lower, upper } = venue.band();
  const events: Event[] = [];
  for (const order of venue.book.restingOrders()) {
    const { price } = venue.order(order).terms;
    if (price < lower || price > upper) events.push({ type: 'OrderCancelled', order, reason: 'OutsideBand' });
  }
  return events;
}

interface Levels {
  readonly B: AuctionLevel[];
  readonly S: AuctionLevel[];
}

function levelsOf(
  entries: readonly Readonly<AuctionEntry>[],
  { bids, asks, marketBuys, marketSells }: AuctionInterest,
  { lower, upper }: { readonly lower: Price; readonly upper: Price },
): Levels {
  const levels: Levels = {
    B: [...bids, { price: upper, quantity: marketBuys }],
    S: [...asks, { price: lower, quantity: marketSells }],
  };
  for (const { side, price, remaining } of entries) levels[side].push({ price, quantity: remaining });
  return levels;
}

/** An auction while it is matched: its events so far, and the units that each order got. */
interface Matching {
  readonly venue: Venue;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly events: Event[];
  readonly filled: Map<OrderNumber, number>;
}

/**
 * Lets the queues of both sides trade in turn, up to the quantity of the auction. The market does not trade with itself
 * here.
 */
function trade(matching: Matching, buys: readonly Claim[], sells: readonly Claim[]): void {
  const { venue, price, quantity, events, filled } = matching;
  const gone = { B: new Map<Price, number>(), S: new Map<Price, number>() };
  let [b, s, bought, sold, left] = [0, 0, 0, 0, quantity as number];
  while (left > 0) {
    const [buy, sell] = [buys[b], sells[s]];
    assert(buy !== undefined && sell !== undefined, 'both sides have the units that the auction trades');
    const units = Math.min(buy.units - bought, sell.units - sold, left);
    if (buy.entry !== undefined || sell.entry !== undefined)
      events.push(tradeInAuction(venue, price, units, buy, sell));
    for (const [side, claim] of [
      ['B', buy],
      ['S', sell],
    ] as const) {
      if (claim.entry !== undefined) add(filled, claim.entry.number, units);
      else if (claim.price !== undefined) add(gone[side], claim.price, units);
    }
    left -= units;
    bought += units;
    sold += units;
    if (bought === buy.units) [b, bought] = [b + 1, 0];
    if (sold === sell.units) [s, sold] = [s + 1, 0];
  }
  for (const side of ['B', 'S'] as const) advance(matching, side, gone[side]);
}

function add<Key>(sums: Map<Key, number>, key: Key, units: number): void {
  sums.set(key, (sums.get(key) ?? 0) + units);
}

/** The market's units that traded no longer stand in front of the orders that are left at their price. */
function advance({ venue, events, filled }: Matching, side: Side, gone: ReadonlyMap<Price, number>): void {
  const { book } = venue;
  const waiting = new Set<Price>();
  for (const entry of book.auction?.entries() ?? []) {
    if (entry.side === side && (filled.get(entry.number) ?? 0) < entry.remaining) waiting.add(entry.price);
  }
  for (const [price, units] of gone) {
    if (!waiting.has(price)) continue;
    const quantity = units as Quantity;
    events.push({ type: 'QueueAdvanced', instrument: venue.instrument, side, price, quantity });
  }
}

/**
 * A trade of the auction, in which both sides waited. The buyer counts as the aggressor; where the market buys, the
 * seller does.
 */
function tradeInAuction(venue: Venue, price: Price, units: number, buy: Claim, sell: Claim): Event {
  const buyer = buy.entry && sideOf(venue, buy.entry);
  const seller = sell.entry && sideOf(venue, sell.entry);
  const event = traded(venue, venue.nextTrade(), price, units, buyer === undefined ? 'S' : 'B', buyer, seller);
  event.auction = true;
  return event;
}

function sideOf(venue: Venue, { number, account }: Readonly<AuctionEntry>): TradeSide {
  return { order: number, account, product: venue.order(number).product };
}

/**
 * The limit of a market order that was not filled: the price of the auction, or its protected price when that is
 * stricter.
 */
function limitAt({ side, price }: Readonly<AuctionEntry>, found: Price): Price {
  return (side === 'B' ? Math.min(price, found) : Math.max(price, found)) as Price;
}

function asLimits(venue: Venue, left: readonly Readonly<AuctionEntry>[], found: Price): Event[] {
  const events: Event[] = [];
  for (const entry of left) {
    if (!entry.atMarket) continue;
    const { terms: before } = venue.order(entry.number);
    const terms = { ...before, priceType: 'LMT', price: limitAt(entry, found) } as const;
    events.push({ type: 'OrderReplaced', order: entry.number, terms, keepsPriority: true });
  }
  return events;
}

function endings(left: readonly Readonly<AuctionEntry>[]): Event[] {
  return left.map(({ number }) => ({ type: 'OrderCancelled', order: number, reason: 'AuctionEnd' }));
}
