import { assert } from '../../../base/assert.ts';
import { ceilToTick, floorToTick, type Price, type Quantity } from '../../../base/money.ts';
import type { AuctionLevel, PriceBand } from '../../market.ts';

/** What else decides an auction than its orders. */
export interface AuctionTerms {
  /** The price that a tie is settled towards: the previous close, or the reference of a closing auction. Above 0. */
  readonly reference: Price;
  readonly tick: Price;
  readonly band: PriceBand;
}

/** The one price of an auction, and what trades at it. */
export interface Equilibrium {
  readonly price: Price;
  /** Units that trade: the smaller of demand and supply. Above 0. */
  readonly quantity: Quantity;
  /** Units that buy and that sell at the price. */
  readonly demand: Quantity;
  readonly supply: Quantity;
}

/**
 * The price on the tick, inside the band, at which most units trade; of several the one that leaves the fewest over, of
 * those the nearest to the reference, of two as near the lower. Nothing when no price trades. A market order counts as
 * one at the edge of the band. Levels come in any order and may share a price. Source: market-rules R2.6.
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
 * The prices that need to be tried, ascending: demand and supply change only at the prices of orders, so each stretch
 * between two of them, and each end of the band, is stood for by its ends and by what lies nearest to the reference.
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
