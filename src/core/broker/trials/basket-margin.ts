/**
 * The margin of orders that nobody has placed, for the margin calculators of the wire. They are measured as admission
 * would measure them, and nothing is placed, blocked or changed.
 */

import type { InstrumentId, OrderNumber } from '../../../base/ids.ts';
import { type Paise, type Price, type Quantity, subtractPaise, ZERO_PAISE } from '../../../base/money.ts';
import type { Account } from '../../account.ts';
import { type Instrument, marginGroup } from '../../instrument.ts';
import type { Order, OrderTerms, Product, ProtectionE4, Side } from '../../order.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { State } from '../../state.ts';
import { venueOf } from '../../venue-of.ts';
import { marginBound } from '../account/delivery-due.ts';
import { availableMargin, cashBalance, marginUsed } from '../account/funds.ts';
import { MOST_COUNTED } from '../orders/exact-sum-limits.ts';
import { productEnabled } from '../orders/order-checks.ts';
import { fillMeasured, needOf, type TriedOrder, triedOrder } from '../orders/order-need.ts';
import type { OrderWish } from '../orders/order-wish.ts';
import { ownOrdersInTurn, withdrawEnded } from '../orders/orders-ended.ts';
import { withLimit } from '../orders/protection.ts';
import { WhatIf } from './what-if.ts';

const NO_ORDERS: readonly Order[] = [];

/** An order whose margin is asked for, as it would be placed. */
export interface OrderQuestion {
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly product: Product;
  /** `price` is 0 for market orders: they are measured at their protected price. */
  readonly terms: OrderTerms;
  /** That of a market order; the usual one when absent. */
  readonly protection?: ProtectionE4;
}

/**
 * Refuses an order that no account can place on any day and that therefore has no margin: a delivery of a contract.
 * Orders outside the account's risk group are refused too. All other refusals depend on the moment, so such orders are
 * measured. Source: contract W9, market-rules R3.3.
 */
export function neverPlaced(product: Product, instrument: Instrument): Refusal | undefined {
  return productEnabled({ product, instrument });
}

/** Source: contract W20, market-rules R4.33. All in paise. */
export interface BasketMargin {
  /**
   * The margin in use after each order is added, in the order given. It and those before it have filled at their
   * limits.
   */
  readonly afterEach: readonly Paise[];
  /**
   * The most margin that must be available at the start so that admission takes each order after those before it have
   * filled; at least 0. It is exact: with one paisa less, an order of the sequence is refused.
   */
  readonly onNewOrder: Paise;
  /** The margin in use before the basket. */
  readonly previous: Paise;
  /** The margin in use once all orders have traded, with their hedges counted. */
  readonly traded: Paise;
  readonly available: Paise;
}

/**
 * Measures orders that nobody has placed, one after the other, as admission would. When one of them would end a resting
 * order of the account, that order is gone for it and for those after it (R3.24). The state stays as it is. Charges are
 * posted at the day's end and are not margin, so nothing is added for them.
 */
export function basketMargin(
  state: State,
  ports: DecisionPorts,
  account: Account,
  orders: readonly OrderQuestion[],
): BasketMargin {
  const previous = marginUsed(account);
  const way = new BasketWay(ports, account);
  const afterEach: Paise[] = [];
  const wishes = orders.map((question) => wishOf(state, ports, account, question));
  const ended = ownOrdersInTurn(wishes);
  for (const wish of wishes) {
    way.take(measured(wish, ended.get(wish) ?? NO_ORDERS));
    afterEach.push(way.marginUsed());
  }
  const available = subtractPaise(availableMargin(account), marginBound(state, ports, account));
  return { afterEach, onNewOrder: way.peak, previous, traded: afterEach.at(-1) ?? previous, available };
}

/** An order of a basket with the figures that margin needs, and the resting orders that it would end. */
export interface MeasuredOrder {
  readonly wish: OrderWish;
  readonly order: TriedOrder;
  readonly ends: readonly Order[];
  readonly endsShares: readonly Order[];
}

/** Reads an order against the market and the books as they are now. */
export function measuredOrder(
  state: State,
  ports: DecisionPorts,
  account: Account,
  question: OrderQuestion,
): MeasuredOrder {
  const wish = wishOf(state, ports, account, question);
  return measured(wish, ownOrdersInTurn([wish]).get(wish) ?? NO_ORDERS);
}

