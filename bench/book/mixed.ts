import { OrderBook, type Side as ReferenceSide } from 'nodejs-order-book';
import { assert, must } from '../../src/base/assert.ts';
import type { AccountId, InstrumentId, OrderNumber } from '../../src/base/ids.ts';
import type { Price, Quantity } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import { applyRow } from '../../src/core/exchange/book/apply-book.ts';
import { Book } from '../../src/core/exchange/book/book.ts';
import { BookStore } from '../../src/core/exchange/book/book-store.ts';
import { type AdmittedOrder, stillAdmitted } from '../../src/core/exchange/matching/admitted-order.ts';
import { cancel } from '../../src/core/exchange/matching/cancel.ts';
import { submit } from '../../src/core/exchange/matching/submit.ts';
import type { EventRows } from '../../src/core/exchange/rows/event-rows.ts';
import { freshRows } from '../../src/core/exchange/rows/fresh-rows.ts';
import { setLimitsForOrders } from '../../src/os/start-limits.ts';
import { cpuTimedAlone } from '../process/heap.ts';
import { keepFirst } from '../process/living.ts';
import { type BenchRow, inTurn, median, ratios, spreadOf } from '../rows.ts';
import { BenchVenue, emptyOrder, emptyTerms, FIRST_ORDER, MIDDLE, TICK, type Writable } from './floor.ts';

/**
 * Books under load: 50 % orders that come to rest, 35 % cancellations of a random resting order, 15 % orders that trade
 * at once. The same operations run on our book and on nodejs-order-book, and both must trade the same units. The market
 * shows nothing, so that only users meet. Ours decides rows and applies them. The work around the books costs little:
 * operations and the ids of the reference are ready, and one order is written again for each that comes. The clock is
 * the CPU time of the process, its collector's threads included: the machine is shared.
 */

const LARGEST = 100;
/** Those who take have other accounts than those who make: the reference knows no self-trade rule by default. */
const ACCOUNTS = 100;
export const ADD = 0;
export const CANCEL = 1;
const TAKE = 2;

/**
 * A list of operations in columns. `subject` is the serial number, without gaps, of the order that comes or is
 * cancelled.
 */
export interface Workload {
  readonly size: number;
  /** How many of the first operations only fill the books. */
  readonly opening: number;
  readonly books: number;
  readonly kind: Uint8Array;
  readonly book: Uint8Array;
  readonly buys: Uint8Array;
  readonly price: Int32Array;
  readonly quantity: Int32Array;
  readonly subject: Int32Array;
}

interface Shape {
  readonly resting: number;
  readonly books: number;
  /** Prices a side over which the resting orders spread. */
  readonly ticks: number;
  readonly operations: number;
}

/** Books, and the order that comes. */
class Exchange {
  tradedUnits = 0;
  private readonly load: Workload;
  private readonly books: Book[];
  private readonly venue = new BenchVenue();
  private readonly terms = emptyTerms();
  private readonly admitted = stillAdmitted(emptyOrder(this.terms)) as Writable<AdmittedOrder>;

  constructor(load: Workload) {
    const store = new BookStore();
    this.load = load;
    this.books = Array.from({ length: load.books }, () => new Book(store));
  }

  perform(at: number): void {
    const { load, venue } = this;
    const number = (FIRST_ORDER + (load.subject[at] as number)) as OrderNumber;
    venue.instrument = load.book[at] as InstrumentId;
    venue.book = this.books[venue.instrument] as Book;
    const rows = freshRows(venue);
    if (load.kind[at] === CANCEL) cancel(venue, number, 'Client', rows);
    else submit(venue, this.admit(at, number), rows);
    this.follow(venue.book, rows);
  }

  /** True while the order that came with that operation rests. */
  isResting(at: number): boolean {
    const { book, subject } = this.load;
    return (this.books[book[at] as number] as Book).isResting((FIRST_ORDER + (subject[at] as number)) as OrderNumber);
  }

  private admit(at: number, number: OrderNumber): AdmittedOrder {
    const { load, terms, admitted } = this;
    terms.quantity = load.quantity[at] as Quantity;
    terms.price = load.price[at] as Price;
    admitted.order = number;
    admitted.account = accountAt(load, at);
    admitted.side = load.buys[at] === 1 ? 'B' : 'S';
    admitted.remaining = terms.quantity;
    return admitted;
  }

