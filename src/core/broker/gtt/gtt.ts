/**
 * A GTT (good till triggered) and its legs: the fields and small questions about them. Its status changes in
 * `gtt-life-cycle.ts`. `gtt-book.ts` keeps all of them.
 */

import type { AccountId, GttNumber, InstrumentId, OrderNumber, Tick } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import { inOneOrder, type OrderTerms, type Product, type Side } from '../../order.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { OrderScenario } from '../../scenarios/order-scenario.ts';
import type { StandingTrigger, TriggerWay } from '../../standing/standing-trigger.ts';

export const GTT_STATUSES = ['Active', 'Triggered', 'Fired', 'Refused', 'Cancelled', 'Expired'] as const;
export type GttStatus = (typeof GTT_STATUSES)[number];

/** Why a GTT ended without an order. */
export const GTT_ENDS = ['Client', 'YearOver', 'InstrumentEnded', 'CorporateAction'] as const;
export type GttEnd = (typeof GTT_ENDS)[number];

/** The order that a GTT places when its trigger fires. */
export interface GttOrder {
  readonly side: Side;
  readonly product: Product;
  /** `price` is 0 for market orders. */
  readonly terms: OrderTerms;
  readonly remarks: string;
  /** The outcome that its client asked for; absent from nearly all. Source: docs/outcomes.md. */
  readonly scenario?: OrderScenario;
}

/** A trigger on the last traded price, and the order that follows. */
export interface GttLeg extends GttOrder {
  readonly trigger: Price;
  readonly way: TriggerWay;
}

/** One leg, or two of which the first that fires ends the other. */
export type GttLegs = readonly [GttLeg] | readonly [GttLeg, GttLeg];

/** The leg that fired, and the order that it placed. */
export interface GttFiring {
  readonly leg: 0 | 1;
  /** The last traded price that came to the trigger. */
  readonly price: Price;
  readonly tick: Tick;
  /** 0 until the order has been placed. */
  readonly order: OrderNumber;
  /** The refusal of the order, when it was refused as it came. */
  readonly refusal: Refusal | undefined;
}

/** Only `apply` writes it. */
export interface Gtt {
  readonly number: GttNumber;
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly placedAt: EpochMs;
  remarks: string;
  legs: GttLegs;
  status: GttStatus;
  /** Set when it ended without an order. */
  end: GttEnd | undefined;
  firing: GttFiring | undefined;
  /** The instant of its last event. */
  updatedAt: EpochMs;
}

/** A leg with its fields in one fixed order, for events that repeat legs of the state. Source: reliability I36. */
export function legInOneOrder(order: GttOrder, trigger: Price, way: TriggerWay): GttLeg {
  const { side, product, terms, remarks, scenario } = order;
  const leg = { side, product, terms: inOneOrder(terms), remarks, trigger, way };
  return scenario === undefined ? leg : { ...leg, scenario };
}

/** The triggers of a GTT, in the order of its legs. */
export function triggersOf({ number, instrument, legs }: Pick<Gtt, 'number' | 'instrument' | 'legs'>) {
  return legs.map(({ way, trigger: price }, index): StandingTrigger => {
    return { owner: 'Gtt', number, leg: index === 0 ? 0 : 1, instrument, way, price };
  });
}