function measured(wish: OrderWish, met: readonly Order[]): MeasuredOrder {
  const [ends, endsShares] = wish.instrument.kind === 'equity' ? [NO_ORDERS, met] : [met, NO_ORDERS];
  return { wish, order: measurable(wish, triedOrder(wish)), ends, endsShares };
}

/** The orders of a basket that have filled so far at their limits, one after the other, and the margin on the way. */
export class BasketWay {
  private readonly start: Paise;
  private readonly tried: WhatIf;
  private readonly ended: Set<OrderNumber>;
  private left: Paise;
  private highest: Paise;

  constructor(ports: DecisionPorts, account: Account, before?: BasketWay) {
    this.start = availableMargin(account);
    this.tried = before?.tried.copy() ?? new WhatIf(ports, account);
    this.ended = new Set(before?.ended);
    this.left = before?.left ?? this.start;
    this.highest = before?.highest ?? ZERO_PAISE;
  }

  /**
   * The most margin that had to be available at the start so that admission took each order, in paise; at least 0.
   */
  get peak(): Paise {
    return this.highest;
  }

  /** The margin in use once the orders so far have filled. */
  marginUsed(): Paise {
    return this.tried.marginUsed();
  }

  /**
   * Adds the next order, which fills. Returns the margin that had to be available at the start for this order; 0 when
   * it needs none.
   */
  take({ wish, order, ends, endsShares }: MeasuredOrder): Paise {
    const { tried, left } = this;
    const ending = this.stillResting(ends);
    withdrawEnded(tried, wish, ending);
    const need = needOf(tried, order, left, ending.length > 0);
    fillMeasured(tried, order, need);
    withdrawEnded(tried, wish, this.stillResting(endsShares));
    const { required } = need;
    const asked = (required > 0 ? this.start - left + required : 0) as Paise;
    this.highest = Math.max(this.highest, asked) as Paise;
    this.left = tried.availableMargin();
    return asked;
  }

  /** The orders among these that have not ended before: each ends once. */
  private stillResting(orders: readonly Order[]): readonly Order[] {
    const ending = orders.filter(({ number }) => !this.ended.has(number));
    for (const { number } of ending) this.ended.add(number);
    return ending;
  }
}

function wishOf(state: State, ports: DecisionPorts, account: Account, question: OrderQuestion): OrderWish {
  const { side, product, protection } = question;
  const instrument = instrumentOf(ports, question.instrument);
  const venue = venueOf(state, ports, instrument);
  const terms = withLimit(venue, instrument, side, question.terms, protection);
  return {
    state,
    ports,
    venue,
    account,
    instrument,
    side,
    product,
    terms,
    current: undefined,
    waitsFor: undefined,
    squareOff: undefined,
    scenario: undefined,
  };
}

/**
 * The order with units and prices cut where its value would be above the largest exact amount. Such an order is never
 * admitted.
 */
function measurable({ ports, instrument }: OrderWish, order: TriedOrder): TriedOrder {
  const { market, tick } = ports;
  const underlying = market.previousClose(marginGroup(instrument), tick);
  const dearest = Math.max(underlying, market.previousClose(instrument.id, tick), 1);
  const units = Math.min(order.units, Math.max(1, Math.floor(MOST_COUNTED / dearest))) as Quantity;
  const most = Math.floor(MOST_COUNTED / units);
  return { ...order, units, limit: Math.min(order.limit, most) as Price, worst: Math.min(order.worst, most) as Price };
}

/** The margin of one order that nobody has placed. Source: contract §4 orderMargin, market-rules R4.34. */
export interface OrderMargin {
  /** As in `limit`, without the part that deliveries of contracts will take which no longer trade. */
  readonly available: Paise;
  /** As in `limit`. */
  readonly cash: Paise;
  /** The margin that must be available to place it; at least 0. */
  readonly onNewOrder: Paise;
}

/**
 * The cash, the available margin and the margin that one order needs, in paise. It places nothing. Source: market-rules
 * R4.34.
 */
export function orderMargin(state: State, ports: DecisionPorts, account: Account, order: OrderQuestion): OrderMargin {
  const { available, onNewOrder } = basketMargin(state, ports, account, [order]);
  return { cash: cashBalance(account), available, onNewOrder };
}
