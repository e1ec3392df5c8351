/**
 * Reads of the state that answer clients: limits, orders, positions, convertible units and holdings. They change
 * nothing. Order history and trades are in `views`.
 */

import {
  addPaise,
  amountOf,
  averagePriceHalfUp,
  type Paise,
  type Price,
  type Quantity,
  subtractPaise,
  ZERO_PAISE,
  ZERO_QUANTITY,
} from '../base/money.ts';
import { type Account, type Holding, heldUnits, type Position, positionKey } from './account.ts';
import { type ConversionOrigin, convertibleUnits } from './broker/account/conversion.ts';
import { availableMargin, cashBalance, marginUsed, premiumUsed, totalMargin } from './broker/account/funds.ts';
import { usedShares } from './broker/account/holdings.ts';
import { type Instrument, type Instruments, settlesGross } from './instrument.ts';
import type { Order } from './order.ts';
import {
  buyAmount,
  carriedBuyCost,
  carriedSellProceeds,
  costOfOpen,
  hasTraded,
  netQuantity,
  openAmount,
  sellAmount,
  settlementWay,
} from './position.ts';
import type { State } from './state.ts';

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

/** The figures of the funds of an account as they stand. Source: market-rules R4.32. */
export function limitsOf(account: Account): Limits {
  return {
    cash: cashBalance(account),
    payin: account.books.payin,
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
export function ordersOf(state: State, account: Account): Readonly<Order>[] {
  const orders: Readonly<Order>[] = [];
  for (const number of account.orders) {
    const order = state.orders.get(number);
    if (order !== undefined) orders.push(order);
  }
  return orders;
}

const NO_ROWS: ReadonlySet<number> = new Set();

/**
 * The position rows that were traded, converted or carried today, flat ones included, in the order of their first use.
 * `origins` has the keys of the rows from which units were converted: a row that a conversion emptied does not show it.
 * Source: market-rules R5.1.
 */
export function positionsOf(account: Account, origins: ReadonlySet<number> = NO_ROWS): Position[] {
  return Array.from(account.positions)
    .filter(([key, row]) => isShown(key, row, origins))
    .map(([, row]) => row);
}

/** One of the rows of `positionsOf`; `undefined` when it is none of them. */
export function shownPosition(account: Account, key: number, origins: ReadonlySet<number>): Position | undefined {
  const row = account.positions.get(key);
  return row !== undefined && isShown(key, row, origins) ? row : undefined;
}

function isShown(key: number, row: Position, origins: ReadonlySet<number>): boolean {
  return hasTraded(row) || origins.has(key);
}

/** The most units that a conversion may move; 0 when there is no such position. Source: market-rules R5.15. */
export function convertibleQuantity(
  account: Account,
  instruments: Instruments,
  instrument: Instrument,
  origin: ConversionOrigin,
): Quantity {
  const row = account.positions.get(positionKey(instrument.id, origin.from));
  return row === undefined ? ZERO_QUANTITY : convertibleUnits(instruments, account, instrument, row, origin);
}

/** The figures of a position row at a last price. Prices are rounded half up to the paisa, amounts are exact. */
export interface PositionFigures {
  readonly netQuantity: number;
  readonly netAveragePrice: Price;
  readonly dayBuyAveragePrice: Price;
  readonly daySellAveragePrice: Price;
  readonly realised: Paise;
  readonly unrealised: Paise;
  /**
   * The part of the unrealised result that the account's result counts: not that of held shares that were sold, whose
   * cost is in the holding. Source: market-rules R5.21.
   */
  readonly countedOpen: Paise;
  /** Realised and unrealised against the average of the day's basis. */
  readonly totalMtm: Paise;
  /** The same against the original cost of carried quantities. */
  readonly totalPnl: Paise;
  /** The original cost of the carried quantity, and of the whole open side, on average. */
  readonly uploadPrice: Price;
  readonly netUploadPrice: Price;
}

/**
 * `open` is the cost or the proceeds of the open units, in paise: that of the aggregate model unless the caller gives
 * that of another model. It does not change the sum of realised and unrealised. Source: market-rules R5.2 to R5.8,
 * R5.10.
 */
export function positionFigures(row: Position, last: Price, open = openAmount(row)): PositionFigures {
  const net = netQuantity(row);
  const units = Math.abs(net) as Quantity;
  const worth = amountOf(last, units);
  const unrealised = net >= 0 ? subtractPaise(worth, open) : subtractPaise(open, worth);
  const balance = subtractPaise(sellAmount(row), buyAmount(row));
  const realised = net >= 0 ? addPaise(balance, open) : subtractPaise(balance, open);
  const totalMtm = addPaise(realised, unrealised);
  return {
    netQuantity: net,
    netAveragePrice: averagePriceHalfUp(open, units),
    dayBuyAveragePrice: averagePriceHalfUp(row.dayBuyAmount, row.dayBuyQuantity),
    daySellAveragePrice: averagePriceHalfUp(row.daySellAmount, row.daySellQuantity),
    realised,
    unrealised,
    countedOpen: net < 0 && settlementWay(row.kind, row.product) === 'delivery' ? ZERO_PAISE : unrealised,
    totalMtm,
    totalPnl: addPaise(totalMtm, basisGain(row)),
    uploadPrice: uploadPrice(row),
    netUploadPrice: averagePriceHalfUp(costOfOpen(row), units),
  };
}

/** The gain of the carried quantity's basis over its cost. */
function basisGain(row: Position): Paise {
  return subtractPaise(subtractPaise(row.carriedBuyAmount, row.carriedSellAmount), row.carriedCost);
}

function uploadPrice(row: Position): Price {
  if (row.carriedBuyQuantity > 0) return averagePriceHalfUp(carriedBuyCost(row), row.carriedBuyQuantity);
  return averagePriceHalfUp(carriedSellProceeds(row), row.carriedSellQuantity);
}

/** Shares of one ISIN with the units that today's sales use. */
export interface HoldingFigures extends Readonly<Holding> {
  /** Sold today or blocked by open delivery sales. */
  readonly used: Quantity;
  /** Shares that are neither pledged nor used; of a trade-for-trade share only settled ones. */
  readonly salable: Quantity;
  readonly averagePrice: Price;
  /** The proceeds of today's delivery sales. */
  readonly sellAmount: Paise;
  /** Units of it sold today. */
  readonly sold: Quantity;
}

/** Source: market-rules R5.18 to R5.24. */
export function holdingsOf(account: Account, instruments: Instruments): HoldingFigures[] {
  return Array.from(account.holdings.values(), (holding) => {
    const units = heldUnits(holding);
    const used = usedShares(instruments, account, holding.isin);
    const waiting = settlesGross(instruments.get(holding.instrument)) ? holding.unsettled : 0;
    let brought = ZERO_PAISE;
    let sold = 0;
    for (const row of account.deliveries.get(holding.isin) ?? []) {
      brought = addPaise(brought, row.daySellAmount);
      sold += row.daySellQuantity;
    }
    return {
      ...holding,
      used,
      salable: Math.max(0, units - waiting - holding.pledged - used) as Quantity,
      averagePrice: averagePriceHalfUp(holding.cost, units),
      sellAmount: brought,
      sold: sold as Quantity,
    };
  });
}
