import type { AccountId, OrderNumber } from '../../../src/base/ids.ts';
import type { Price, Quantity } from '../../../src/base/money.ts';
import { applyRow } from '../../../src/core/exchange/book/apply-book.ts';
import { Book } from '../../../src/core/exchange/book/book.ts';
import { BookStore } from '../../../src/core/exchange/book/book-store.ts';
import { type AdmittedOrder, stillAdmitted } from '../../../src/core/exchange/matching/admitted-order.ts';
import { cancel } from '../../../src/core/exchange/matching/cancel.ts';
import { replace } from '../../../src/core/exchange/matching/replace.ts';
import { submit } from '../../../src/core/exchange/matching/submit.ts';
import type { EventRow, EventRows } from '../../../src/core/exchange/rows/event-rows.ts';
import { freshRows } from '../../../src/core/exchange/rows/fresh-rows.ts';
import { BenchVenue, emptyOrder, emptyTerms, FIRST_ORDER, type Writable } from '../floor.ts';
import { CANCEL, IMMEDIATE, type Messages, MODIFY } from './messages.ts';
import type { Reports } from './reports.ts';

/** Our book under messages. It decides rows and applies them; each order is of another account. */
export class OurBook {
  private readonly messages: Messages;
  private readonly reports: Reports;
  private readonly venue = new BenchVenue();
  private readonly terms = emptyTerms();
  private readonly admitted: Writable<AdmittedOrder>;
  private readonly previous = emptyTerms();

  constructor(messages: Messages, reports: Reports) {
    this.messages = messages;
    this.reports = reports;
    this.venue.book = new Book(new BookStore());
    this.admitted = stillAdmitted(emptyOrder(this.terms)) as Writable<AdmittedOrder>;
  }

  perform(at: number): void {
    const { messages, venue } = this;
    const kind = messages.kind[at] as number;
    const serial = messages.subject[at] as number;
    const number = (FIRST_ORDER + serial) as OrderNumber;
    const isNamed = kind === CANCEL || kind === MODIFY;
    if (isNamed && !venue.book.isResting(number)) {
      this.reports.refused(serial);
      return;
    }
    const rows = freshRows(venue);
    if (kind === CANCEL) cancel(venue, number, 'Client', rows);
    else if (kind === MODIFY) this.replace(at, number, rows);
    else submit(venue, this.admit(at, number, kind === IMMEDIATE), rows);
    this.follow(rows);
  }

  /** The terms before count the units that are left, as the new ones do. */
  private replace(at: number, number: OrderNumber, rows: EventRows): void {
    const { previous, venue } = this;
    previous.price = venue.book.priceOf(venue.book.store.orders.find(number));
    previous.quantity = venue.book.remainingOf(number);
    replace(venue, this.admit(at, number, false), previous, rows);
  }

  private admit(at: number, number: OrderNumber, isImmediate: boolean): AdmittedOrder {
    const { messages, terms, admitted } = this;
    terms.price = messages.price[at] as Price;
    terms.quantity = messages.quantity[at] as Quantity;
    terms.retention = isImmediate ? 'IOC' : 'DAY';
    admitted.order = number;
    admitted.account = messages.subject[at] as AccountId;
    admitted.side = messages.buys[at] === 1 ? 'B' : 'S';
    admitted.remaining = terms.quantity;
    return admitted;
  }

  private follow(rows: EventRows): void {
    for (let index = 0; index < rows.count; index += 1) {
      const row = rows.at(index);
      applyRow(this.venue.book, rows, row);
      this.report(row);
    }
  }

  private report({ kind, reason, order, resting, price, quantity }: EventRow): void {
    if (kind === 'Traded') {
      this.reports.traded(resting - FIRST_ORDER, order - FIRST_ORDER, price, quantity);
    } else if (kind === 'OrderCancelled' && reason === 'ImmediateOrCancel') {
      this.reports.ended(order - FIRST_ORDER);
    }
  }
}
