/**
 * The arithmetic of a position row: net quantity, average, realised result, cost and mark, in the aggregate model.
 * Amounts are whole paise. Margin is not computed here.
 */

import type { InstrumentId } from '../base/ids.ts';
import {
  addPaise,
  amountOf,
  negatePaise,
  type Paise,
  type Quantity,
  scaleHalfUp,
  subtractPaise,
  ZERO_PAISE,
  ZERO_PRICE,
  ZERO_QUANTITY,
} from '../base/money.ts';
import type { Position } from './account.ts';
import { type Instrument, type InstrumentKind, marginGroup } from './instrument.ts';
import type { Product, Side } from './order.ts';

/** The facts that identify a position, without its product. An `Order` and a `Position` have them too. */
export interface PositionFacts {
  readonly instrument: InstrumentId;
  readonly kind: InstrumentKind;
  readonly group: InstrumentId;
  readonly isin: string;
}

/** The facts of a position in an instrument. A contract has no ISIN: its text is empty. */
export function positionFacts(instrument: Instrument): PositionFacts {
  return {
    instrument: instrument.id,
    kind: instrument.kind,
    group: marginGroup(instrument),
    isin: instrument.kind === 'equity' ? instrument.isin : '',
  };
}

/** A position without fills, open orders and mark. */
export function emptyPosition(facts: PositionFacts, product: Product): Position {
  return {
    instrument: facts.instrument,
    kind: facts.kind,
    group: facts.group,
    isin: facts.isin,
    product,
    carriedBuyQuantity: ZERO_QUANTITY,
    carriedBuyAmount: ZERO_PAISE,
    carriedSellQuantity: ZERO_QUANTITY,
    carriedSellAmount: ZERO_PAISE,
    carriedCost: ZERO_PAISE,
    dayBuyQuantity: ZERO_QUANTITY,
    dayBuyAmount: ZERO_PAISE,
    daySellQuantity: ZERO_QUANTITY,
    daySellAmount: ZERO_PAISE,
    mark: ZERO_PRICE,
    openBuyQuantity: ZERO_QUANTITY,
    openBuyAmount: ZERO_PAISE,
    openSellQuantity: ZERO_QUANTITY,
    openSellAmount: ZERO_PAISE,
  };
}

/**
 * How the money of a position reaches the ledger: delivery rows by their purchases and sales, options by their premium,
 * all others (futures and intraday shares) by their result alone.
 */
export type SettlementWay = 'delivery' | 'premium' | 'result';

/** The way of a product in a kind of instrument: options by premium, shares of C by delivery, all else by result. */
export function settlementWay(kind: InstrumentKind, product: Product): SettlementWay {
  if (kind === 'option') return 'premium';
  return product === 'C' ? 'delivery' : 'result';
}

/** Units bought today and carried from earlier days. Source: market-rules R5.2. */
export function buyQuantity(row: Position): Quantity {
  return (row.carriedBuyQuantity + row.dayBuyQuantity) as Quantity;
}

/** Units sold today and carried from earlier days. Source: market-rules R5.2. */
export function sellQuantity(row: Position): Quantity {
  return (row.carriedSellQuantity + row.daySellQuantity) as Quantity;
}

/** The value of all units of `buyQuantity` in paise, without charges. Source: market-rules R5.2. */
export function buyAmount(row: Position): Paise {
  return addPaise(row.carriedBuyAmount, row.dayBuyAmount);
}

/** The value of all units of `sellQuantity` in paise, without charges. Source: market-rules R5.2. */
export function sellAmount(row: Position): Paise {
  return addPaise(row.carriedSellAmount, row.daySellAmount);
}

/** Units held, negative when short. Source: market-rules R5.2. */
export function netQuantity(row: Position): number {
  return row.carriedBuyQuantity + row.dayBuyQuantity - row.carriedSellQuantity - row.daySellQuantity;
}

/** The value of the open quantity at its side's average, never negative. `realisedOf` is the rest of the amounts. */
export function openAmount(row: Position): Paise {
  const net = netQuantity(row);
  if (net === 0) return ZERO_PAISE;
  if (net > 0) return scaleHalfUp(buyAmount(row), net, buyQuantity(row));
  return scaleHalfUp(sellAmount(row), -net, sellQuantity(row));
}

/**
 * The value that the open quantity is carried at: at its mark once the day's end has set one, else at its side's
 * average.
 */
export function carriedAmount(row: Position): Paise {
  const units = Math.abs(netQuantity(row)) as Quantity;
  return row.mark > 0 ? amountOf(row.mark, units) : openAmount(row);
}

