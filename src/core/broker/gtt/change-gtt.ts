/**
 * The decisions on a client's GTTs: place, modify, cancel. The last traded price at that moment decides which way each
 * trigger is. The orders are checked as far as time does not change the answer; `fire-gtt.ts` admits them when they
 * fire.
 */

import type { GttNumber, InstrumentId, Tick } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import { firstTickOf } from '../../../base/tick.ts';
import type { EpochMs } from '../../../base/time.ts';
import { type Decision, refused } from '../../decision.ts';
import { lastTradedPrice } from '../../exchange/reference.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { Reply } from '../../reply.ts';
import { wayTo } from '../../standing/standing-trigger.ts';
import { accountOf, type PlacementReply, type State } from '../../state.ts';
import { venueOf } from '../../venue-of.ts';
import { inGroupOf } from '../account/risk-group.ts';
import { judge } from '../orders/admission.ts';
import { placedBefore, placementWish } from '../orders/orders.ts';
import { type Gtt, type GttLeg, type GttLegs, type GttOrder, legInOneOrder } from './gtt.ts';
import type { AskedLeg, CancelGtt, ModifyGtt, PlaceGtt } from './gtt-commands.ts';
import { nextGttNumber } from './gtt-number.ts';

/** The most GTTs of one user that have not ended. */
const MOST_OF_A_USER = 100;
/** The most GTTs of all users together that have not ended. */
const MOST_IN_ALL = 20_000;
/** The most of them for one instrument: one price can fire all of them in one record. */
const MOST_ON_INSTRUMENT = 5_000;
/** A trigger lies at least one part in this many, 0.25 %, away from the last price. */
const CLOSEST_PART = 400;

/** Takes a GTT and numbers it, or refuses it and keeps nothing. */
export function decidePlaceGtt(state: State, ports: DecisionPorts, at: EpochMs, command: PlaceGtt): Decision {
  const again = placedBefore(state, at, command, gttReply);
  if (again !== undefined) return again;
  const { account, instrument, remarks, idempotency } = command;
  if (state.gtts.liveCountOf(account) >= MOST_OF_A_USER) {
    return refused({ rule: 'TooManyGtts', most: MOST_OF_A_USER }, at);
  }
  const isFull = state.gtts.liveCount >= MOST_IN_ALL || state.gtts.liveCountOn(instrument) >= MOST_ON_INSTRUMENT;
  if (isFull) return refused({ rule: 'GttsFull' }, at);
  const refusal = refusalOf(state, ports, command);
  if (refusal !== undefined) return refused(refusal, at);
  const last = lastPriceOf(state, ports, instrument);
  const legs = legsAt(ports, instrument, last, command.legs, []);
  if ('rule' in legs) return refused(legs, at);
  const gtt = nextGttNumber(state.gtts.last, at);
  if (gtt === undefined) return refused({ rule: 'NumbersUsedUp' }, at);
  const placed = { type: 'GttPlaced', gtt, account, instrument, legs, remarks, last } as const;
  const events = [idempotency === undefined ? placed : { ...placed, idempotency }];
  return { events, reply: { type: 'GttPlaced', gtt, at } };
}

/** The answer to an earlier placement. Orders and GTTs share the table of these answers. */
function gttReply({ order, at }: PlacementReply): Reply {
  return { type: 'GttPlaced', gtt: order as number as GttNumber, at };
}

/**
 * Gives an active GTT other legs, or refuses and leaves it as it is. A trigger that stays keeps its way, also where the
 * last price has come close to it.
 */
export function decideModifyGtt(state: State, ports: DecisionPorts, at: EpochMs, command: ModifyGtt): Decision {
  const current = ownActive(state, command);
  if ('rule' in current) return refused(current, at);
  const { number: gtt, account, instrument } = current;
  if (command.instrument !== instrument) return refused({ rule: 'GttOfAnotherInstrument' }, at);
  const asked = mergedLegs(current, command.legs);
  if (asked === undefined) return refused({ rule: 'GttTriggerMissing' }, at);
  const refusal = refusalOf(state, ports, { account, instrument, legs: asked });
  if (refusal !== undefined) return refused(refusal, at);
  const last = lastPriceOf(state, ports, instrument);
  const legs = legsAt(ports, instrument, last, asked, current.legs);
  if ('rule' in legs) return refused(legs, at);
  const modified = { type: 'GttModified', gtt, account, legs, remarks: command.remarks, last } as const;
  return { events: [modified], reply: { type: 'GttModified', gtt, at } };
}