  private follow(book: Book, rows: EventRows): void {
    for (let index = 0; index < rows.count; index += 1) {
      const row = rows.at(index);
      applyRow(book, rows, row);
      if (row.kind === 'Traded') this.tradedUnits += row.quantity;
    }
  }
}

function accountAt(load: Workload, at: number): AccountId {
  return ((at % ACCOUNTS) + (load.kind[at] === TAKE ? ACCOUNTS : 0)) as AccountId;
}

/** Operations that keep about as many orders resting as the shape says. */
export function workload(seed: number, shape: Shape): Workload {
  const size = shape.resting + shape.operations;
  const load: Workload = {
    size,
    opening: shape.resting,
    books: shape.books,
    kind: new Uint8Array(size),
    book: new Uint8Array(size),
    buys: new Uint8Array(size),
    price: new Int32Array(size),
    quantity: new Int32Array(size),
    subject: new Int32Array(size),
  };
  const random = new Random(seed);
  const exchange = new Exchange(load);
  const makers: number[] = [];
  let orders = 0;
  for (let at = 0; at < size; at += 1) {
    const draw = at < shape.resting ? 0 : random.below(100);
    if (draw >= 50 && draw < 85) cancelOne(load, at, drawLive(random, exchange, makers));
    else newOrder(load, at, random, shape.ticks, draw < 50 ? ADD : TAKE);
    if (load.kind[at] !== CANCEL) {
      load.subject[at] = orders;
      orders += 1;
    }
    if (load.kind[at] === ADD) makers.push(at);
    exchange.perform(at);
  }
  return load;
}

function cancelOne(load: Workload, at: number, target: number): void {
  load.kind[at] = CANCEL;
  load.subject[at] = load.subject[target] as number;
  load.book[at] = load.book[target] as number;
}

/** Orders that rest lie on their own side of the middle; orders that take have a limit beyond all of them. */
function newOrder(load: Workload, at: number, random: Random, ticks: number, kind: number): void {
  const buys = random.below(2);
  const away = TICK * (kind === TAKE ? ticks + 1 : random.between(1, ticks));
  const below = (kind === ADD) === (buys === 1);
  load.kind[at] = kind;
  load.book[at] = random.below(load.books);
  load.buys[at] = buys;
  load.price[at] = below ? MIDDLE * 10 - away : MIDDLE * 10 + away;
  load.quantity[at] = random.between(1, LARGEST);
}

/** A random live order, taken from the list; filled ones that are met are dropped. */
function drawLive(random: Random, exchange: Exchange, makers: number[]): number {
  for (;;) {
    const place = random.below(makers.length);
    const maker = must(makers[place], 'something rests');
    makers[place] = makers[makers.length - 1] as number;
    makers.pop();
    if (exchange.isResting(maker)) return maker;
  }
}

export interface Run {
  /** Millions of operations a second. */
  readonly rate: number;
  readonly tradedUnits: number;
}

export function runOurs(load: Workload): Run {
  const exchange = new Exchange(load);
  keepFirst('ours', exchange);
  for (let at = 0; at < load.opening; at += 1) exchange.perform(at);
  const rate = rateOf(load, () => {
    for (let at = load.opening; at < load.size; at += 1) exchange.perform(at);
  });
  return { rate, tradedUnits: exchange.tradedUnits };
}

function runReference(load: Workload, ids: readonly string[]): Run {
  const book = new OrderBook();
  keepFirst('nodejs-order-book', book);
  let tradedUnits = 0;
  const perform = (at: number): void => {
    const id = ids[load.subject[at] as number] as string;
    if (load.kind[at] === CANCEL) {
      book.cancel(id);
      return;
    }
    const size = load.quantity[at] as number;
    const side = (load.buys[at] === 1 ? 'buy' : 'sell') as ReferenceSide;
    tradedUnits += size - book.limit({ id, side, size, price: load.price[at] as number }).quantityLeft;
  };
  for (let at = 0; at < load.opening; at += 1) perform(at);
  const rate = rateOf(load, () => {
    for (let at = load.opening; at < load.size; at += 1) perform(at);
  });
  return { rate, tradedUnits };
}

