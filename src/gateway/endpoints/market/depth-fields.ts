/**
 * The depth of a full quote as the wire writes it: five levels a side, each with price, quantity and orders in fields
 * of its own. The levels themselves come from the market.
 */

import { formatRupees } from '../../../base/decimal.ts';
import { ZERO_PRICE } from '../../../base/money.ts';
import type { DepthLevel } from '../../../core/market.ts';
import { integer, rupees } from '../../fields/answers.ts';

/** The thirty depth fields of a full quote: five levels a side, best first. Source: interface §Full quote. */
export const DEPTH_FIELDS = {
  bestBuyOrder1: integer,
  bestBuyOrder2: integer,
  bestBuyOrder3: integer,
  bestBuyOrder4: integer,
  bestBuyOrder5: integer,
  bestBuyPrice1: rupees,
  bestBuyPrice2: rupees,
  bestBuyPrice3: rupees,
  bestBuyPrice4: rupees,
  bestBuyPrice5: rupees,
  bestBuyQuantity1: integer,
  bestBuyQuantity2: integer,
  bestBuyQuantity3: integer,
  bestBuyQuantity4: integer,
  bestBuyQuantity5: integer,
  bestSellOrder1: integer,
  bestSellOrder2: integer,
  bestSellOrder3: integer,
  bestSellOrder4: integer,
  bestSellOrder5: integer,
  bestSellPrice1: rupees,
  bestSellPrice2: rupees,
  bestSellPrice3: rupees,
  bestSellPrice4: rupees,
  bestSellPrice5: rupees,
  bestSellQuantity1: integer,
  bestSellQuantity2: integer,
  bestSellQuantity3: integer,
  bestSellQuantity4: integer,
  bestSellQuantity5: integer,
};

/** A level as it is shown. */
export type ShownLevel = Pick<DepthLevel, 'price' | 'quantity' | 'orders'>;
type Side = readonly ShownLevel[];

const NO_PRICE = formatRupees(ZERO_PRICE);

function ordersAt(side: Side, level: number): string {
  return String(side[level]?.orders ?? 0);
}

function priceAt(side: Side, level: number): string {
  const shown = side[level];
  return shown === undefined ? NO_PRICE : formatRupees(shown.price);
}

function quantityAt(side: Side, level: number): string {
  return String(side[level]?.quantity ?? 0);
}

/** The depth fields of a quote; levels that are not there are zero. */
export function depthFields(bids: Side, asks: Side) {
  return {
    bestBuyOrder1: ordersAt(bids, 0),
    bestBuyOrder2: ordersAt(bids, 1),
    bestBuyOrder3: ordersAt(bids, 2),
    bestBuyOrder4: ordersAt(bids, 3),
    bestBuyOrder5: ordersAt(bids, 4),
    bestBuyPrice1: priceAt(bids, 0),
    bestBuyPrice2: priceAt(bids, 1),
    bestBuyPrice3: priceAt(bids, 2),
    bestBuyPrice4: priceAt(bids, 3),
    bestBuyPrice5: priceAt(bids, 4),
    bestBuyQuantity1: quantityAt(bids, 0),
    bestBuyQuantity2: quantityAt(bids, 1),
    bestBuyQuantity3: quantityAt(bids, 2),
    bestBuyQuantity4: quantityAt(bids, 3),
    bestBuyQuantity5: quantityAt(bids, 4),
    bestSellOrder1: ordersAt(asks, 0),
    bestSellOrder2: ordersAt(asks, 1),
    bestSellOrder3: ordersAt(asks, 2),
    bestSellOrder4: ordersAt(asks, 3),
    bestSellOrder5: ordersAt(asks, 4),
    bestSellPrice1: priceAt(asks, 0),
    bestSellPrice2: priceAt(asks, 1),
    bestSellPrice3: priceAt(asks, 2),
    bestSellPrice4: priceAt(asks, 3),
    bestSellPrice5: priceAt(asks, 4),
    bestSellQuantity1: quantityAt(asks, 0),
    bestSellQuantity2: quantityAt(asks, 1),
    bestSellQuantity3: quantityAt(asks, 2),
    bestSellQuantity4: quantityAt(asks, 3),
    bestSellQuantity5: quantityAt(asks, 4),
  };
}
