/**
 * Orders that the exchange sets aside because their clients asked for that. Such an order stands in no queue. It fills
 * against the market as its scenario says, by trades in which the market is the aggressor: so they move neither the
 * last traded price nor the stops and queues of others. Source: docs/outcomes.md.
 */

import type { Price, Quantity } from '../../base/money.ts';
import type { CancelReason, Event } from '../event.ts';
import { NO_ORDER } from '../exchange/book/handles.ts';
import { executionAt } from '../exchange/guards/guarded-prices.ts';
import { type AdmittedOrder, stillAdmitted } from '../exchange/matching/admitted-order.ts';
import { reaches } from '../exchange/matching/market-side.ts';
import { bestOpposite, lastTradedPrice } from '../exchange/reference.ts';
import { type EventRows, NOBODY } from '../exchange/rows/event-rows.ts';
import { freshRows } from '../exchange/rows/fresh-rows.ts';
import { eventsOf } from '../exchange/rows/row-events.ts';
import type { Venue } from '../exchange/venue.ts';
import { opposite } from '../order.ts';
import { isSetAside, type OrderScenario, partsOf, unitsToFill } from './order-scenario.ts';

/** An order with a scenario that sets it aside. */
export type SetAsideOrder = AdmittedOrder & { readonly scenario: OrderScenario };

/** True for an order whose scenario keeps it out of the book. */
export function goesAside(order: AdmittedOrder): order is SetAsideOrder {
  return order.scenario !== undefined && isSetAside(order.scenario);
}

/**
 * Sets an order aside and fills the units that its scenario names and that are not filled yet. In an auction nothing
 * fills: the order waits for continuous trading. Of an immediate order nothing stays.
 */
export function setAside(venue: Venue, order: SetAsideOrder, rows: EventRows): void {
  const { order: number, terms, remaining } = order;
  const row = rows.add('OrderSetAside');
  row.order = number;
  row.quantity = remaining;
  const left = venue.book.phase === 'Continuous' ? fillOnDemand(venue, order, rows) : remaining;
  if (left > 0 && terms.retention === 'IOC') rows.addCancelled(number, NO_ORDER, 'ImmediateOrCancel');
}

/** The fills of the orders that were set aside before continuous trading, as it begins. */
export function fillsOfOpening(venue: Venue): Event[] {
  if (venue.stopped) return [];
  const rows = freshRows(venue);
  for (const [number] of venue.book.asideOrders()) {
    const order = stillAdmitted(venue.order(number));
    if (goesAside(order)) fillOnDemand(venue, order, rows);
  }
  return eventsOf(rows, venue, undefined);
}

/** Fills what is still missing of an order; returns the units that stay. */
function fillOnDemand(venue: Venue, order: SetAsideOrder, rows: EventRows): number {
  const { scenario, terms, remaining } = order;
  const units = unitsToFill(scenario, terms.quantity, venue.lot) - (terms.quantity - remaining);
  if (units <= 0) return remaining;
  return fillParts(venue, order, partsOf(units, scenario.fills ?? 1, venue.lot), rows);
}

/**
 * Fills all units of an order that was set aside, at the price that the market has for it. Where no trade may have that
 * price, the order ends.
 */
export function fillNow(venue: Venue, order: AdmittedOrder): Event[] {
  const rows = freshRows(venue);
  fillParts(venue, order, [order.remaining], rows);
  return eventsOf(rows, venue, order);
}

/** Fills parts of an order; returns the units that stay. */
function fillParts(venue: Venue, order: AdmittedOrder, parts: readonly Quantity[], rows: EventRows): number {
  const { order: number, side, remaining } = order;
  const price = priceOnDemand(venue, order);
  const forbidden = guardAgainst(venue, price);
  if (forbidden !== undefined) {
    rows.addCancelled(number, NO_ORDER, forbidden);
    return 0;
  }
  let left: number = remaining;
  for (const units of parts) {
    rows.addTraded(venue.nextTrade(), opposite(side), NOBODY, number, NO_ORDER, price, units);
    left -= units;
  }
  return left;
}

/**
 * The price of a fill on demand: of a limit order the best price of the other side, and its own limit where that is not
 * reached; of a market order the last traded price. It is never beyond the order's limit.
 */
function priceOnDemand(venue: Venue, { side, terms }: AdmittedOrder): Price {
  const isMarket = terms.priceType === 'MKT' || terms.priceType === 'SL-MKT';
  const price = isMarket ? lastTradedPrice(venue) : bestOpposite(venue, side);
  return price !== undefined && price > 0 && reaches(side, terms.price, price) ? price : terms.price;
}

/** The guard that forbids a trade at a price. Source: market-rules R1.42, R1.47. */
function guardAgainst(venue: Venue, price: Price): CancelReason | undefined {
  const band = venue.band();
  if (price < band.lower || price > band.upper) return 'OutsideBand';
  const range = executionAt(venue);
  return range !== undefined && (price < range.lower || price > range.upper) ? 'BeyondExecutionRange' : undefined;
}
