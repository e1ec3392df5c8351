import { must } from '../../../src/base/assert.ts';
import { ADD, CANCEL, IMMEDIATE, type Messages } from './messages.ts';
import type { Reports } from './reports.ts';

interface Resting {
  readonly serial: number;
  readonly buys: boolean;
  price: number;
  left: number;
}

/**
 * The same messages on the plainest book that can be written: a queue of each price in a map, and a sorted list of the
 * prices of each side. It shares no line with ours, and gives the reports that ours must give.
 */
export class NaiveBook {
  private readonly messages: Messages;
  private readonly reports: Reports;
  private readonly resting = new Map<number, Resting>();
  private readonly queues = { buys: new Map<number, Resting[]>(), sells: new Map<number, Resting[]>() };
  /** The best price is the last. */
  private readonly prices = { buys: [] as number[], sells: [] as number[] };

  constructor(messages: Messages, reports: Reports) {
    this.messages = messages;
    this.reports = reports;
  }

  perform(at: number): void {
    const { messages } = this;
    const kind = messages.kind[at];
    const serial = must(messages.subject[at], 'a serial number');
    const price = must(messages.price[at], 'a price');
    const left = must(messages.quantity[at], 'a quantity');
    if (kind === ADD || kind === IMMEDIATE) {
      this.enter({ serial, buys: messages.buys[at] === 1, price, left }, kind === IMMEDIATE);
      return;
    }
    const order = this.resting.get(serial);
    if (order === undefined) this.reports.refused(serial);
    else if (kind === CANCEL) this.remove(order);
    else if (order.price === price && left <= order.left) order.left = left;
    else {
      this.remove(order);
      this.enter({ ...order, price, left }, false);
    }
  }

  private enter(order: Resting, isImmediate: boolean): void {
    const against = order.buys ? 'sells' : 'buys';
    while (order.left > 0) {
      const best = this.prices[against].at(-1);
      if (best === undefined || (order.buys ? best > order.price : best < order.price)) break;
      const maker = must(must(this.queues[against].get(best), 'a queue')[0], 'an order');
      const units = Math.min(maker.left, order.left);
      maker.left -= units;
      order.left -= units;
      this.reports.traded(maker.serial, order.serial, best, units);
      if (maker.left === 0) this.remove(maker);
    }
    if (order.left > 0 && isImmediate) this.reports.ended(order.serial);
    else if (order.left > 0) this.rest(order);
  }

  private rest(order: Resting): void {
    const side = order.buys ? 'buys' : 'sells';
    const queue = this.queues[side].get(order.price);
    this.resting.set(order.serial, order);
    if (queue !== undefined) {
      queue.push(order);
      return;
    }
    this.queues[side].set(order.price, [order]);
    const prices = this.prices[side];
    prices.push(order.price);
    prices.sort((a, b) => (order.buys ? a - b : b - a));
  }

  private remove(order: Resting): void {
    const side = order.buys ? 'buys' : 'sells';
    const queue = must(this.queues[side].get(order.price), 'a queue');
    queue.splice(queue.indexOf(order), 1);
    this.resting.delete(order.serial);
    if (queue.length > 0) return;
    this.queues[side].delete(order.price);
    this.prices[side].splice(this.prices[side].indexOf(order.price), 1);
  }
}
