/**
 * The depth of a full quote as the wire writes it: five levels a side, each with price, quantity and orders in fields
 * of its own. The levels themselves come from the market.
 */

import type { DepthLevel } from '../../../core/market.ts';
import { integerFigure, rupeesFigure } from '../../fields/answers.ts';

/** The thirty depth fields of a full quote: five levels a side, best first. Source: interface §Full quote. */
export const DEPTH_FIELDS = {
  bestBuyOrder1: integerFigure,
  bestBuyOrder2: integerFigure,
  bestBuyOrder3: integerFigure,
  bestBuyOrder4: integerFigure,
  bestBuyOrder5: integerFigure,
  bestBuyPrice1: rupeesFigure,
  bestBuyPrice2: rupeesFigure,
  bestBuyPrice3: rupeesFigure,
  bestBuyPrice4: rupeesFigure,
  bestBuyPrice5: rupeesFigure,
  bestBuyQuantity1: integerFigure,
  bestBuyQuantity2: integerFigure,
  bestBuyQuantity3: integerFigure,
  bestBuyQuantity4: integerFigure,
  bestBuyQuantity5: integerFigure,
  bestSellOrder1: integerFigure,
  bestSellOrder2: integerFigure,
  bestSellOrder3: integerFigure,
  bestSellOrder4: integerFigure,
  bestSellOrder5: integerFigure,
  bestSellPrice1: rupeesFigure,
  bestSellPrice2: rupeesFigure,
  bestSellPrice3: rupeesFigure,
  bestSellPrice4: rupeesFigure,
  bestSellPrice5: rupeesFigure,
  bestSellQuantity1: integerFigure,
  bestSellQuantity2: integerFigure,
  bestSellQuantity3: integerFigure,
  bestSellQuantity4: integerFigure,
  bestSellQuantity5: integerFigure,
};

/** A level as it is shown. */
export type ShownLevel = Pick<DepthLevel, 'price' | 'quantity' | 'orders'>;
type Side = readonly ShownLevel[];

/** The figures of a level of a side, counted from 0; those of a level that is not there are zero. */
export function ordersAt(side: Side, level: number): number {
  return side[level]?.orders ?? 0;
}

export function priceAt(side: Side, level: number): number {
  return side[level]?.price ?? 0;
}

export function quantityAt(side: Side, level: number): number {
  return side[level]?.quantity ?? 0;
}
