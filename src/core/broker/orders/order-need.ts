/**
 * The margin that an order needs of an account, while it rests and once it has filled. It is measured on a copy of the
 * account (`WhatIf`). `margin-checks.ts` checks whether the account has that margin.
 */

import {
  amountOf,
  type Paise,
  type Price,
  type Quantity,
  subtractPaise,
  ZERO_PAISE,
  ZERO_PRICE,
} from '../../../base/money.ts';
import { isGathering } from '../../exchange/phase.ts';
import { bestOpposite, lastTradedPrice } from '../../exchange/reference.ts';
import type { Venue } from '../../exchange/venue.ts';
import type { Product, Side } from '../../order.ts';
import { buyQuantity, netQuantity, type PositionFacts, positionFacts, sellQuantity } from '../../position.ts';
import type { WhatIf } from '../trials/what-if.ts';
import { type OrderWish, unitsOf } from './order-wish.ts';
import { CONTRACT_PRODUCTS, reduces } from './reduction.ts';

/** An order with the figures that margin needs. */
export interface TriedOrder {
  readonly facts: PositionFacts;
  readonly product: Product;
  readonly side: Side;
  /** Units that it still has to fill. */
  readonly units: Quantity;
  /** The worst price that it can fill at. */
  readonly limit: Price;
  /** The price at which it can need most while it rests. */
  readonly worst: Price;
}

/** The order of a wish, with the figures that margin needs. */
export function triedOrder(wish: OrderWish): TriedOrder {
  const { instrument, product, side, terms } = wish;
  const worst = worstPrice(wish);
  return { facts: positionFacts(instrument), product, side, units: unitsOf(wish), limit: terms.price, worst };
}

/**
 * The margin that an order takes from the available margin, in paise; below 0 when it frees margin. A part that cannot
 * decide may be left out.
 */
export interface OrderNeed {
  /** While it rests: by the world that needs most. Source: market-rules R4.27. */
  readonly resting?: Paise;
  /** Once it has filled at its limit, alone or together with the resting exits beside it. */
  readonly filled?: Paise;
  /**
   * The available margin that admission asks for. At 0 or below, the order is always admitted. Source: market-rules
   * R4.28.
   */
  readonly required: Paise;
}

/**
 * The margin that an order needs of an account as it would be, with `before` paise available. The order stands in
 * `tried` afterwards: filled when its fill was measured, else resting.
 *
 * The worlds of resting orders alone are not enough. An order that meets the other side of its position realises the
 * result of the units that it closes. The premium of an option buy stands only in the worlds with the buys, but is paid
 * in all of them once it fills. An admitted order must not bring its account below 0 by filling inside its limit, so
 * its fill is measured too. A closing order that adds nothing while it rests passes without that: closing is always
 * possible. An order beside resting exits that close the position already is not closing. It pays for the position that
 * all of them open together, with the result of the units that they close.
 *
 * A contract that meets no other side is measured by its fill alone, unless `both` is set. While it rests, each world
 * either has it filled, and needs the same as after the fill, or does not, and needs the same as before. So resting
 * never needs more than the larger of the two, and when margin is required at all, it is the need of the fill. This
 * does not hold where the calendar charge bends down during the fill. There a part of an order can need more than the
 * whole order and more than none, and that need is blocked while it rests.
 */
export function needOf(tried: WhatIf, order: TriedOrder, before: Paise, both = false): OrderNeed {
  const { facts, product, side, units, worst } = order;
  if (product === 'C') {
    tried.rest(facts, product, side, units, worst);
    const resting = deliveryNeed(side, units, worst);
    return { resting, required: resting };
  }
  const ofShares = facts.isin !== '';
  const mayDecideFilled = !both && !ofShares;
  const met = metBy(tried, order);
  const meets = met.traded > 0;
  if (mayDecideFilled && !meets && !tried.turnsWithin(facts, side, units)) {
    tried.fill(facts, product, side, units, order.limit);
    const filled = subtractPaise(before, tried.availableMargin());
    return { filled, required: filled };
  }
  tried.rest(facts, product, side, units, worst);
  const resting = subtractPaise(before, tried.availableMargin());
  const closing = isClosing(met, side, units);
  if ((ofShares && !meets) || (closing && resting <= 0)) return { resting, required: resting };
  fillTried(tried, order);
  const alone = subtractPaise(before, tried.availableMargin());
  const turns = meets && !closing && met.resting > 0;
  const filled = turns ? (Math.max(alone, neededTogether(tried, order, before)) as Paise) : alone;
  return { resting, filled, required: Math.max(resting, filled) as Paise };
}

