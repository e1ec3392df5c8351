import { assert } from '../../../base/assert.ts';
import type { State } from '../../state.ts';
import { isIntraday } from '../../trading-days.ts';
import { mostHeld } from '../account/held-proceeds.ts';
import { isFinal } from '../orders/life-cycle.ts';
import { DAY_END_STEPS, type DayEndStep } from './day-end-steps.ts';
import { openPositions } from './open-position.ts';

/**
 * Checks the facts that must hold between the steps of a day's end, and while the day trades. Throws at the first one
 * that does not hold. Source: market-rules R7.5, reliability I18, I22, I25.
 */
export function checkDay(state: State): void {
  const isDone = (step: DayEndStep): boolean =>
    state.dayEnd !== undefined && DAY_END_STEPS.indexOf(state.dayEnd) >= DAY_END_STEPS.indexOf(step);
  if (isDone('SquareOffLeftovers')) {
    for (const { number, status, afterMarket } of state.orders.values()) {
      const waits = afterMarket !== undefined && afterMarket.day > state.day;
      assert(isFinal(status) || waits, `order ${number} outlives its day`);
    }
  }
  for (const { account, row } of openPositions(state)) {
    const name = `${account.userId} ${row.instrument} ${row.product}`;
    if (isDone('SquareOffLeftovers')) assert(!isIntraday(row.kind, row.product), `${name} is not intraday any more`);
    if (row.kind !== 'equity') assert(row.mark > 0 === isDone('MarkToMarket'), `${name} is marked when the day ends`);
    if (isDone('HoldingsRoll')) assert(row.product !== 'C', `${name} is a holding`);
  }
  for (const account of state.accounts) {
    const { userId, books, unfunded, exercises, physicalDeliveries } = account;
    if (isDone('HoldingsRoll')) assert(books.delivery === 0, `the deliveries of ${userId} are cash`);
    else assert(books.heldProceeds <= mostHeld(account), `${userId} has sold what is held back`);
    if (!isDone('Expiry'))
      assert(exercises.length + physicalDeliveries.length === 0, `nothing of ${userId} expired yet`);
    assert(new Set(unfunded).size === unfunded.length, `${userId} is looked at once for each underlying`);
  }
  for (const price of state.closing.values()) assert(price > 0, 'a close is above nothing');
}
