/**
 * The announcement of a bonus, a split or a dividend, and its withdrawal: the checks and the events. Nothing moves
 * before the ex-date; the events of that day are in `corporate-action-effects.ts`.
 */

import type { Price } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { AnnounceCorporateAction, WithdrawCorporateAction } from '../../command.ts';
import { type Decision, refused } from '../../decision.ts';
import type { OrderCancelled } from '../../event.ts';
import { isDerivative } from '../../instrument.ts';
import type { DecisionPorts } from '../../ports.ts';
import { instrumentOf } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { State } from '../../state.ts';
import { closeBeforeDay } from '../../trading-days.ts';
import { ordersInOtherTerms } from '../orders/after-market.ts';
import { refuseDividend, refuseFactor } from '../orders/exact-sum-limits.ts';
import { type CorporateAction, isSpecialDividend } from './corporate-action.ts';
import type { CorporateActionAnnounced, CorporateActionWithdrawn } from './corporate-action-events.ts';

/** A dividend above half of the price is taken for a typing error. */
const LARGEST_SHARE = 2;
/** The most units that one can become. */
const LARGEST_FACTOR = 100;
/** The most adjustments of a share's contracts: their tokens can hold no higher number. */
export const MOST_ADJUSTMENTS = 15;

/**
 * Takes an announcement into the state: nothing moves before the ex-date, which lies after the trading day that has
 * begun.
 * Source: market-rules R7.6, R7.7.
 */
export function decideAnnouncement(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  command: AnnounceCorporateAction,
): Decision {
  const isin = isinOf(ports, command);
  if (isin === undefined) return refused({ rule: 'NotTradable' }, at);
  const refusal = dayRefusal(state, ports, isin, command) ?? termsRefusal(state, ports, isin, command);
  if (refusal !== undefined) return refused(refusal, at);
  const action = actionOf(state, ports, isin, command);
  const adjusted = state.corporateActions.filter((known) => known.isin === isin && known.adjustsContracts).length;
  if (action.adjustsContracts && adjusted >= MOST_ADJUSTMENTS) return refused({ rule: 'TooManyAdjustments' }, at);
  const event: CorporateActionAnnounced = { type: 'CorporateActionAnnounced', action };
  return { events: [...cancelWaiting(state, action), event], reply: { type: 'Done', at } };
}

/** Cancels waiting orders whose terms will not be valid on the ex-date. */
function cancelWaiting(state: State, action: CorporateAction): OrderCancelled[] {
  return ordersInOtherTerms(state, action).map((order) => ({
    type: 'OrderCancelled',
    order,
    reason: 'CorporateAction',
  }));
}

/**
 * Withdraws an announced action, as long as its ex-date has not begun and no order was taken in a contract that exists
 * by it alone.
 */
export function decideWithdrawal(
  state: State,
  ports: DecisionPorts,
  at: EpochMs,
  { isin, exDay }: WithdrawCorporateAction,
): Decision {
  const known = state.corporateActions.find((action) => action.isin === isin && action.exDay === exDay);
  if (known === undefined) return refused({ rule: 'CorporateActionUnknown' }, at);
  if (exDay <= state.day) return refused({ rule: 'ExDayNotAhead', exDay, day: state.day }, at);
  if (hasOrdersInAdjusted(state, ports, known)) return refused({ rule: 'OrdersInAdjustedContracts', exDay }, at);
  const event: CorporateActionWithdrawn = { type: 'CorporateActionWithdrawn', isin, exDay };
  return { events: [...cancelWaiting(state, known), event], reply: { type: 'Done', at } };
}

/**
 * True when an order of today is in a contract that the action creates: without the action the contract would be
 * unknown.
 */
function hasOrdersInAdjusted(state: State, ports: DecisionPorts, { listings, exDay }: CorporateAction): boolean {
  return state.orders.instruments().some(({ instrument, group, kind }) => {
    if (kind === 'equity' || !listings.includes(group)) return false;
    const contract = instrumentOf(ports, instrument);
    const before = isDerivative(contract) && contract.replaces !== undefined && instrumentOf(ports, contract.replaces);
    return before !== false && isDerivative(before) && before.replacedBy?.from === exDay;
  });
}

/** For `apply` alone. */
export function applyAnnouncement(state: State, { action }: CorporateActionAnnounced): void {
  state.corporateActions = [...state.corporateActions, action];
}

/** For `apply` alone. */
export function applyWithdrawal(state: State, { isin, exDay }: CorporateActionWithdrawn): void {
  state.corporateActions = state.corporateActions.filter((action) => action.isin !== isin || action.exDay !== exDay);
}

/** The ISIN that all named listings share; `undefined` when they differ or are not shares. */
function isinOf(ports: DecisionPorts, { listings }: AnnounceCorporateAction): string | undefined {
  const isins = new Set<string>();
  for (const id of listings) {
    const instrument = ports.instruments.get(id);
    isins.add(instrument?.kind === 'equity' ? instrument.isin : '');
  }
  const [isin] = isins;
  return isins.size === 1 && isin !== '' ? isin : undefined;
}

function dayRefusal(
  state: State,
  ports: DecisionPorts,
  isin: string,
  { exDay }: AnnounceCorporateAction,
): Refusal | undefined {
  if (exDay <= state.day) return { rule: 'ExDayNotAhead', exDay, day: state.day };
  if (!ports.days.isTradingDay(exDay)) return { rule: 'NotATradingDay', day: exDay };
  const taken = state.corporateActions.some((action) => action.isin === isin && action.exDay === exDay);
  return taken ? { rule: 'CorporateActionExists', exDay } : undefined;
}

function termsRefusal(
  state: State,
  ports: DecisionPorts,
  isin: string,
  command: AnnounceCorporateAction,
): Refusal | undefined {
  const { kind, before, after, dividend } = command;
  if (kind !== 'dividend') {
    const makesMore = before >= 1 && after > before && after <= before * LARGEST_FACTOR && dividend === 0;
    return makesMore ? refuseFactor(state, isin, command) : { rule: 'FactorNotAllowed', before, after };
  }
  if (dividend <= 0) return { rule: 'AmountNotPositive' };
  const close = closeOf(state, ports, command);
  if (dividend * LARGEST_SHARE > close) return { rule: 'DividendTooLarge', dividend, close };
  return refuseDividend(state, isin, dividend);
}

function actionOf(state: State, ports: DecisionPorts, isin: string, command: AnnounceCorporateAction): CorporateAction {
  const { kind, listings, exDay, dividend } = command;
  const special = kind !== 'dividend' || isSpecialDividend(dividend, closeOf(state, ports, command));
  const divisor = commonDivisor(command.after, command.before);
  const [before, after] = kind === 'dividend' ? [1, 1] : [command.before / divisor, command.after / divisor];
  return { kind, isin, listings: [...listings], exDay, before, after, dividend, adjustsContracts: special };
}

/** The close before the announcement, of the listing that was named first. */
function closeOf(state: State, ports: DecisionPorts, { listings: [first] }: AnnounceCorporateAction): Price {
  return closeBeforeDay(state, ports, first);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
