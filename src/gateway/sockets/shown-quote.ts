/**
 * The figures that clients were shown of an instrument. They are kept as numbers in memory of their own: quotes of
 * thousands of instruments that stayed until the next second would all be moved by the collector of garbage.
 */
import type { BookLevel } from '../../core/exchange/book/book.ts';
import { type FullQuote, SHOWN_LEVELS } from '../../views/quote.ts';

/** The place of each figure: without a name that is missing here nothing compiles. */
const PLACES = {
  totalBuyQuantity: 0,
  totalSellQuantity: 1,
  last: 2,
  previousClose: 3,
  open: 4,
  high: 5,
  low: 6,
  vwap: 7,
  turnover: 8,
  volume: 9,
  openInterest: 10,
  bids: 11,
  asks: 26,
} as const satisfies Record<keyof FullQuote, number>;
/** The price, the quantity and the orders of each level of a side. */
const LEVEL_WIDTH = 3;
const WIDTH = PLACES.asks + SHOWN_LEVELS * LEVEL_WIDTH;
/** No price: a day without a trade has no open, no high and no low, and a side may have fewer levels. */
const ABSENT = -1;

export class ShownQuote {
  /** Before the first quote there is no number, which no figure is equal to. */
  private readonly numbers = new Float64Array(WIDTH).fill(Number.NaN);

  /** Takes the next quote. True when a client is shown the same as before. */
  take(quote: FullQuote): boolean {
    const areFigures = takeFigures(this.numbers, quote);
    const areBids = takeSide(this.numbers, PLACES.bids, quote.bids);
    const areAsks = takeSide(this.numbers, PLACES.asks, quote.asks);
    return areFigures && areBids && areAsks;
  }
}

/** Each of these functions puts its figures, and gives whether the same were there. */
function takeFigures(numbers: Float64Array, quote: FullQuote): boolean {
  let isSame = put(numbers, PLACES.totalBuyQuantity, quote.totalBuyQuantity);
  isSame = put(numbers, PLACES.totalSellQuantity, quote.totalSellQuantity) && isSame;
  isSame = put(numbers, PLACES.last, quote.last) && isSame;
  isSame = put(numbers, PLACES.previousClose, quote.previousClose) && isSame;
  isSame = put(numbers, PLACES.open, quote.open ?? ABSENT) && isSame;
  isSame = put(numbers, PLACES.high, quote.high ?? ABSENT) && isSame;
  isSame = put(numbers, PLACES.low, quote.low ?? ABSENT) && isSame;
  isSame = put(numbers, PLACES.vwap, quote.vwap) && isSame;
  isSame = put(numbers, PLACES.turnover, quote.turnover) && isSame;
  isSame = put(numbers, PLACES.volume, quote.volume) && isSame;
  return put(numbers, PLACES.openInterest, quote.openInterest) && isSame;
}

function takeSide(numbers: Float64Array, from: number, side: readonly BookLevel[]): boolean {
  let isSame = true;
  const count = Math.min(side.length, SHOWN_LEVELS);
  for (let place = 0; place < count; place += 1) {
    const { price, quantity, orders } = side[place] as BookLevel;
    const at = from + place * LEVEL_WIDTH;
    isSame = put(numbers, at, price) && isSame;
    isSame = put(numbers, at + 1, quantity) && isSame;
    isSame = put(numbers, at + 2, orders) && isSame;
  }
  return count === SHOWN_LEVELS ? isSame : put(numbers, from + count * LEVEL_WIDTH, ABSENT) && isSame;
}

function put(numbers: Float64Array, place: number, value: number): boolean {
  if (numbers[place] === value) return true;
  numbers[place] = value;
  return false;
}