/** Ends an active GTT. */
export function decideCancelGtt(state: State, at: EpochMs, command: CancelGtt): Decision {
  const current = ownActive(state, command);
  if ('rule' in current) return refused(current, at);
  const { number: gtt, account } = current;
  return {
    events: [{ type: 'GttCancelled', gtt, account, reason: 'Client' }],
    reply: { type: 'GttCancelled', gtt, at },
  };
}

/** A GTT of the client that waits. A GTT of another client is treated as unknown. Source: contract W22. */
function ownActive({ gtts }: State, { account, gtt: number }: Pick<CancelGtt, 'account' | 'gtt'>): Gtt | Refusal {
  const gtt = gtts.get(number);
  if (gtt === undefined || gtt.account !== account) return { rule: 'GttNotFound' };
  return gtt.status === 'Active' ? gtt : { rule: 'GttNotActive' };
}

/** The orders that are asked for, and where. */
interface Legs extends Pick<PlaceGtt, 'account' | 'instrument'> {
  readonly legs: readonly GttOrder[];
}

type AskedLegs = PlaceGtt['legs'];

/** The legs after a modification; `undefined` when a new second leg names no trigger. */
function mergedLegs({ legs: [one, two] }: Gtt, [first, second]: ModifyGtt['legs']): AskedLegs | undefined {
  const changed: AskedLeg = { ...first, trigger: first.trigger ?? one.trigger };
  if (second === undefined) return two === undefined ? [changed] : [changed, two];
  const trigger = second.trigger ?? two?.trigger;
  return trigger === undefined ? undefined : [changed, { ...second, trigger }];
}

/**
 * The refusal of an order that could never be placed as it is asked for: the checks of an order that is taken for a
 * later session, asked of each leg. Source: market-rules R3.5.
 */
function refusalOf(state: State, ports: DecisionPorts, { account: id, instrument, legs }: Legs): Refusal | undefined {
  const account = accountOf(state, id);
  for (const { side, product, terms } of legs) {
    const wish = placementWish(state, ports, { account: id, instrument, side, product, terms });
    const refusal = judge({ ...wish, waitsFor: wish.waitsFor ?? state.day });
    // How many orders wait is a matter of the moment, and the last check.
    if (refusal !== undefined && refusal.rule !== 'TooManyWaiting') return inGroupOf(account, refusal);
  }
  return undefined;
}

/**
 * The last traded price, in the terms of the trading day that has begun. On a date without trading before an ex-date
 * the market still shows the old terms. Source: docs/corporate-actions.md.
 */
function lastPriceOf(state: State, ports: DecisionPorts, instrument: InstrumentId): Price {
  const tick = Math.max(ports.tick, firstTickOf(state.day)) as Tick;
  return lastTradedPrice(venueOf(state, { ...ports, tick }, instrumentOf(ports, instrument)));
}

/** The legs with the ways of their triggers; those of `kept` stay when their triggers do. */
function legsAt(
  ports: DecisionPorts,
  instrument: InstrumentId,
  last: Price,
  asked: AskedLegs,
  kept: readonly GttLeg[],
): GttLegs | Refusal {
  const { tick } = instrumentOf(ports, instrument);
  const [first, second] = asked;
  const one = legAt(first, last, tick, kept[0]);
  if ('rule' in one || second === undefined) return 'rule' in one ? one : [one];
  const two = legAt(second, last, tick, kept[1]);
  if ('rule' in two) return two;
  return one.way === two.way ? { rule: 'GttTriggersOnOneSide', last } : [one, two];
}

function legAt(asked: AskedLeg, last: Price, tick: Price, kept: GttLeg | undefined): GttLeg | Refusal {
  const { trigger } = asked;
  if (kept?.trigger === trigger) return legInOneOrder(asked, trigger, kept.way);
  if (trigger % tick !== 0) return { rule: 'TriggerOffTick', trigger, tick };
  const way = wayTo(trigger, last);
  const isTooClose = Math.abs(trigger - last) * CLOSEST_PART < last;
  return way === undefined || isTooClose
    ? { rule: 'GttTriggerTooClose', trigger, last }
    : legInOneOrder(asked, trigger, way);
}
