import type { InstrumentId } from '../base/ids.ts';
import {
  addPaise,
  amountOf,
  averagePriceHalfUp,
  type Paise,
  type Price,
  type Quantity,
  subtractPaise,
  ZERO_PAISE,
} from '../base/money.ts';
import type { EpochMs } from '../base/time.ts';
import { withLimit } from './broker/admission.ts';
import { availableMargin, marginUsed, payIn, premiumUsed, totalMargin } from './broker/funds.ts';
import { usedShares } from './broker/holdings.ts';
import { worstPrice } from './broker/order-need.ts';
import { WhatIf } from './broker/what-if.ts';
import { riskSheet } from './margin/contract-risk.ts';
import type { Order, OrderTerms, Product, Side } from './order.ts';
import { type Desk, instrumentOf, type Ports } from './ports.ts';
import {
  carriedBuyCost,
  carriedSellProceeds,
  costOfOpen,
  isShown,
  netQuantity,
  openAmount,
  type PositionFacts,
  positionFacts,
  realisedOf,
} from './position.ts';
import type { Account, Holding, Position, State } from './state.ts';
import { venueOf } from './venue-of.ts';

/** The figures of `limit`, in paise: available + used = total. Source: market-rules R4.32. */
export interface Limits {
  readonly cash: Paise;
  readonly payin: Paise;
  /** Pledged shares after haircut. */
  readonly collateral: Paise;
  readonly span: Paise;
  readonly exposure: Paise;
  readonly premium: Paise;
  readonly marginUsed: Paise;
  readonly totalMargin: Paise;
  readonly availableMargin: Paise;
  readonly peakMargin: Paise;
}

export function limitsOf(account: Account): Limits {
  return {
    cash: account.books.cash,
    payin: payIn(account),
    collateral: account.books.collateral,
    span: account.books.span,
    exposure: account.books.exposure,
    premium: premiumUsed(account),
    marginUsed: marginUsed(account),
    totalMargin: totalMargin(account),
    availableMargin: availableMargin(account),
    peakMargin: account.peakMargin,
  };
}

/** Today's orders of an account, oldest first. */
export function ordersOf(state: State, account: Account): Order[] {
  const orders: Order[] = [];
  for (const number of account.orders) {
    const order = state.orders.get(number);
    if (order !== undefined) orders.push(order);
  }
  return orders;
}

/** The position rows that were traded or carried today, flat ones included, in the order of their first use. Source: R5.1. */
export function positionsOf(account: Account): Position[] {
  return Array.from(account.positions.values()).filter(isShown);
}

/** What a position row shows at a last price. Prices are rounded half up to the paisa, amounts are exact. */
export interface PositionFigures {
  readonly netQuantity: number;
  readonly netAveragePrice: Price;
  readonly dayBuyAveragePrice: Price;
  readonly daySellAveragePrice: Price;
  readonly realised: Paise;
  readonly unrealised: Paise;
  /** Realised and unrealised against the average of the day's basis. */
  readonly totalMtm: Paise;
  /** The same against what carried quantities cost when they were opened. */
  readonly totalPnl: Paise;
  /** The original cost of the carried quantity, and of the whole open side, on average. */
  readonly uploadPrice: Price;
  readonly netUploadPrice: Price;
}

/** Source: market-rules R5.2 to R5.8, R5.10. */
export function positionFigures(row: Position, last: Price): PositionFigures {
  const net = netQuantity(row);
  const units = Math.abs(net) as Quantity;
  const open = openAmount(row);
  const worth = amountOf(last, units);
  const unrealised = net >= 0 ? subtractPaise(worth, open) : subtractPaise(open, worth);
  const realised = realisedOf(row);
  const totalMtm = addPaise(realised, unrealised);
  return {
    netQuantity: net,
    netAveragePrice: averagePriceHalfUp(open, units),
    dayBuyAveragePrice: averagePriceHalfUp(row.dayBuyAmount, row.dayBuyQuantity),
    daySellAveragePrice: averagePriceHalfUp(row.daySellAmount, row.daySellQuantity),
    realised,
    unrealised,
    totalMtm,
    totalPnl: addPaise(totalMtm, basisGain(row)),
    uploadPrice: uploadPrice(row),
    netUploadPrice: averagePriceHalfUp(costOfOpen(row), units),
  };
}

/** What the basis of the carried quantity has gained over its cost. */
function basisGain(row: Position): Paise {
  return subtractPaise(subtractPaise(row.carriedBuyAmount, row.carriedSellAmount), row.carriedCost);
}

function uploadPrice(row: Position): Price {
  if (row.carriedBuyQuantity > 0) return averagePriceHalfUp(carriedBuyCost(row), row.carriedBuyQuantity);
  return averagePriceHalfUp(carriedSellProceeds(row), row.carriedSellQuantity);
}

