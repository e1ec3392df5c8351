/**
 * The outcome that a client asked for with its order: a fact of the order's placement, which the journal keeps. So a
 * decision does not depend on the setting of the start that makes it again. Source: docs/outcomes.md.
 */

import { oneOf, optional, record, text, whole } from '../../base/codec.ts';
import type { Quantity } from '../../base/money.ts';

/** At least one member. Times are milliseconds of the market. Source: docs/outcomes.md. */
export interface OrderScenario {
  /** The exchange refuses the order with this text. */
  readonly reject?: string;
  /** The units that fill at once; the rest is set aside. */
  readonly fill?: Quantity;
  /** As `fill`, in percent of the order, 1 to 99: whole lots, one at least. */
  readonly fillPercent?: number;
  /** The number of fills, at least 1: of all units, or of those that `fill` and `fillPercent` name. */
  readonly fills?: number;
  /** The exchange cancels what is left, this long after it took the order. */
  readonly cancelAfter?: number;
  /** The order is set aside whatever its price. */
  readonly hold?: true;
  /** The exchange takes the order only this time after it came. */
  readonly ackDelay?: number;
  /** The order is set aside, and fills this long after its cancellation was asked for: 0 for at once. */
  readonly lateFill?: number;
  /** The order is placed, and its client gets no answer. */
  readonly lostAnswer?: true;
  /** The streams send each frame of the order twice. */
  readonly duplicateFrame?: true;
}

/** Throws `Undecodable`. */
export const scenarioOf = record<OrderScenario>({
  reject: optional(text),
  fill: optional(whole<Quantity>),
  fillPercent: optional(whole<number>),
  fills: optional(whole<number>),
  cancelAfter: optional(whole<number>),
  hold: optional(oneOf(true)),
  ackDelay: optional(whole<number>),
  lateFill: optional(whole<number>),
  lostAnswer: optional(oneOf(true)),
  duplicateFrame: optional(oneOf(true)),
});

/** True when the exchange sets the order aside: it then stands in no queue and fills only as its scenario says. */
export function isSetAside({ fill, fillPercent, fills, hold, lateFill }: OrderScenario): boolean {
  return (fill ?? fillPercent ?? fills ?? lateFill) !== undefined || hold === true;
}

/** The units that a scenario fills of an order of this quantity, filled ones included. */
export function unitsToFill({ fill, fillPercent, fills }: OrderScenario, quantity: Quantity, lot: Quantity): number {
  if (fill !== undefined) return Math.min(fill, quantity);
  if (fillPercent === undefined) return fills === undefined ? 0 : quantity;
  return Math.min(quantity, Math.max(lot, wholeLots((quantity * fillPercent) / 100, lot)));
}

/** `units` in `fills` parts of whole lots, the larger ones first; fewer parts where there are fewer lots. */
export function partsOf(units: number, fills: number, lot: Quantity): Quantity[] {
  const parts: Quantity[] = [];
  let left = units;
  for (let open = fills; left > 0 && open > 0; open -= 1) {
    const part = open === 1 ? left : Math.max(lot, Math.ceil(left / lot / open) * lot);
    parts.push(Math.min(part, left) as Quantity);
    left -= part;
  }
  return parts;
}

function wholeLots(units: number, lot: Quantity): number {
  return Math.floor(units / lot) * lot;
}
