import type { OrderNumber } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { Event } from '../event.ts';
import { type AdmittedOrder, stillAdmitted } from './admitted-order.ts';
import type { Book } from './book.ts';
import { execute } from './execute.ts';
import { isUnprotected, protectionAt } from './guards/guarded-prices.ts';
import type { Venue } from './venue.ts';

/**
 * The stops of one book that fired and are to be released, first those of the earlier last traded price, of one price in the order of their
 * arming. What has fired is released whatever the price does meanwhile. Source: market-rules R3.14, R3.15.
 */
export class FiredStops {
  private readonly waiting: OrderNumber[] = [];

  /** A last traded price fires the stops that it reaches. */
  see(book: Book, last: Price): void {
    for (const number of book.firedBy(last)) if (!this.waiting.includes(number)) this.waiting.push(number);
  }

  /** Each price at which a user traded as the aggressor was the last traded price once; that of an auction fires nothing. */
  seeTrades(book: Book, events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== 'Traded' || event.auction === true) continue;
      const incoming = event.aggressor === 'B' ? event.buy : event.sell;
      if (incoming !== undefined) this.see(book, event.price);
    }
  }

  /** The stop that is released next; `undefined` when none is left. One that a client took back meanwhile is passed over. */
  next(book: Book): OrderNumber | undefined {
    for (let number = this.waiting.shift(); number !== undefined; number = this.waiting.shift()) {
      if (book.isArmed(number)) return number;
    }
    return undefined;
  }
}

/** The stops that the opening price fires as continuous trading begins, before its first trades hide it. Source: market-rules R3.14. */
export function firedByOpening(book: Book): FiredStops {
  const fired = new FiredStops();
  if (book.lastTrade !== undefined) fired.see(book, book.lastTrade.price);
  return fired;
}

/** A stop that has fired becomes an order, with what it then trades. */
export function decideRelease(venue: Venue, number: OrderNumber): Event[] {
  const fired: Event = { type: 'StopTriggered', order: number };
  const order = stillAdmitted(venue.order(number));
  if (isLeftUnprotected(venue, order)) {
    return [fired, { type: 'OrderCancelled', order: number, reason: 'OutsideProtection' }];
  }
  return execute(venue, order, fired);
}

/** The limit of a client's stop-limit is looked at now; one that the broker gave to a stop-market order is not. Source: R1.46, R3.15. */
function isLeftUnprotected(venue: Venue, { side, terms }: AdmittedOrder): boolean {
  if (terms.priceType !== 'SL-LMT') return false;
  const range = protectionAt(venue);
  return range !== undefined && isUnprotected(side, terms.price, range);
}
