import { assert } from '../../../base/assert.ts';
import type { AccountId } from '../../../base/ids.ts';
import type { Account } from '../../account.ts';
import type { State } from '../../state.ts';
import { isIntraday } from '../../trading-days.ts';
import { mostHeld } from '../account/held-proceeds.ts';
import { DAY_END_STEPS, type DayEndStep, stepAfter } from './day-end-steps.ts';
import { type OpenPosition, openPositionsOf } from './open-position.ts';

/**
 * Checks the facts that must hold between the steps of a day's end, and while the day trades. Throws at the first one
 * that does not hold. Source: market-rules R7.5, reliability I18, I22, I25.
 */
export function checkDay(state: State): void {
  checkOrdersOfDay(state);
  for (const account of state.accounts) {
    for (const position of openPositionsOf(account)) checkPosition(state, position);
    checkAccountOfDay(state, account);
  }
  for (const price of state.closing.values()) assert(price > 0, 'a close is above nothing');
}

/**
 * True when a step of the day's end is done for an account: the step that runs is done for those before its portion,
 * and while a day begins all steps are for those that it has not begun for.
 */
function isDone({ dayEnd, portion }: State, step: DayEndStep, account: AccountId): boolean {
  if (portion?.of === 'RollDay') return account >= portion.from;
  const place = DAY_END_STEPS.indexOf(step);
  if (portion?.of === 'EndDay' && account < portion.from && stepAfter(dayEnd) === step) return true;
  return dayEnd !== undefined && DAY_END_STEPS.indexOf(dayEnd) >= place;
}

function checkOrdersOfDay(state: State): void {
  for (const { number, afterMarket, account } of state.orders.live()) {
    if (!isDone(state, 'SquareOffLeftovers', account)) continue;
    const before = state.portion?.before ?? state.day;
    const waits = afterMarket !== undefined && afterMarket.day > before;
    assert(waits, `order ${number} outlives its day`);
  }
}

function checkPosition(state: State, { account, row }: OpenPosition): void {
  const name = `${account.userId} ${row.instrument} ${row.product}`;
  const done = (step: DayEndStep): boolean => isDone(state, step, account.id);
  if (done('SquareOffLeftovers')) assert(!isIntraday(row.kind, row.product), `${name} is not intraday any more`);
  if (row.kind !== 'equity') assert(row.mark > 0 === done('MarkToMarket'), `${name} is marked when the day ends`);
  if (done('HoldingsRoll')) assert(row.product !== 'C', `${name} is a holding`);
}

function checkAccountOfDay(state: State, account: Account): void {
  const { id, userId, books, unfunded, exercises, physicalDeliveries } = account;
  if (isDone(state, 'HoldingsRoll', id)) assert(books.delivery === 0, `the deliveries of ${userId} are cash`);
  else assert(books.heldProceeds <= mostHeld(account), `${userId} has sold what is held back`);
  if (!isDone(state, 'Expiry', id)) {
    assert(exercises.length + physicalDeliveries.length === 0, `nothing of ${userId} expired yet`);
  }
  assert(new Set(unfunded).size === unfunded.length, `${userId} is looked at once for each underlying`);
}
