import { fromPaise, toPaise } from '../../../client/src/money.ts';

/** The prices that a change of the day is computed from. */
interface DayPrices {
  readonly lastTradedPrice: string;
  /** The previous close. */
  readonly dayClosePrice: string;
}

/** The change since the previous close, in rupees and in percent with two decimals. */
export function changeOf({ lastTradedPrice, dayClosePrice }: DayPrices): {
  readonly change: string;
  readonly percent: string;
} {
  const close = toPaise(dayClosePrice);
  const change = toPaise(lastTradedPrice) - close;
  return { change: fromPaise(change), percent: close === 0 ? '0.00' : shareOf(change, close) };
}

/** A part of a whole in percent, with two decimals. */
export function shareOf(part: number, whole: number): string {
  return fromPaise(Math.round((part * 10_000) / whole));
}
