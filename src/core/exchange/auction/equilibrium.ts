/**
 * Finds the price of an auction, and the quantity that trades at it, from the orders of both sides. It does not say
 * which orders are filled: `claims.ts` and `match-auction.ts` do.
 */

import { assert } from '../../../base/assert.ts';
import { ceilToTick, floorToTick, type Price, type Quantity } from '../../../base/money.ts';
import type { AuctionLevel, PriceBand } from '../../market.ts';

/** The inputs of an auction beside its orders. */
export interface AuctionTerms {
  /** The price that settles a tie: the previous close, or the reference of a closing auction. Above 0. */
  readonly reference: Price;
  readonly tick: Price;
  readonly band: PriceBand;
}

/** The price of an auction, and the quantity that trades at it. */
export interface Equilibrium {
  readonly price: Price;
  /** Units that trade: the smaller of demand and supply. Above 0. */
  readonly quantity: Quantity;
  /** Units that buyers want, and units that sellers offer, at the price. */
  readonly demand: Quantity;
  readonly supply: Quantity;
}

/**
 * Finds the price inside the band, a multiple of the tick, at which most units trade. Of several such prices it takes
 * the one with the smallest imbalance, then the one nearest to the reference, then the lower one. `undefined` when
 * nothing can trade. A market order counts as a limit order at the edge of the band. Levels come in any order and may
 * share a price. Source: market-rules R2.6.
 */
export function equilibrium(
  buys: readonly AuctionLevel[],
  sells: readonly AuctionLevel[],
  terms: AuctionTerms,
): Equilibrium | undefined {
  assert(terms.reference > 0 && terms.tick > 0, 'an auction has a reference and a tick');
  const fromBelow = (a: AuctionLevel, b: AuctionLevel) => a.price - b.price;
  const demanded = buys.toSorted(fromBelow);
  const supplied = sells.toSorted(fromBelow);
  let demand = buys.reduce((sum, { quantity }) => sum + quantity, 0);
  let supply = 0;
  let bought = 0;
  let sold = 0;
  let best: Equilibrium | undefined;
  for (const price of candidates(buys, sells, terms)) {
    for (let level = demanded[bought]; level !== undefined && level.price < price; level = demanded[bought]) {
      demand -= level.quantity;
      bought += 1;
    }
    for (let level = supplied[sold]; level !== undefined && level.price <= price; level = supplied[sold]) {
      supply += level.quantity;
      sold += 1;
    }
    const quantity = Math.min(demand, supply) as Quantity;
    if (quantity === 0) continue;
    const here = { price, quantity, demand: demand as Quantity, supply: supply as Quantity };
    if (best === undefined || isBetter(here, best, terms.reference)) best = here;
  }
  return best;
}

/**
 * The prices to try, ascending. Demand and supply change only at the prices of orders. So it is enough to try each
 * order's price with the ticks beside it, the edges of the band, and the ticks nearest to the reference.
 */
function candidates(buys: readonly AuctionLevel[], sells: readonly AuctionLevel[], terms: AuctionTerms): Price[] {
  const { reference, tick, band } = terms;
  const prices = new Set<number>([floorToTick(reference, tick), ceilToTick(reference, tick)]);
  prices.add(ceilToTick(band.lower, tick)).add(floorToTick(band.upper, tick));
  for (const side of [buys, sells]) {
    for (const { price } of side)
      prices
        .add(price - tick)
        .add(price)
        .add(price + tick);
  }
  const inside = Array.from(prices).filter((price) => price >= band.lower && price <= band.upper && price > 0);
  return inside.sort((a, b) => a - b) as Price[];
}

function isBetter(a: Equilibrium, b: Equilibrium, reference: Price): boolean {
  if (a.quantity !== b.quantity) return a.quantity > b.quantity;
  const left = imbalanceOf(a) - imbalanceOf(b);
  if (left !== 0) return left < 0;
  return Math.abs(a.price - reference) < Math.abs(b.price - reference);
}

function imbalanceOf({ demand, supply }: Equilibrium): number {
  return Math.abs(demand - supply);
}