/**
 * The need of a delivery, whatever else its account holds: a purchase needs its value, a sale nothing. Source:
 * market-rules R4.21.
 */
export function deliveryNeed(side: Side, units: Quantity, price: Price): Paise {
  return side === 'B' ? amountOf(price, units) : ZERO_PAISE;
}

/** Fills a measured order at its limit, when measuring it has not done so. */
export function fillMeasured(tried: WhatIf, order: TriedOrder, { filled }: OrderNeed): void {
  if (filled === undefined) fillTried(tried, order);
}

/** Fills the order that rests in `tried` at its limit. */
function fillTried(tried: WhatIf, { facts, product, side, units, limit, worst }: TriedOrder): void {
  tried.withdraw(facts, product, side, units, worst);
  tried.fill(facts, product, side, units, limit);
}

/**
 * The price at which an order can need most. An intraday sale may fill above its limit, at the best bid. At market it
 * counts at the last price or as far above its reference as its limit is below it, whichever is higher. Source:
 * market-rules R4.23.
 */
function worstPrice({ venue, side, product, terms }: OrderWish): Price {
  const { price: limit, priceType } = terms;
  if (side === 'B' || product === 'C' || venue.kind !== 'equity') return limit;
  const bid = bestOpposite(venue, side);
  if (priceType !== 'MKT') return Math.max(limit, bid ?? ZERO_PRICE) as Price;
  const last = lastTradedPrice(venue);
  return Math.max(limit, bid ?? ZERO_PRICE, last, protectedAbove(venue, bid ?? last, limit)) as Price;
}

/**
 * The price that protects a market sale, on the upper side of its reference and inside the band. In an auction the
 * edges of the band are all that protects it, so there is no such price.
 */
function protectedAbove(venue: Venue, reference: Price, limit: Price): Price {
  if (isGathering(venue.phase)) return ZERO_PRICE;
  return Math.min(2 * reference - limit, venue.band().upper) as Price;
}

/** The need once all resting orders of the side in the same rows have filled as well. */
function neededTogether(tried: WhatIf, { facts, product, side }: TriedOrder, before: Paise): Paise {
  const together = tried.copy();
  for (const met of productsMet(facts, product)) together.fillResting(facts, met, side);
  return subtractPaise(before, together.availableMargin());
}

/** The products whose rows a fill meets: all products of a contract, and only its own of intraday shares. */
function productsMet(facts: PositionFacts, product: Product): readonly Product[] {
  return facts.isin === '' ? CONTRACT_PRODUCTS : [product];
}

/** The units in the rows that an order meets. */
interface Met {
  /** Units held, negative when short. */
  readonly net: number;
  /** Units traded on the other side: a fill against them realises a result, or pays premium back. */
  readonly traded: number;
  /** Units of resting orders of its own side. */
  readonly resting: number;
}

function metBy(tried: WhatIf, { facts, product, side }: TriedOrder): Met {
  const own = tried.row(facts, product);
  let net = netQuantity(own);
  let traded: number = side === 'B' ? sellQuantity(own) : buyQuantity(own);
  let resting: number = side === 'B' ? own.openBuyQuantity : own.openSellQuantity;
  for (const other of productsMet(facts, product)) {
    const row = other === product ? undefined : tried.seen(facts, other);
    if (row === undefined) continue;
    net += netQuantity(row);
    traded += side === 'B' ? sellQuantity(row) : buyQuantity(row);
    resting += side === 'B' ? row.openBuyQuantity : row.openSellQuantity;
  }
  return { net, traded, resting };
}

/** True when the order, with all other resting orders of its side, only brings the position nearer to flat. */
function isClosing({ net, resting }: Met, side: Side, units: number): boolean {
  const open = units + resting;
  return reduces({ net, after: side === 'B' ? net + open : net - open }, side);
}
