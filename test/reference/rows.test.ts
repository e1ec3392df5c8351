/**
 * A book that changes by the rows of a decision beside one that changes by the events made of them, as they come back
 * from the journal: both are the same after every message.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { BenchVenue, emptyOrder, emptyTerms, FIRST_ORDER } from '../../bench/book/floor.ts';
import { CANCEL, IMMEDIATE, type Messages, MODIFY, messagesOf } from '../../bench/book/shapes/messages.ts';
import type { AccountId, OrderNumber } from '../../src/base/ids.ts';
import type { Price, Quantity } from '../../src/base/money.ts';
import type { Event } from '../../src/core/event.ts';
import { applyRow, applyToBook } from '../../src/core/exchange/book/apply-book.ts';
import { Book } from '../../src/core/exchange/book/book.ts';
import { checkBook } from '../../src/core/exchange/book/check-book.ts';
import { stillAdmitted } from '../../src/core/exchange/matching/admitted-order.ts';
import { cancel } from '../../src/core/exchange/matching/cancel.ts';
import { replace } from '../../src/core/exchange/matching/replace.ts';
import { submit } from '../../src/core/exchange/matching/submit.ts';
import type { EventRows } from '../../src/core/exchange/rows/event-rows.ts';
import { freshRows } from '../../src/core/exchange/rows/fresh-rows.ts';
import { eventsOf } from '../../src/core/exchange/rows/row-events.ts';
import type { Order } from '../../src/core/order.ts';

const MESSAGES = 5_000;
/** Few, so that orders of one account meet each other. */
const ACCOUNTS = 20;

class TwoBooks {
  readonly byRows = new Book();
  readonly byEvents = new Book();
  readonly seen = new Map<string, number>();
  private readonly messages: Messages;
  private readonly isLeftOut: (event: Event) => boolean;
  private readonly venue = new BenchVenue();
  private readonly orders = new Map<OrderNumber, Order>();

  constructor(messages: Messages, isLeftOut: (event: Event) => boolean = () => false) {
    this.messages = messages;
    this.isLeftOut = isLeftOut;
    this.venue.book = this.byRows;
    this.venue.order = () => emptyOrder(emptyTerms());
  }

  perform(at: number): void {
    const number = (FIRST_ORDER + (this.messages.subject[at] as number)) as OrderNumber;
    const kind = this.messages.kind[at];
    if ((kind === CANCEL || kind === MODIFY) && !this.byRows.isResting(number)) return;
    const rows = freshRows(this.venue);
    const order = kind === CANCEL ? undefined : this.orderOf(at, number);
    if (order === undefined) cancel(this.venue, number, 'Client', rows);
    else if (kind === MODIFY) replace(this.venue, stillAdmitted(order), this.known(number).terms, rows);
    else submit(this.venue, stillAdmitted(order), rows);
    if (kind !== CANCEL && kind !== MODIFY && order !== undefined) this.orders.set(number, order);
    this.follow(rows, eventsOf(rows, this.venue, order && stillAdmitted(order)));
  }

  private follow(rows: EventRows, events: readonly Event[]): void {
    assert.equal(events.length, rows.count);
    for (let row = 0; row < rows.count; row += 1) applyRow(this.byRows, rows, rows.at(row));
    for (const event of events) {
      this.seen.set(event.type, (this.seen.get(event.type) ?? 0) + 1);
      if (!this.isLeftOut(event)) applyToBook(this.byEvents, event, this.orders);
      this.note(event);
    }
  }

  private note(event: Event): void {
    if (event.type === 'OrderReplaced') this.known(event.order).terms = event.terms;
    if (event.type !== 'Traded') return;
    for (const side of [event.buy, event.sell]) {
      if (side === undefined) continue;
      const order = this.known(side.order);
      order.filled = (order.filled + event.quantity) as Quantity;
    }
  }

  private orderOf(at: number, number: OrderNumber): Order {
    const { price, quantity, buys, kind, subject } = this.messages;
    const filled = kind[at] === MODIFY ? this.known(number).filled : (0 as Quantity);
    const terms = {
      ...emptyTerms(),
      retention: kind[at] === IMMEDIATE ? 'IOC' : 'DAY',
      price: price[at] as Price,
      quantity: ((quantity[at] as number) + filled) as Quantity,
    } as const;
    const account = ((subject[at] as number) % ACCOUNTS) as AccountId;
    return { ...emptyOrder(terms), number, account, side: buys[at] === 1 ? 'B' : 'S', filled };
  }

  private known(number: OrderNumber): Order {
    const order = this.orders.get(number);
    assert.ok(order !== undefined, `order ${number}`);
    return order;
  }
}

const MESSAGES_OF_TEST = messagesOf(40, MESSAGES, () => 1);

test('a book that changes by rows and one that changes by their events are the same', () => {
  const books = new TwoBooks(MESSAGES_OF_TEST);
  for (let at = 0; at < MESSAGES; at += 1) {
    books.perform(at);
    if (at % 100 !== 0) continue;
    checkBook(books.byRows);
    assert.deepEqual(books.byEvents.dump(), books.byRows.dump(), `message ${at}`);
  }
  for (const kind of ['OrderRested', 'OrderCancelled', 'Traded', 'OrderReplaced']) {
    assert.ok((books.seen.get(kind) ?? 0) > 100, `${kind}: ${books.seen.get(kind)}`);
  }
});

test('one event that is left out makes the books differ', () => {
  let cancelled = 0;
  const books = new TwoBooks(MESSAGES_OF_TEST, (event) => {
    cancelled += Number(event.type === 'OrderCancelled' && event.reason === 'Client');
    return cancelled === 50 && event.type === 'OrderCancelled' && event.reason === 'Client';
  });
  for (let at = 0; at < MESSAGES && cancelled < 50; at += 1) books.perform(at);
  assert.notDeepEqual(books.byEvents.dump(), books.byRows.dump());
});

test('the rows of a decision are those of the one before, and few of a large one are kept', () => {
  const { rows } = new Book().store;
  const first = rows.add('QueueAdvanced');
  rows.clear();
  assert.equal(rows.count, 0);
  assert.equal(rows.add('StopArmed'), first);
  for (let more = 0; more < 10_000; more += 1) rows.add('QueueAdvanced');
  const last = rows.at(10_000);
  rows.clear();
  for (let more = 0; more <= 10_000; more += 1) rows.add('QueueAdvanced');
  assert.equal(rows.at(0), first);
  assert.notEqual(rows.at(10_000), last);
});
