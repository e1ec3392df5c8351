/**
 * The actions and the types of order that the exchange takes in each phase of the day, as one table. Nothing is
 * matched here. `phase-change.ts` says what a phase does to orders that are in the book.
 */

import type { Exchange } from '../../../base/ids.ts';
import type { OrderTerms, PriceType } from '../../order.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { Phase } from '../phase.ts';

/** The actions of a client on an order at the exchange. */
export type DoorAction = 'place' | 'modify' | 'cancel';

/** The actions and the types of order that a phase takes. */
interface Door {
  readonly actions: readonly DoorAction[];
  readonly types: readonly PriceType[];
  /** Immediate-or-cancel orders. */
  readonly immediate: boolean;
  /** The refusal of an action that the phase does not take. */
  readonly shut: Refusal;
}

const ALL: readonly DoorAction[] = ['place', 'modify', 'cancel'];
const CANCEL_ONLY: readonly DoorAction[] = ['cancel'];
const CLOSED: Refusal = { rule: 'MarketClosed' };
const NOT_OPEN: Refusal = { rule: 'MarketHalted' };
const ENTRY_OVER: Refusal = { rule: 'EntryClosed' };
const NOTHING = { types: [], immediate: false } as const;
const GATHERING: Door = { actions: ALL, types: ['LMT', 'MKT'], immediate: false, shut: NOT_OPEN };
const LIMIT_ONLY: Door = { ...GATHERING, types: ['LMT'] };
const MATCHING: Door = { ...NOTHING, actions: [], shut: ENTRY_OVER };

/**
 * The doors of the phases. Nothing can trade between the opening auction and continuous trading, so cancellations pass
 * there at once. Source: market-rules 2.1, R2.5.
 */
const DOORS: { readonly [Name in Phase]: Door } = {
  Closed: { ...NOTHING, actions: CANCEL_ONLY, shut: CLOSED },
  PreOpen: GATHERING,
  PreOpenLimitOnly: LIMIT_ONLY,
  PreOpenMatching: MATCHING,
  Buffer: { ...NOTHING, actions: CANCEL_ONLY, shut: ENTRY_OVER },
  Continuous: { actions: ALL, types: ['LMT', 'MKT', 'SL-LMT', 'SL-MKT'], immediate: true, shut: NOT_OPEN },
  ClosingReference: { ...NOTHING, actions: CANCEL_ONLY, shut: NOT_OPEN },
  ClosingEntry: GATHERING,
  ClosingLimitOnly: LIMIT_ONLY,
  ClosingMatching: MATCHING,
  PostClose: { actions: ALL, types: ['MKT'], immediate: true, shut: CLOSED },
};

/** The refusal of an action in a phase; `undefined` when the exchange takes it. Source: market-rules R2.5. */
export function actionRefusal(phase: Phase, action: DoorAction): Refusal | undefined {
  const { actions, shut } = DOORS[phase];
  return actions.includes(action) ? undefined : shut;
}

/**
 * The refusal of an order with these terms, in a phase that takes orders; `undefined` when the exchange takes it.
 * Source: market-rules R2.5.
 */
export function termsRefusal(
  phase: Phase,
  terms: Pick<OrderTerms, 'priceType' | 'retention'>,
  exchange: Exchange,
): Refusal | undefined {
  const { types, immediate } = DOORS[phase];
  if (terms.priceType === 'SL-LMT' || terms.priceType === 'SL-MKT') {
    if (!types.includes(terms.priceType)) return { rule: 'StopNotAllowedNow' };
  } else if (terms.retention === 'IOC' && !immediate) {
    return { rule: 'ImmediateNotAllowedNow' };
  } else if (!types.includes(terms.priceType)) {
    return terms.priceType === 'MKT' ? { rule: 'MarketOrderNotAllowedNow', exchange } : { rule: 'MarketOrdersOnly' };
  }
  return undefined;
}
