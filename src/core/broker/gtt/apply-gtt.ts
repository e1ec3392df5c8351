/** One function for each event of GTTs: the code that changes the book of GTTs and the standing triggers. */

import { assert, must } from '../../../base/assert.ts';
import type { GttNumber, OrderNumber } from '../../../base/ids.ts';
import type { EpochMs } from '../../../base/time.ts';
import { replyKey, type State } from '../../state.ts';
import { type Gtt, triggersOf } from './gtt.ts';
import type { GttCancelled, GttFired, GttModified, GttPlaced, GttTriggered } from './gtt-events.ts';
import { type GttStep, gttStatusAfter } from './gtt-life-cycle.ts';

type GttState = Pick<State, 'gtts' | 'standing'>;

/**
 * Files an active GTT, arms its triggers, and keeps the answer for its idempotency key. Throws for a number that is not
 * new.
 */
export function applyGttPlaced(state: State, at: EpochMs, event: GttPlaced): void {
  const { gtt: number, account, instrument, legs, remarks } = event;
  assert(number > state.gtts.last, 'numbers of GTTs increase');
  state.gtts.last = number;
  const gtt: Gtt = {
    number,
    account,
    instrument,
    placedAt: at,
    remarks,
    legs,
    status: 'Active',
    end: undefined,
    firing: undefined,
    updatedAt: at,
  };
  state.gtts.add(gtt);
  arm(state, gtt);
  if (event.idempotency === undefined) return;
  const { key, bodyDigest } = event.idempotency;
  state.replies.set(replyKey(account, key), { bodyDigest, order: number as number as OrderNumber, at });
}

/**
 * Replaces the legs and the remarks of an active GTT and arms its new triggers. Throws for one that has triggered or
 * ended.
 */
export function applyGttModified(state: GttState, at: EpochMs, { gtt: number, legs, remarks }: GttModified): void {
  const gtt = gttOf(state, number);
  take(gtt, at, 'Modified');
  disarm(state, gtt);
  gtt.legs = legs;
  gtt.remarks = remarks;
  arm(state, gtt);
}

/** Ends a GTT for a reason: as expired after its year, else as cancelled. Nothing of it stays armed. */
export function applyGttCancelled(state: GttState, at: EpochMs, { gtt: number, reason }: GttCancelled): void {
  const gtt = gttOf(state, number);
  if (gtt.status === 'Active') disarm(state, gtt);
  take(gtt, at, reason === 'YearOver' ? 'Expired' : 'Cancelled');
  gtt.end = reason;
  state.gtts.noteEnded(gtt);
}

/** Notes the leg, the price and the tick that fire a GTT. No other leg stays armed; its order is still to be placed. */
export function applyGttTriggered(state: GttState, at: EpochMs, event: GttTriggered): void {
  const { gtt: number, leg, price, tick } = event;
  const gtt = gttOf(state, number);
  take(gtt, at, 'Triggered');
  disarm(state, gtt);
  gtt.firing = { leg, price, tick, order: 0 as NonNullable<Gtt['firing']>['order'], refusal: undefined };
  state.gtts.noteTriggered(gtt);
}

/** Ends a GTT that triggered: with the number of its order, or with the refusal of it. */
export function applyGttFired(state: GttState, at: EpochMs, { gtt: number, order, refusal }: GttFired): void {
  const gtt = gttOf(state, number);
  take(gtt, at, refusal === undefined ? 'Placed' : 'Refused');
  gtt.firing = { ...must(gtt.firing, 'a GTT fires after its trigger'), order, refusal };
  state.gtts.noteEnded(gtt);
}

/** Arms the triggers of an active GTT. */
export function arm({ standing }: Pick<State, 'standing'>, gtt: Gtt): void {
  for (const trigger of triggersOf(gtt)) standing.arm(trigger);
}

function disarm({ standing }: GttState, gtt: Gtt): void {
  for (const trigger of triggersOf(gtt)) standing.disarm(trigger);
}

function take(gtt: Gtt, at: EpochMs, step: GttStep): void {
  gtt.status = gttStatusAfter(gtt.status, step);
  gtt.updatedAt = at;
}

function gttOf({ gtts }: GttState, number: GttNumber): Gtt {
  return must(gtts.get(number), 'an event names a GTT that is kept');
}