/**
 * The amount that the mark of a row has paid: for futures the difference to the day's basis, for options nothing.
 * Source: market-rules R5.8, R5.9.
 */
export function markGain(row: Position): Paise {
  if (row.mark === 0 || settlementWay(row.kind, row.product) !== 'result') return ZERO_PAISE;
  const gain = subtractPaise(carriedAmount(row), openAmount(row));
  return netQuantity(row) > 0 ? gain : negatePaise(gain);
}

/**
 * The result of the closed quantity in the aggregate model. Together with `openAmount` it is exact: sales less
 * purchases = realised - open amount (long) or + open amount (short). Source: market-rules R5.4, R5.5.
 */
export function realisedOf(row: Position): Paise {
  return resultOf(buyQuantity(row), buyAmount(row), sellQuantity(row), sellAmount(row));
}

/** The result after `units` more are bought or sold for `amount`. */
export function realisedAfter(row: Position, side: Side, units: Quantity, amount: Paise): Paise {
  const [bought, sold] = [buyQuantity(row), sellQuantity(row)];
  if (side === 'B') return resultOf(bought + units, addPaise(buyAmount(row), amount), sold, sellAmount(row));
  return resultOf(bought, buyAmount(row), sold + units, addPaise(sellAmount(row), amount));
}

function resultOf(bought: number, paid: Paise, sold: number, got: Paise): Paise {
  const balance = subtractPaise(got, paid);
  if (bought === sold) return balance;
  if (bought > sold) return addPaise(balance, scaleHalfUp(paid, bought - sold, bought));
  return subtractPaise(balance, scaleHalfUp(got, sold - bought, sold));
}

/** The original cost of the carried purchases. Carried sales beside them count at their basis. */
export function carriedBuyCost(row: Position): Paise {
  return row.carriedBuyQuantity === 0 ? ZERO_PAISE : addPaise(row.carriedCost, row.carriedSellAmount);
}

/** The original proceeds of the carried sales. Carried purchases beside them count at their basis. */
export function carriedSellProceeds(row: Position): Paise {
  return row.carriedSellQuantity === 0 ? ZERO_PAISE : subtractPaise(row.carriedBuyAmount, row.carriedCost);
}

/**
 * The original cost of the open quantity: its part of the cost or proceeds of its whole side. Source: market-rules
 * R5.8.
 */
export function costOfOpen(row: Position): Paise {
  const net = netQuantity(row);
  if (net === 0) return ZERO_PAISE;
  if (net > 0) return scaleHalfUp(addPaise(carriedBuyCost(row), row.dayBuyAmount), net, buyQuantity(row));
  return scaleHalfUp(addPaise(carriedSellProceeds(row), row.daySellAmount), -net, sellQuantity(row));
}

/** Writes a fill of today into the row. */
export function addFill(row: Position, side: Side, units: Quantity, amount: Paise): void {
  if (side === 'B') {
    row.dayBuyQuantity = (row.dayBuyQuantity + units) as Quantity;
    row.dayBuyAmount = addPaise(row.dayBuyAmount, amount);
  } else {
    row.daySellQuantity = (row.daySellQuantity + units) as Quantity;
    row.daySellAmount = addPaise(row.daySellAmount, amount);
  }
}

/** Changes what the row carried into the day; negative numbers take away. The cost stays as it is. */
export function addCarried(row: Position, side: Side, units: number, amount: number): void {
  if (side === 'B') {
    row.carriedBuyQuantity = (row.carriedBuyQuantity + units) as Quantity;
    row.carriedBuyAmount = addPaise(row.carriedBuyAmount, amount as Paise);
  } else {
    row.carriedSellQuantity = (row.carriedSellQuantity + units) as Quantity;
    row.carriedSellAmount = addPaise(row.carriedSellAmount, amount as Paise);
  }
}

/** Changes the sums of the open orders; negative numbers take away. */
export function addOpen(row: Position, side: Side, units: number, amount: number): void {
  if (side === 'B') {
    row.openBuyQuantity = (row.openBuyQuantity + units) as Quantity;
    row.openBuyAmount = addPaise(row.openBuyAmount, amount as Paise);
  } else {
    row.openSellQuantity = (row.openSellQuantity + units) as Quantity;
    row.openSellAmount = addPaise(row.openSellAmount, amount as Paise);
  }
}

/**
 * True when the row has quantities that were traded or carried today, even if it is flat. Source: market-rules R5.1.
 */
export function hasTraded(row: Position): boolean {
  return buyQuantity(row) !== 0 || sellQuantity(row) !== 0;
}
