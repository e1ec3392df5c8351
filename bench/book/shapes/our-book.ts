import { must } from '../../../src/base/assert.ts';
import type { AccountId, OrderNumber } from '../../../src/base/ids.ts';
import type { Price, Quantity } from '../../../src/base/money.ts';
import type { Event, Traded } from '../../../src/core/event.ts';
import { applyToBook } from '../../../src/core/exchange/book/apply-book.ts';
import { Book } from '../../../src/core/exchange/book/book.ts';
import { BookStore } from '../../../src/core/exchange/book/book-store.ts';
import { type AdmittedOrder, stillAdmitted } from '../../../src/core/exchange/matching/admitted-order.ts';
import { decideCancel } from '../../../src/core/exchange/matching/cancel.ts';
import { decideReplace } from '../../../src/core/exchange/matching/replace.ts';
import { decideSubmission } from '../../../src/core/exchange/matching/submit.ts';
import type { Order } from '../../../src/core/order.ts';
import { BenchVenue, emptyOrder, emptyTerms, FIRST_ORDER, type Writable } from '../floor.ts';
import { CANCEL, IMMEDIATE, type Messages, MODIFY } from './messages.ts';
import type { Reports } from './reports.ts';

/** Our book under messages. It decides events and applies them, as the core does; each order is of another account. */
export class OurBook {
  private readonly messages: Messages;
  private readonly reports: Reports;
  private readonly venue = new BenchVenue();
  private readonly terms = emptyTerms();
  private readonly order: Writable<Order> = emptyOrder(this.terms);
  private readonly admitted: Writable<AdmittedOrder>;
  private readonly previous = emptyTerms();
  /** By serial number: the order's units in all, its limit, and the units that traded. */
  private readonly quantities: Int32Array;
  private readonly prices: Int32Array;
  private readonly filled: Int32Array;

  constructor(messages: Messages, reports: Reports) {
    this.messages = messages;
    this.reports = reports;
    this.venue.book = new Book(new BookStore());
    this.admitted = stillAdmitted(emptyOrder(this.terms)) as Writable<AdmittedOrder>;
    this.quantities = new Int32Array(messages.orders);
    this.prices = new Int32Array(messages.orders);
    this.filled = new Int32Array(messages.orders);
  }

  perform(at: number): void {
    const { messages, venue } = this;
    const kind = messages.kind[at] as number;
    const serial = messages.subject[at] as number;
    const number = (FIRST_ORDER + serial) as OrderNumber;
    const isNamed = kind === CANCEL || kind === MODIFY;
    if (isNamed && !venue.book.isResting(number)) this.reports.refused(serial);
    else if (kind === CANCEL) this.follow(decideCancel(venue, number, 'Client'));
    else if (kind === MODIFY) this.replace(at, serial);
    else this.follow(decideSubmission(venue, this.admit(at, serial, kind === IMMEDIATE)));
  }

  /** The order that comes or gets new terms, as the registry of the core has it. */
  get(): Order {
    return this.order;
  }

  private replace(at: number, serial: number): void {
    const { previous } = this;
    previous.price = this.prices[serial] as Price;
    previous.quantity = this.quantities[serial] as Quantity;
    const filled = this.filled[serial] as number;
    this.follow(decideReplace(this.venue, this.admit(at, serial, false, filled), previous));
  }

  /** New units are those still to be filled, on top of those that traded. */
  private admit(at: number, serial: number, isImmediate: boolean, filled = 0): AdmittedOrder {
    const { messages, order, terms, admitted } = this;
    const left = messages.quantity[at] as Quantity;
    terms.price = messages.price[at] as Price;
    terms.quantity = (left + filled) as Quantity;
    terms.retention = isImmediate ? 'IOC' : 'DAY';
    order.number = (FIRST_ORDER + serial) as OrderNumber;
    order.account = serial as AccountId;
    order.side = messages.buys[at] === 1 ? 'B' : 'S';
    order.filled = filled as Quantity;
    admitted.order = order.number;
    admitted.account = order.account;
    admitted.side = order.side;
    admitted.remaining = left;
    this.prices[serial] = terms.price;
    this.quantities[serial] = terms.quantity;
    return admitted;
  }

  private follow(events: readonly Event[]): void {
    for (const event of events) {
      applyToBook(this.venue.book, event, this);
      if (event.type === 'Traded') this.note(event);
      else if (event.type === 'OrderCancelled' && event.reason === 'ImmediateOrCancel') {
        this.reports.ended(event.order - FIRST_ORDER);
      }
    }
  }

  private note({ buy, sell, price, quantity, aggressor }: Traded): void {
    const bought = must(buy, 'only users trade').order - FIRST_ORDER;
    const sold = must(sell, 'only users trade').order - FIRST_ORDER;
    this.filled[bought] = (this.filled[bought] as number) + quantity;
    this.filled[sold] = (this.filled[sold] as number) + quantity;
    this.order.filled = (this.order.filled + quantity) as Quantity;
    if (aggressor === 'B') this.reports.traded(sold, bought, price, quantity);
    else this.reports.traded(bought, sold, price, quantity);
  }
}
