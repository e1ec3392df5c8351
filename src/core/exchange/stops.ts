import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { Side } from '../order.ts';

/** A stop order that waits for the last price to come to its trigger. */
export interface ArmedStop {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly side: Side;
  readonly trigger: Price;
  /** Its place in the order of arming: stops that fire together fire in this order. */
  readonly place: number;
}

/** The armed stops of one side, sorted so that those that fire first stand at the end. */
export class StopQueue {
  private readonly stops: ArmedStop[] = [];
  private readonly sign: 1 | -1;

  constructor(side: Side) {
    this.sign = side === 'B' ? -1 : 1;
  }

  get size(): number {
    return this.stops.length;
  }

  arm(stop: ArmedStop): void {
    this.stops.splice(this.indexOf(stop), 0, stop);
  }

  disarm(stop: ArmedStop): void {
    this.stops.splice(this.indexOf(stop), 1);
  }

  /** Of the stops that `last` fires, the one that was armed first. Source: market-rules R3.14, R3.15. */
  fired(last: Price): ArmedStop | undefined {
    let first: ArmedStop | undefined;
    for (let index = this.stops.length - 1; index >= 0; index -= 1) {
      const stop = this.stops[index] as ArmedStop;
      if (stop.trigger * this.sign < last * this.sign) break;
      if (first === undefined || stop.place < first.place) first = stop;
    }
    return first;
  }

  [Symbol.iterator](): Iterator<ArmedStop> {
    return this.stops[Symbol.iterator]();
  }

  /** Where a stop stands, or would stand: by trigger, the later armed nearer to the start. */
  private indexOf(stop: ArmedStop): number {
    const { stops, sign } = this;
    let low = 0;
    let high = stops.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = stops[middle] as ArmedStop;
      const order = (other.trigger - stop.trigger) * sign || stop.place - other.place;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
