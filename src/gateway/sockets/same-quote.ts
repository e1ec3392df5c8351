import type { FullQuote } from '../../views/quote.ts';

/** The figures of a quote beside its depth: without a name that is missing here nothing compiles. */
const FIGURES: Readonly<Record<keyof Omit<FullQuote, 'bids' | 'asks'>, true>> = {
  totalBuyQuantity: true,
  totalSellQuantity: true,
  last: true,
  previousClose: true,
  open: true,
  high: true,
  low: true,
  vwap: true,
  turnover: true,
  volume: true,
  openInterest: true,
};
const NAMES = Object.keys(FIGURES) as (keyof typeof FIGURES)[];

/** Whether two quotes of an instrument show a client the same. */
export function isSameQuote(one: FullQuote, other: FullQuote): boolean {
  return (
    NAMES.every((name) => one[name] === other[name]) &&
    isSameSide(one.bids, other.bids) &&
    isSameSide(one.asks, other.asks)
  );
}

function isSameSide(one: FullQuote['bids'], other: FullQuote['bids']): boolean {
  if (one.length !== other.length) return false;
  return one.every((level, index) => {
    const beside = other[index];
    return (
      beside !== undefined &&
      level.price === beside.price &&
      level.quantity === beside.quantity &&
      level.orders === beside.orders
    );
  });
}
