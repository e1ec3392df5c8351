/**
 * The stops that fire: which last traded prices fire them, and how they are released one after another. `stops.ts`
 * keeps the stops that wait.
 */

import { assert } from '../../../base/assert.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { Event } from '../../event.ts';
import type { Book } from '../book/book.ts';
import { NO_ORDER } from '../book/handles.ts';
import { isUnprotected, protectionAt } from '../guards/guarded-prices.ts';
import { lastTradedPrice } from '../reference.ts';
import { freshRows } from '../rows/fresh-rows.ts';
import { eventsOf } from '../rows/row-events.ts';
import type { Venue } from '../venue.ts';
import { type AdmittedOrder, stillAdmitted } from './admitted-order.ts';
import { enter } from './enter.ts';

/** More releases than this after one command are a bug, since each release takes a stop out of its book. */
const MAX_RELEASES = 1_000_000;

/**
 * The stops of one book that fired after one command and wait for their release. The stops of an earlier last traded
 * price come first; at one price the order of arming decides. A stop that has fired is released even when the price
 * moves back. Source: market-rules R3.14, R3.15.
 */
export class FiredStops {
  private readonly waiting: Set<OrderNumber>;
  /** The range of prices that were seen. A price inside it fires no further stop. */
  private lowest = Number.POSITIVE_INFINITY;
  private highest = Number.NEGATIVE_INFINITY;

  /**
   * `opened`: the stops that the opening price fired, see `firedByOpening`. No stop may be armed in the book from now
   * on.
   */
  constructor(opened: readonly OrderNumber[] = []) {
    this.waiting = new Set(opened);
  }

  /** Fires the stops that a last traded price reaches. */
  see(book: Book, last: Price): void {
    if (last >= this.lowest && last <= this.highest) return;
    this.lowest = Math.min(this.lowest, last);
    this.highest = Math.max(this.highest, last);
    for (const number of book.firedBy(last)) this.waiting.add(number);
  }

  /**
   * Looks at each price at which a user traded as the aggressor, since each was the last traded price once. The price
   * of an auction fires nothing here.
   */
  seeTrades(book: Book, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== 'Traded' || event.auction === true) continue;
      const incoming = event.aggressor === 'B' ? event.buy : event.sell;
      if (incoming !== undefined) this.see(book, event.price);
    }
  }

  /**
   * The stop that is released next; `undefined` when none is left. A stop that was cancelled meanwhile is passed over.
   */
  next(book: Book): OrderNumber | undefined {
    for (const number of this.waiting) {
      this.waiting.delete(number);
      if (book.isArmed(number)) return number;
    }
    return undefined;
  }
}

/**
 * The stops that the opening price fires as continuous trading begins, before its first trades replace that price.
 * Source: market-rules R3.14.
 */
export function firedByOpening(book: Book): OrderNumber[] {
  return book.phase !== 'Continuous' || book.lastTrade === undefined ? [] : book.firedBy(book.lastTrade.price);
}

/**
 * Releases the stops that fire in continuous trading after `events`, those in `opened` first, until none is left;
 * their trades may fire others. `printed` are the prices of the market's trades that the book meets now. `venueOf`
 * gives the venue as it is by then, `follow` applies the events of a release.
 */
export function releaseStops(
  venueOf: () => Venue,
  events: readonly Event[],
  opened: readonly OrderNumber[],
  printed: readonly Price[],
  follow: (released: readonly Event[]) => void,
): void {
  const venue = venueOf();
  const { book } = venue;
  if (venue.stopped || book.phase !== 'Continuous') return;
  const fired = new FiredStops(opened);
  fired.seeTrades(book, events);
  for (const price of printed) fired.see(book, price);
  fired.see(book, lastTradedPrice(venue));
  for (let releases = 0; ; releases += 1) {
    assert(releases < MAX_RELEASES, 'stops do not fire without end');
    const number = fired.next(book);
    if (number === undefined) return;
    const released = fireStop(venueOf(), number);
    follow(released);
    fired.seeTrades(book, released);
  }
}

/** Turns a fired stop into an order, with its trades. */
export function fireStop(venue: Venue, number: OrderNumber): Event[] {
  const rows = freshRows(venue);
  const order = stillAdmitted(venue.order(number));
  rows.add('StopTriggered').order = number;
  if (isLeftUnprotected(venue, order)) rows.addCancelled(number, NO_ORDER, 'OutsideProtection');
  else enter(venue, order, rows);
  return eventsOf(rows, venue, order);
}

/**
 * Checks the limit of a client's stop-limit when it fires. The limit that the broker gave to a stop-market order is not
 * checked. Source: R1.46, R3.15.
 */
function isLeftUnprotected(venue: Venue, { side, terms }: AdmittedOrder): boolean {
  if (terms.priceType !== 'SL-LMT') return false;
  const range = protectionAt(venue);
  return range !== undefined && isUnprotected(side, terms.price, range);
}
