/**
 * The table of the GTTs and back: the last number that was given out, then each GTT as a row, then the order in which
 * they fired whose orders are still to come. Loading a row arms its triggers.
 */

import {
  type Complete,
  type Json,
  list,
  nullable,
  objectOf,
  oneOf,
  optional,
  places,
  record,
  text,
  Undecodable,
  whole,
} from '../../base/codec.ts';
import type { GttNumber } from '../../base/ids.ts';
import type { StoredRow } from '../../base/stored-tables.ts';
import { arm } from '../broker/gtt/apply-gtt.ts';
import { GTT_ENDS, GTT_STATUSES, type Gtt, type GttFiring, type GttLeg, type GttLegs } from '../broker/gtt/gtt.ts';
import { isRefusal, type Refusal } from '../refusals/refusal.ts';
import { scenarioOf } from '../scenarios/order-scenario.ts';
import { TRIGGER_WAYS } from '../standing/standing-trigger.ts';
import type { State } from '../state.ts';
import { decodeTerms, encodeTerms, productOf, sideOf } from './order-codec.ts';

const statusOf = oneOf(...GTT_STATUSES);
const endOf = nullable(oneOf(...GTT_ENDS));
const wayOf = oneOf(...TRIGGER_WAYS);
const firingOrderOf = record<{ readonly triggered: readonly GttNumber[] }>({ triggered: list(whole<GttNumber>) });
const legNumberOf = oneOf(0, 1);

/** None before the first GTT, so that a state without any is stored as before there were GTTs. */
export function* gttEntries({ gtts }: State): Generator<StoredRow> {
  if (gtts.last === 0) return;
  yield gtts.last;
  for (const gtt of gtts.values()) yield encodeGtt(gtt);
  const triggered = [...gtts.triggered];
  if (!isAscending(triggered)) yield { triggered };
}

/** True for the order that the rows have without a word. */
function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] as number));
}

/** Throws `Undecodable`. */
export function loadGttEntry(state: State, row: Json): void {
  if (typeof row === 'object' && row !== null && !Array.isArray(row)) {
    const { triggered } = firingOrderOf(row, 'the order of firing');
    if (!state.gtts.orderTriggered(triggered)) throw new Undecodable('triggered names other GTTs than have fired');
    return;
  }
  if (!Array.isArray(row)) {
    state.gtts.last = whole(row, 'the last GTT');
    return;
  }
  const gtt = decodeGtt(row);
  state.gtts.add(gtt);
  if (gtt.status === 'Active') arm(state, gtt);
}

function encodeGtt(gtt: Gtt): StoredRow {
  const { firing, end } = gtt;
  return [
    gtt.number,
    gtt.account,
    gtt.instrument,
    gtt.placedAt,
    gtt.remarks,
    gtt.legs.map(encodeLeg),
    gtt.status,
    end ?? null,
    firing === undefined ? null : encodeFiring(firing),
    gtt.updatedAt,
  ];
}

function decodeGtt(stored: Json): Gtt {
  const row = places(stored, 'a GTT', 10);
  return {
    number: whole(row[0], 'number'),
    account: whole(row[1], 'account'),
    instrument: whole(row[2], 'instrument'),
    placedAt: whole(row[3], 'placedAt'),
    remarks: text(row[4], 'remarks'),
    legs: decodeLegs(row[5]),
    status: statusOf(row[6], 'status'),
    end: endOf(row[7], 'end') ?? undefined,
    firing: row[8] === null ? undefined : decodeFiring(row[8]),
    updatedAt: whole(row[9], 'updatedAt'),
  } satisfies Complete<Gtt>;
}

/** The row of a leg. A scenario stands at its end, where there is one. */
function encodeLeg({ side, product, terms, remarks, trigger, way, scenario }: GttLeg): StoredRow {
  const row = [side, product, encodeTerms(terms), remarks, trigger, way] as const;
  return scenario === undefined ? row : [...row, { ...scenario }];
}

function decodeLegs(stored: Json | undefined): GttLegs {
  const [first, second] = places(stored, 'legs', 1, 2).map(decodeLeg);
  if (first === undefined) throw new Undecodable('a GTT has a leg');
  return second === undefined ? [first] : [first, second];
}

function decodeLeg(stored: Json): GttLeg {
  const row = places(stored, 'a leg', 6, 7);
  const scenario = optional(scenarioOf)(row[6], 'scenario');
  const leg = {
    side: sideOf(row[0], 'side'),
    product: productOf(row[1], 'product'),
    terms: decodeTerms(places(row[2], 'terms', 5)),
    remarks: text(row[3], 'remarks'),
    trigger: whole(row[4], 'trigger'),
    way: wayOf(row[5], 'way'),
  } satisfies Complete<Omit<GttLeg, 'scenario'>>;
  return scenario === undefined ? leg : { ...leg, scenario };
}

function encodeFiring({ leg, price, tick, order, refusal }: GttFiring): StoredRow {
  return [leg, price, tick, order, refusal ?? null];
}

function decodeFiring(stored: Json | undefined): GttFiring {
  const row = places(stored, 'a firing', 5);
  return {
    leg: legNumberOf(row[0], 'leg'),
    price: whole(row[1], 'price'),
    tick: whole(row[2], 'tick'),
    order: whole(row[3], 'order'),
    refusal: row[4] === null ? undefined : decodeRefusal(row[4]),
  } satisfies Complete<GttFiring>;
}

/** A refusal is kept as it was recorded: its figures are those of its rule. */
function decodeRefusal(stored: Json | undefined): Refusal {
  const found: object = objectOf(stored, 'refusal');
  if (isRefusal(found)) return found;
  throw new Undecodable('refusal names no rule');
}
