/**
 * The life cycle of a GTT as one table: which step leads from which status to which. It decides no step; `apply-gtt.ts`
 * takes the steps that events bring, and a step outside of the table is a bug.
 */

import { InvariantError } from '../../../base/assert.ts';
import type { GttStatus } from './gtt.ts';

/** The steps that change the status of a GTT. */
export type GttStep = 'Modified' | 'Triggered' | 'Placed' | 'Refused' | 'Cancelled' | 'Expired';

/**
 * The status that a step leads to, from each status in which the step may happen. A GTT whose trigger has fired can end
 * without an order only by the service, when its instrument ends or is adjusted before the order could be placed.
 */
const LIFE_CYCLE: { readonly [From in GttStatus]: { readonly [Step in GttStep]?: GttStatus } } = {
  Active: { Modified: 'Active', Triggered: 'Triggered', Cancelled: 'Cancelled', Expired: 'Expired' },
  Triggered: { Placed: 'Fired', Refused: 'Refused', Cancelled: 'Cancelled' },
  Fired: {},
  Refused: {},
  Cancelled: {},
  Expired: {},
};

/** The status after a step. Throws for a step that cannot follow. */
export function gttStatusAfter(status: GttStatus, step: GttStep): GttStatus {
  const next = LIFE_CYCLE[status][step];
  if (next === undefined) throw new InvariantError(`a GTT that is ${status} cannot be ${step}`);
  return next;
}

/** True until nothing can happen to the GTT any more. */
export function isGttLive(status: GttStatus): boolean {
  return status === 'Active' || status === 'Triggered';
}
