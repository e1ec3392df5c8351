import { must } from '../../base/assert.ts';
import type { InstrumentId } from '../../base/ids.ts';
import type { Order } from '../order.ts';

/** The fields of an order that it shares with all others in its instrument. */
export type OrderFacts = Readonly<Pick<Order, 'instrument' | 'kind' | 'group' | 'isin'>>;

/**
 * The facts of instruments, each kept once and known by a number from 0 on. An instrument has one entry, and another
 * one when its facts change between the orders of a day.
 */
export class InstrumentFacts {
  private readonly entries: OrderFacts[] = [];
  private readonly newest = new Map<InstrumentId, number>();

  /** The number of an order's facts, which are kept from here on. */
  note(order: OrderFacts): number {
    const known = this.newest.get(order.instrument);
    if (known !== undefined && isOf(this.at(known), order)) return known;
    const number = this.entries.length;
    const { instrument, kind, group, isin } = order;
    this.entries.push({ instrument, kind, group, isin });
    this.newest.set(instrument, number);
    return number;
  }

  /** The facts of a number that was given out. */
  at(number: number): OrderFacts {
    return must(this.entries[number], 'the facts of a number are kept');
  }

  /** All that were noted. */
  values(): readonly OrderFacts[] {
    return this.entries;
  }
}

function isOf({ kind, group, isin }: OrderFacts, order: OrderFacts): boolean {
  return isin === order.isin && group === order.group && kind === order.kind;
}
