/** The five levels a side of a quote, as the depth and the ladder show them. */
import type { Side } from '../../../../client/src/generated/operations.ts';
import type { QuoteRow } from '../../../../client/src/wire.ts';

export interface Level {
  /** Decimal text of rupees. */
  readonly price: string;
  /** Units. */
  readonly quantity: string;
  readonly orders: string;
}

const PLACES = [1, 2, 3, 4, 5] as const;

/** The levels of a side, best first. A side that is thinner than five levels has fewer. */
export function levelsOf(quote: QuoteRow, side: Side): readonly Level[] {
  const name = side === 'B' ? 'bestBuy' : 'bestSell';
  return PLACES.map((place) => ({
    price: quote[`${name}Price${place}`],
    quantity: quote[`${name}Quantity${place}`],
    orders: quote[`${name}Order${place}`],
  })).filter(({ quantity }) => quantity !== '0' && quantity !== '');
}

/** The width of a level's bar against the largest quantity shown, in percent. */
export function barOf({ quantity }: Level, largest: number): number {
  return shareOf(Number(quantity), largest);
}

/** Units against the largest number of them shown, in percent. */
export function shareOf(units: number, largest: number): number {
  return largest === 0 ? 0 : Math.round((units * 100) / largest);
}

export function largestOf(levels: readonly Level[]): number {
  return levels.reduce((largest, { quantity }) => Math.max(largest, Number(quantity)), 0);
}
