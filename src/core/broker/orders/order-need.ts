import {
  amountOf,
  type Paise,
  type Price,
  type Quantity,
  subtractPaise,
  ZERO_PAISE,
  ZERO_PRICE,
} from '../../../base/money.ts';
import { bestOpposite } from '../../exchange/reference.ts';
import type { Venue } from '../../exchange/venue.ts';
import type { Product, Side } from '../../order.ts';
import { buyQuantity, netQuantity, type PositionFacts, positionFacts, sellQuantity } from '../../position.ts';
import type { WhatIf } from '../trials/what-if.ts';
import { type OrderWish, unitsOf } from './order-wish.ts';
import { CONTRACT_PRODUCTS, reduces } from './reduction.ts';

/** An order as margin sees it. */
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

/** A wish as margin sees it. */
export function triedOrder(wish: OrderWish): TriedOrder {
  const { instrument, product, side, terms, venue } = wish;
  const worst = worstPrice(venue, side, product, terms.price);
  return { facts: positionFacts(instrument), product, side, units: unitsOf(wish), limit: terms.price, worst };
}

/**
 * By how much less is available for an order, in paise; below 0 when it frees margin. What cannot decide may be left
 * out.
 */
export interface OrderNeed {
  /** While it rests: by the dearest of the worlds. Source: market-rules R4.27. */
  readonly resting?: Paise;
  /** Once it alone has filled at its limit, or with it what rests beside it to close. */
  readonly filled?: Paise;
  /** What must be available for it. At most 0: it is admitted whatever is available. Source: market-rules R4.28. */
  readonly required: Paise;
}

/**
 * What an order needs of an account as it would be, in which `before` paise are available. It stands in `tried`
 * afterwards: filled when that was looked at, else resting.
 *
 * The worlds of resting orders are not enough by themselves. An order that meets the other side of its position
 * realises the result of what it closes, and the premium of an option buy, which only the worlds with the buys carry,
 * is paid in all of them once it fills. What was admitted must not bring its account below nothing by filling inside
 * its limit, so it is measured filled by itself as well. A closing order that adds nothing while it rests is let
 * through without that look: to close is always possible. One beside exits that rest, and close the position already,
 * is not closing: it pays for what all of them turn around, with the result of what they close.
 *
 * A contract that meets nothing is measured filled alone, unless `both` are asked for. While it rests, each world
 * either has it filled, and then needs what the same world needs once it has filled, or has not, and needs what it
 * needed before; so resting needs no more than the larger of these, and where something is required it is what filling
 * needs. That holds while every paisa of premium counts: not beside premium received that still pays for purchases, nor
 * where the calendar charge turns while it fills: there a part of an order can need more than all of it and than none,
 * which is blocked while it rests.
 */
export function needOf(tried: WhatIf, order: TriedOrder, before: Paise, both = false): OrderNeed {
  const { facts, product, side, units, worst } = order;
  if (product === 'C') {
    tried.rest(facts, product, side, units, worst);
    const resting = deliveryNeed(side, units, worst);
    return { resting, required: resting };
  }
  const ofShares = facts.isin !== '';
  const mayDecideFilled = !both && !ofShares && !hasPremiumCredit(tried);
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
 * What a delivery needs, whatever else its account holds: a purchase its value, a sale nothing. Source: market-rules
 * R4.21.
 */
export function deliveryNeed(side: Side, units: Quantity, price: Price): Paise {
  return side === 'B' ? amountOf(price, units) : ZERO_PAISE;
}

/** Lets an order that was measured trade at its limit, when it has not by then. */
export function fillMeasured(tried: WhatIf, order: TriedOrder, { filled }: OrderNeed): void {
  if (filled === undefined) fillTried(tried, order);
}

/** The order that rests in `tried` trades at its limit. */
function fillTried(tried: WhatIf, { facts, product, side, units, limit, worst }: TriedOrder): void {
  tried.withdraw(facts, product, side, units, worst);
  tried.fill(facts, product, side, units, limit);
}

/**
 * The price at which an order can need most: an intraday sale may fill above its limit, at what is bid. Source:
 * market-rules R4.23.
 */
function worstPrice(venue: Venue, side: Side, product: Product, limit: Price): Price {
  if (side === 'B' || product === 'C' || venue.kind !== 'equity') return limit;
  return Math.max(limit, bestOpposite(venue, side) ?? ZERO_PRICE) as Price;
}

/** What is needed once all orders of the side that rest in the same rows have filled as well. */
function neededTogether(tried: WhatIf, { facts, product, side }: TriedOrder, before: Paise): Paise {
  const together = tried.copy();
  for (const met of productsMet(facts, product)) together.fillResting(facts, met, side);
  return subtractPaise(before, together.availableMargin());
}

/** The products whose rows a fill meets: all of a contract, its own of intraday shares. */
function productsMet(facts: PositionFacts, product: Product): readonly Product[] {
  return facts.isin === '' ? CONTRACT_PRODUCTS : [product];
}

/** What stands in the rows that an order meets. */
interface Met {
  /** Units held, negative when short. */
  readonly net: number;
  /** Units traded on the other side: a fill realises a result against them, or pays premium back. */
  readonly traded: number;
  /** Units of orders of its own side that rest. */
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

/** True when the order, with all others of its side that rest, only brings the position nearer to flat. */
function isClosing({ net, resting }: Met, side: Side, units: number): boolean {
  const open = units + resting;
  return reduces({ net, after: side === 'B' ? net + open : net - open }, side);
}

/** True when option sales have brought premium that purchases may use up. Source: market-rules R4.24. */
function hasPremiumCredit({ books }: WhatIf): boolean {
  return books.premium > books.writtenPremium;
}