/** Millions of the timed operations in a second of CPU time. */
export function rateOf({ size, opening }: Workload, work: () => void): number {
  return (size - opening) / cpuTimedAlone(work);
}

export const MIXED: Shape = { resting: 1_000, books: 1, ticks: 100, operations: 1_000_000 };
const WIDE: Shape = { resting: 100_000, books: 1, ticks: 1_000, operations: 1_000_000 };
/** B1 over many books: each order opens a level or closes one. */
const FEW_EACH: Shape = { resting: 1_000, books: 100, ticks: 100, operations: 1_000_000 };
export const MANY: Shape = { resting: 100_000, books: 100, ticks: 100, operations: 1_000_000 };
const HUGE: Shape = { resting: 1_000_000, books: 1, ticks: 1_000, operations: 1_000_000 };

/**
 * Rounds of the shapes of our own book for one of a comparison with another program: they cost little and differ much.
 */
const ROUNDS_OF_BOOKS = 3;

/** A shape that is measured beside the smallest one. */
interface Beside {
  readonly id: string;
  readonly what: string;
  readonly shape: Shape;
  readonly goal: number;
}

const BESIDE: readonly Beside[] = [
  { id: 'B2', what: 'the same with 100,000 resting in one book', shape: WIDE, goal: 0.7 },
  { id: 'B2', what: 'the same with 1,000 resting in 100 books', shape: FEW_EACH, goal: 0.7 },
  { id: 'B2', what: 'the same with 100,000 resting in 100 books', shape: MANY, goal: 0.7 },
  { id: 'B12', what: 'the same with 1,000,000 resting in one book', shape: HUGE, goal: 0.75 },
];

/** B1 alone. */
export function mixedRow(rounds: number): BenchRow {
  return besideReference(workload(1, MIXED), rounds);
}

/** Measures B1, B2 and the books' part of B12, prints the rows and returns them. */
export function benchBook(rounds = 7): BenchRow[] {
  const mixed = workload(1, MIXED);
  const rows = [besideReference(mixed, rounds), ...besideOurs(mixed, rounds)];
  for (const row of rows) console.log(Object.values(row).join(' | '));
  return rows;
}

function besideReference(mixed: Workload, rounds: number): BenchRow {
  const ids = Array.from(mixed.kind, (_, at) => String(FIRST_ORDER + at));
  runOurs(mixed);
  const { ours, reference } = inTurn(
    rounds,
    () => runOurs(mixed),
    () => runReference(mixed, ids),
  );
  for (const [round, { tradedUnits }] of ours.entries()) {
    assert(tradedUnits === reference[round]?.tradedUnits, 'both books traded the same units');
  }
  return rowOf('B1', 'book operations, mixed, 1,000 resting', ours, reference, 'nodejs-order-book', 40);
}

/**
 * Each round runs every shape, so that all meet the same noise. One round is not a measure: by the caches that the
 * machine's other guests leave us, a shape gets from half to all of the speed of the smallest.
 */
function besideOurs(mixed: Workload, rounds: number): BenchRow[] {
  const loads = BESIDE.map(({ shape }) => workload(2, shape));
  const { ours, reference } = inTurn(
    ROUNDS_OF_BOOKS * rounds,
    () => loads.map((load) => runOurs(load)),
    () => runOurs(mixed),
  );
  return BESIDE.map(({ id, what, goal }, at) =>
    rowOf(
      id,
      what,
      ours.map((runs) => must(runs[at], 'every round runs every shape')),
      reference,
      'our B1',
      goal,
    ),
  );
}

function rowOf(id: string, what: string, ours: Run[], reference: Run[], name: string, goal: number): BenchRow {
  const rates = ours.map(({ rate }) => rate);
  const others = reference.map(({ rate }) => rate);
  const each = ratios(rates, others);
  const ratio = median(each);
  return {
    id,
    what,
    ours: `${median(rates).toFixed(2)} M/s of CPU time`,
    reference: `${name}: ${median(others).toFixed(2)} M/s`,
    ratio: ratio.toFixed(2),
    spread: spreadOf(each),
    goal: `at least ${goal.toFixed(2)} times`,
    reached: ratio >= goal,
  };
}

if (import.meta.main) {
  setLimitsForOrders();
  benchBook();
}
