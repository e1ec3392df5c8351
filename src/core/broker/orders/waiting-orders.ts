/**
 * The orders that wait at the broker for a session, as one table. They stand together by all that their release depends
 * on, so a second asks once for an hour and once for an instrument, however many orders wait. `after-market.ts` says
 * when an hour has come.
 */

import { assert, must } from '../../../base/assert.ts';
import { type AccountId, type Exchange, exchangeOf, type InstrumentId, type OrderNumber } from '../../../base/ids.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Order, OrderTerms } from '../../order.ts';

/** The terms that decide when an order is released. */
export type WaitingTerms = Pick<OrderTerms, 'priceType' | 'retention'>;

/** Orders that wait for the same hour of the same day, at least one, by instrument. */
export interface WaitingBatch {
  readonly exchange: Exchange;
  readonly day: IstDay;
  readonly terms: WaitingTerms;
  readonly instruments: ReadonlyMap<InstrumentId, ReadonlySet<OrderNumber>>;
}

interface Batch extends WaitingBatch {
  readonly instruments: Map<InstrumentId, Set<OrderNumber>>;
}

/** An order with a day that it waits for. */
type WaitingOrder = Pick<Order, 'number' | 'account' | 'instrument' | 'terms' | 'afterMarket'>;

export class WaitingOrders {
  private readonly kept = new Map<string, Batch>();
  private readonly counts = new Map<AccountId, number>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  has(order: WaitingOrder): boolean {
    if (order.afterMarket === undefined) return false;
    return this.kept.get(keyOf(order))?.instruments.get(order.instrument)?.has(order.number) === true;
  }

  /** How many orders of an account wait. */
  countOf(account: AccountId): number {
    return this.counts.get(account) ?? 0;
  }

  /** Adds an order that has begun to wait. */
  add(order: WaitingOrder): void {
    const { number, account, instrument } = order;
    const { instruments } = this.batchOf(order);
    const numbers = instruments.get(instrument);
    if (numbers === undefined) instruments.set(instrument, new Set([number]));
    else numbers.add(number);
    this.counts.set(account, this.countOf(account) + 1);
    this.count += 1;
  }

  /** Takes an order out before its day or its terms change. It must be here. */
  delete(order: WaitingOrder): void {
    const { number, account, instrument } = order;
    const key = keyOf(order);
    const { instruments } = must(this.kept.get(key), 'an order that waited has its batch');
    const numbers = must(instruments.get(instrument), 'an order that waited has its instrument');
    assert(numbers.delete(number), 'an order that waited is listed');
    if (numbers.size === 0) instruments.delete(instrument);
    if (instruments.size === 0) this.kept.delete(key);
    const left = this.countOf(account) - 1;
    if (left === 0) this.counts.delete(account);
    else this.counts.set(account, left);
    this.count -= 1;
  }

  /** All orders by the hours that they wait for: few batches, however many orders there are. */
  batches(): Iterable<WaitingBatch> {
    return this.kept.values();
  }

  /**
   * The numbers, oldest first: of all orders, or of those that `isMeant` says. It is asked once for orders of one batch
   * and instrument.
   */
  numbers(isMeant: (one: OrderNumber) => boolean = () => true): OrderNumber[] {
    const found: OrderNumber[] = [];
    for (const { instruments } of this.kept.values()) {
      for (const numbers of instruments.values()) {
        const [one] = numbers;
        if (one !== undefined && isMeant(one)) for (const number of numbers) found.push(number);
      }
    }
    return oldestFirst(found);
  }

  private batchOf(order: WaitingOrder): Batch {
    const key = keyOf(order);
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const { priceType, retention } = order.terms;
    const made = {
      exchange: exchangeOf(order.instrument),
      day: must(order.afterMarket, 'an order waits for a day').day,
      terms: { priceType, retention },
      instruments: new Map<InstrumentId, Set<OrderNumber>>(),
    };
    this.kept.set(key, made);
    return made;
  }
}

/** Sorts numbers of orders in place, the lowest first, and returns them. */
export function oldestFirst(numbers: OrderNumber[]): OrderNumber[] {
  return numbers.sort((one, other) => one - other);
}

function keyOf({ instrument, terms, afterMarket }: WaitingOrder): string {
  return `${exchangeOf(instrument)} ${afterMarket?.day} ${terms.priceType} ${terms.retention}`;
}
