/**
 * The armed stops of one book, by trigger and by the order of arming. It finds the stops that a price fires;
 * `triggers.ts` releases them.
 */

import { InvariantError } from '../../../base/assert.ts';
import type { AccountId, OrderNumber } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { Side } from '../../order.ts';
import type { BookStore } from '../book/book-store.ts';
import { type Handle, type Level, NO_LEVEL, NO_ORDER } from '../book/handles.ts';
import { Ladder } from '../book/ladder.ts';
import { dequeue, enqueue, firstOf, nextOf, queued } from '../book/queue.ts';

/** The data of a stop that begins to wait. */
export interface StopTerms {
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly side: Side;
  readonly trigger: Price;
}

/** The stops that fire first stand in front: the lowest triggers of buys, the highest of sells. */
export class Stops {
  private readonly store: BookStore;
  private readonly buys: Ladder;
  private readonly sells: Ladder;
  /** The number of stops ever armed. */
  private armed = 0;

  constructor(store: BookStore) {
    this.store = store;
    this.buys = new Ladder(false, store);
    this.sells = new Ladder(true, store);
  }

  get size(): number {
    return this.buys.orders + this.sells.orders;
  }

  has(handle: Handle): boolean {
    return this.ladderOf(handle) !== undefined;
  }

  /** Arms a stop, behind all stops that wait already. */
  arm({ number, account, side, trigger }: StopTerms): void {
    this.armed += 1;
    enqueue(this.store, side === 'B' ? this.buys : this.sells, trigger, number, account, 0, this.armed);
  }

  disarm(handle: Handle): void {
    const ladder = this.ladderOf(handle);
    if (ladder === undefined) throw new InvariantError('only an armed stop can be disarmed');
    dequeue(this.store, ladder, handle);
  }

  /** The trigger of the stop of a side that fires first: the lowest of buys, the highest of sells. */
  firstTrigger(side: Side): Price | undefined {
    const { best, bestPrice } = side === 'B' ? this.buys : this.sells;
    return best === NO_LEVEL ? undefined : bestPrice;
  }

  /** In the order of arming. */
  list(): StopTerms[] {
    const { orders, levels } = this.store;
    const handles = [...queued(this.store, this.buys), ...queued(this.store, this.sells)];
    handles.sort((a, b) => orders.mark(a) - orders.mark(b));
    return handles.map((handle) => ({
      number: orders.number(handle),
      account: orders.account(handle),
      side: this.ladderOf(handle) === this.buys ? 'B' : 'S',
      trigger: levels.price(orders.level(handle)),
    }));
  }

  /** The stops that a last traded price fires, in the order of arming. Source: market-rules R3.14, R3.15. */
  firedBy(last: Price): OrderNumber[] {
    const { orders, levels } = this.store;
    const fired: Handle[] = [];
    for (let level = this.buys.best; level !== NO_LEVEL && levels.price(level) <= last; level = levels.worse(level)) {
      this.addAll(level, fired);
    }
    for (let level = this.sells.best; level !== NO_LEVEL && levels.price(level) >= last; level = levels.worse(level)) {
      this.addAll(level, fired);
    }
    fired.sort((a, b) => orders.mark(a) - orders.mark(b));
    return fired.map((handle) => orders.number(handle));
  }

  private addAll(level: Level, to: Handle[]): void {
    for (let handle = firstOf(this.store, level); handle !== NO_ORDER; handle = nextOf(this.store, handle)) {
      to.push(handle);
    }
  }

  private ladderOf(handle: Handle): Ladder | undefined {
    if (handle === NO_ORDER) return undefined;
    const owner = this.store.levels.ladder(this.store.orders.level(handle));
    if (owner === this.buys.number) return this.buys;
    return owner === this.sells.number ? this.sells : undefined;
  }
}
