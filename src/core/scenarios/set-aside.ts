/**
 * Orders that the exchange sets aside because their clients asked for that. Such an order stands in no queue. It fills
 * against the market as its scenario says, by trades in which the market is the aggressor: so they move neither the
 * last traded price nor the stops and queues of others. Source: docs/outcomes.md.
 */

import type { Price, Quantity } from '../../base/money.ts';
import type { CancelReason, Event } from '../event.ts';
import { executionAt } from '../exchange/guards/guarded-prices.ts';
import { type AdmittedOrder, stillAdmitted } from '../exchange/matching/admitted-order.ts';
import { reaches } from '../exchange/matching/market-side.ts';
import { traded } from '../exchange/matching/traded.ts';
import { bestOpposite, lastTradedPrice } from '../exchange/reference.ts';
import type { Venue } from '../exchange/venue.ts';
import { opposite } from '../order.ts';
import { isSetAside, type OrderScenario, partsOf, unitsToFill } from './order-scenario.ts';

/** An order with a scenario that sets it aside. */
export type SetAsideOrder = AdmittedOrder & { readonly scenario: OrderScenario };

/** The events of fills, and the units that stay set aside after them. */
interface Fills {
  readonly events: readonly Event[];
  readonly left: number;
}

export function goesAside(order: AdmittedOrder): order is SetAsideOrder {
  return order.scenario !== undefined && isSetAside(order.scenario);
}

/**
 * Sets an order aside and fills the units that its scenario names and that are not filled yet. In an auction nothing
 * fills: the order waits for continuous trading. Of an immediate order nothing stays. Returns the events, with `before`
 * in front of them.
 */
export function setAside(venue: Venue, order: SetAsideOrder, before: Event): Event[] {
  const { order: number, terms } = order;
  const events: Event[] = [before, { type: 'OrderSetAside', order: number }];
  const { events: fills, left } =
    venue.book.phase === 'Continuous' ? fillOnDemand(venue, order) : { events: [], left: order.remaining };
  events.push(...fills);
  if (left > 0 && terms.retention === 'IOC') events.push(cancelled(order, 'ImmediateOrCancel'));
  return events;
}

/** The fills of the orders that were set aside before continuous trading, as it begins. */
export function fillsOfOpening(venue: Venue): Event[] {
  if (venue.stopped) return [];
  return Array.from(venue.book.asideOrders()).flatMap(([number]) => {
    const order = stillAdmitted(venue.order(number));
    return goesAside(order) ? fillOnDemand(venue, order).events : [];
  });
}

/** The fills that are still missing of an order, and the units that stay. */
function fillOnDemand(venue: Venue, order: SetAsideOrder): Fills {
  const { scenario, terms, remaining } = order;
  const units = unitsToFill(scenario, terms.quantity, venue.lot) - (terms.quantity - remaining);
  if (units <= 0) return { events: [], left: remaining };
  return fillNow(venue, order, partsOf(units, scenario.fills ?? 1, venue.lot));
}

/**
 * Fills parts of an order that was set aside, at the price that the market has for it. Where no trade may have that
 * price, the order ends.
 */
export function fillNow(venue: Venue, order: AdmittedOrder, parts: readonly Quantity[]): Fills {
  const price = priceOnDemand(venue, order);
  const forbidden = guardAgainst(venue, price);
  if (forbidden !== undefined) return { events: [cancelled(order, forbidden)], left: 0 };
  const { order: number, account, product, side } = order;
  const own = { order: number, account, product };
  const [buy, sell] = side === 'B' ? [own, undefined] : [undefined, own];
  const events = parts.map((units) => traded(venue, price, units, opposite(side), buy, sell));
  return { events, left: order.remaining - parts.reduce((sum, units) => sum + units, 0) };
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

function cancelled({ order }: AdmittedOrder, reason: CancelReason): Event {
  return { type: 'OrderCancelled', order, reason };
}
