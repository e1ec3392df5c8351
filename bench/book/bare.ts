import { assert } from '../../src/base/assert.ts';
import { inTurn, median, spreadOf } from '../rows.ts';
import { MIDDLE, TICK } from './floor.ts';
import { ADD, CANCEL, MANY, MIXED, type Run, rateOf, runOurs, type Workload, workload } from './mixed.ts';

/**
 * The cost of the processor's memory alone for 100 books: the operations of bench/book/mixed.ts on bare arrays, with
 * nothing of an exchange around them. A price is a place, orders and levels are records of 16 bytes, and nothing is
 * decided, checked or allocated. Prints the nanoseconds of CPU time that an operation costs in one book and in 100,
 * beside those of our own books.
 */

/** Places for prices in a ladder; place 0 is nobody's. */
const PLACES = 128;
const RECORD = 4;
/** Fields of a level. */
const QUANTITY = 0;
const ORDERS = 1;
const FIRST = 2;
const LAST = 3;
/** Fields of an order. */
const LEVEL = 0;
const REMAINING = 1;
const PREVIOUS = 2;
const NEXT = 3;

class BareBooks {
  tradedUnits = 0;
  private readonly load: Workload;
  /** By ladder: the place nearest to the middle where something may rest. */
  private readonly best: Int32Array;
  private readonly levels: Int32Array;
  /** By serial number of the order, from 1; 0 is none. */
  private readonly orders: Int32Array;

  constructor(load: Workload) {
    this.load = load;
    this.best = new Int32Array(load.books * 2).fill(PLACES);
    this.levels = new Int32Array(load.books * 2 * PLACES * RECORD);
    this.orders = new Int32Array((load.size + 1) * RECORD);
  }

  perform(at: number): void {
    const { kind, subject } = this.load;
    if (kind[at] === CANCEL) this.remove((subject[at] as number) + 1);
    else if (kind[at] === ADD) this.add(at);
    else this.take(at);
  }

  private add(at: number): void {
    const { load, levels, orders, best } = this;
    const ladder = (load.book[at] as number) * 2 + (load.buys[at] as number);
    const place = Math.abs((load.price[at] as number) - MIDDLE * 10) / TICK;
    const level = (ladder * PLACES + place) * RECORD;
    const serial = (load.subject[at] as number) + 1;
    const last = levels[level + LAST] as number;
    orders[serial * RECORD + LEVEL] = level;
    orders[serial * RECORD + REMAINING] = load.quantity[at] as number;
    orders[serial * RECORD + PREVIOUS] = last;
    if (last === 0) levels[level + FIRST] = serial;
    else orders[last * RECORD + NEXT] = serial;
    levels[level + LAST] = serial;
    levels[level + QUANTITY] = (levels[level + QUANTITY] as number) + (load.quantity[at] as number);
    levels[level + ORDERS] = (levels[level + ORDERS] as number) + 1;
    if (place < (best[ladder] as number)) best[ladder] = place;
  }

  private take(at: number): void {
    const { load, levels, orders, best } = this;
    const ladder = (load.book[at] as number) * 2 + 1 - (load.buys[at] as number);
    let left = load.quantity[at] as number;
    let place = best[ladder] as number;
    while (left > 0 && place < PLACES) {
      const level = (ladder * PLACES + place) * RECORD;
      const first = levels[level + FIRST] as number;
      if (first === 0) {
        place += 1;
        continue;
      }
      const remaining = orders[first * RECORD + REMAINING] as number;
      const units = Math.min(left, remaining);
      left -= units;
      this.tradedUnits += units;
      if (units === remaining) this.remove(first);
      else {
        orders[first * RECORD + REMAINING] = remaining - units;
        levels[level + QUANTITY] = (levels[level + QUANTITY] as number) - units;
      }
    }
    best[ladder] = place;
  }

  private remove(serial: number): void {
    const { levels, orders } = this;
    const order = serial * RECORD;
    const level = orders[order + LEVEL] as number;
    const previous = orders[order + PREVIOUS] as number;
    const next = orders[order + NEXT] as number;
    levels[level + QUANTITY] = (levels[level + QUANTITY] as number) - (orders[order + REMAINING] as number);
    levels[level + ORDERS] = (levels[level + ORDERS] as number) - 1;
    if (previous === 0) levels[level + FIRST] = next;
    else orders[previous * RECORD + NEXT] = next;
    if (next === 0) levels[level + LAST] = previous;
    else orders[next * RECORD + PREVIOUS] = previous;
  }
}

function runBare(load: Workload): Run {
  const books = new BareBooks(load);
  for (let at = 0; at < load.opening; at += 1) books.perform(at);
  const rate = rateOf(load, () => {
    for (let at = load.opening; at < load.size; at += 1) books.perform(at);
  });
  return { rate, tradedUnits: books.tradedUnits };
}

function compare(name: string, load: Workload, rounds: number): void {
  assert(runOurs(load).tradedUnits === runBare(load).tradedUnits, 'both trade the same units');
  const { ours, reference } = inTurn(
    rounds,
    () => runOurs(load),
    () => runBare(load),
  );
  const [mine, bare] = [ours, reference].map((runs) => runs.map(({ rate }) => 1_000 / rate)) as [number[], number[]];
  const figures = `${median(mine).toFixed(0)} ns (${spreadOf(mine, 0)}), bare arrays ${median(bare).toFixed(0)} ns (${spreadOf(bare, 0)})`;
  console.log(`${name}: our books ${figures}`);
}

compare('1,000 resting in one book', workload(1, MIXED), 5);
compare('100,000 resting in 100 books', workload(2, MANY), 5);