/** Shares of one ISIN with what today's sales use of them. */
export interface HoldingFigures extends Readonly<Holding> {
  /** Sold today or blocked by open delivery sales. */
  readonly used: Quantity;
  /** Settled and unsettled shares that are not used. */
  readonly salable: Quantity;
  readonly averagePrice: Price;
  /** What today's delivery sales brought. */
  readonly sellAmount: Paise;
  /** Units of it sold today. */
  readonly sold: Quantity;
}

/** Source: market-rules R5.18 to R5.24. */
export function holdingsOf(account: Account): HoldingFigures[] {
  return Array.from(account.holdings.values(), (holding) => {
    const units = (holding.settled + holding.unsettled) as Quantity;
    const used = usedShares(account, holding.isin);
    let brought = ZERO_PAISE;
    let sold = 0;
    for (const row of account.deliveries.get(holding.isin) ?? []) {
      brought = addPaise(brought, row.daySellAmount);
      sold += row.daySellQuantity;
    }
    return {
      ...holding,
      used,
      salable: Math.max(0, units - holding.pledged - used) as Quantity,
      averagePrice: averagePriceHalfUp(holding.cost, units),
      sellAmount: brought,
      sold: sold as Quantity,
    };
  });
}

/** An order whose margin is asked for, as it would be placed. */
export interface OrderQuestion {
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly product: Product;
  /** `price` is 0 for market orders: they are measured at their protected price. */
  readonly terms: OrderTerms;
}

/** Source: contract W20, market-rules R4.33. All in paise. */
export interface BasketMargin {
  /** The margin in use after each order is added, in the order given. */
  readonly afterEach: readonly Paise[];
  /** The most additional margin needed at any point while they are placed; at least 0. */
  readonly onNewOrder: Paise;
  readonly previous: Paise;
  /** The margin in use once all of them have traded at their limits. */
  readonly traded: Paise;
  readonly available: Paise;
}

/** Measures orders that nobody has placed, one after the other, then all traded. The state stays as it is. */
export function basketMargin(
  state: State,
  ports: Ports,
  at: EpochMs,
  account: Account,
  orders: readonly OrderQuestion[],
): BasketMargin {
  const desk: Desk = {
    ...ports,
    tick: ports.market.tickAt(at),
    riskTick: state.riskTick,
    riskFiles: state.riskFiles,
  };
  const what = new WhatIf(desk, account);
  const previous = marginUsed(account);
  const placed = orders.map((order) => placedOrder(state, desk, order));
  const afterEach: Paise[] = [];
  let most = previous;
  for (const { facts, product, side, units, limit } of placed) {
    what.rest(facts, product, side, units, limit);
    const used = what.marginUsed();
    afterEach.push(used);
    if (used > most) most = used;
  }
  for (const { facts, product, side, units, limit } of placed) {
    what.withdraw(facts, product, side, units, limit);
    what.fill(facts, product, side, units, limit);
  }
  return {
    afterEach,
    onNewOrder: subtractPaise(most, previous),
    previous,
    traded: what.marginUsed(),
    available: availableMargin(account),
  };
}

interface PlacedOrder {
  readonly facts: PositionFacts;
  readonly product: Product;
  readonly side: Side;
  readonly units: Quantity;
  /** The price at which the order can cost most. */
  readonly limit: Price;
}

function placedOrder(state: State, desk: Desk, { instrument: id, side, product, terms }: OrderQuestion): PlacedOrder {
  const instrument = instrumentOf(desk, id);
  const venue = venueOf(state, desk, instrument);
  const { price } = withLimit(desk, venue, instrument, side, terms, undefined);
  const limit = worstPrice(venue, side, product, price);
  return { facts: positionFacts(instrument), product, side, ...measurable(desk, id, terms.quantity, limit) };
}

/** Ten thousand crore rupees: an order worth more is measured as worth so much, and the sums of a whole basket stay exact. */
const MOST_MEASURED = 10_000_000_000_000 as Paise;

/** Units and limit of an order, cut where its value or its margin would be beyond all money. */
function measurable(desk: Desk, id: InstrumentId, units: Quantity, limit: Price): Pick<PlacedOrder, 'units' | 'limit'> {
  const { price, longSpan, longExposure, shortSpan, shortExposure } = riskSheet(desk).of(id);
  const dearest = Math.max(price, longSpan + longExposure, shortSpan + shortExposure, 1);
  const measured = Math.min(units, Math.floor(MOST_MEASURED / dearest)) as Quantity;
  return { units: measured, limit: Math.min(limit, Math.floor(MOST_MEASURED / measured)) as Price };
}

/** The margin of one order that nobody has placed. Source: contract §4 orderMargin, market-rules R4.34. */
export interface OrderMargin {
  readonly cash: Paise;
  readonly available: Paise;
  /** The additional margin that placing it needs; at least 0. */
  readonly onNewOrder: Paise;
}

export function orderMargin(
  state: State,
  ports: Ports,
  at: EpochMs,
  account: Account,
  order: OrderQuestion,
): OrderMargin {
  const { available, onNewOrder } = basketMargin(state, ports, at, account, [order]);
  return { cash: account.books.cash, available, onNewOrder };
}
