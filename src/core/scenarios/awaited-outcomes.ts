/**
 * The outcomes that are awaited, of all orders, by their instants. Only `apply` and the loading of a snapshot write it.
 * Any number may wait, so that each is found by a search and not by a look at all.
 */

import { assert } from '../../base/assert.ts';
import type { OrderNumber } from '../../base/ids.ts';
import { lowerBound } from '../../base/lower-bound.ts';
import { AWAITED_OUTCOMES, type AwaitedOutcome, type OutcomeDue } from './outcome-events.ts';

/** The next one stands first; of one instant, in the order of the orders. */
export class AwaitedOutcomes {
  private readonly list: OutcomeDue[] = [];
  private readonly byOrder = new Map<OrderNumber, OutcomeDue[]>();

  get size(): number {
    return this.list.length;
  }

  get first(): OutcomeDue | undefined {
    return this.list[0];
  }

  /** The outcomes of one order. */
  of(order: OrderNumber): readonly OutcomeDue[] {
    return this.byOrder.get(order) ?? [];
  }

  has(order: OrderNumber, outcome: AwaitedOutcome): boolean {
    return this.of(order).some((awaited) => awaited.outcome === outcome);
  }

  add({ order, outcome, due }: OutcomeDue): void {
    assert(!this.has(order, outcome), 'an outcome is awaited once');
    const awaited = { order, outcome, due };
    this.list.splice(this.placeOf(awaited), 0, awaited);
    this.byOrder.set(order, [...this.of(order), awaited]);
  }

  /** Forgets one outcome of an order, or all of them. Those that are not awaited are passed over. */
  drop(order: OrderNumber, outcome?: AwaitedOutcome): void {
    const [kept, gone]: [OutcomeDue[], OutcomeDue[]] = [[], []];
    for (const awaited of this.of(order))
      (outcome === undefined || outcome === awaited.outcome ? gone : kept).push(awaited);
    for (const awaited of gone) this.list.splice(this.placeOf(awaited), 1);
    if (kept.length > 0) this.byOrder.set(order, kept);
    else this.byOrder.delete(order);
  }

  [Symbol.iterator](): Iterator<OutcomeDue> {
    return this.list[Symbol.iterator]();
  }

  /** The place of the first one that does not come before another one. */
  private placeOf(awaited: OutcomeDue): number {
    return lowerBound(0, this.list.length, (place) => compare(this.list[place] as OutcomeDue, awaited) < 0);
  }
}

function compare(one: OutcomeDue, other: OutcomeDue): number {
  if (one.due !== other.due) return one.due - other.due;
  if (one.order !== other.order) return one.order - other.order;
  return AWAITED_OUTCOMES.indexOf(one.outcome) - AWAITED_OUTCOMES.indexOf(other.outcome);
}
