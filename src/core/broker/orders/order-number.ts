import type { OrderNumber } from '../../../base/ids.ts';
import { civilDate, type EpochMs, type IstDay, istDay } from '../../../base/time.ts';

const ORDERS_OF_A_DAY = 100_000_000;

/**
 * The number after `last`: the IST date as `YYMMDD` and eight digits, increasing for ever. Source: market-rules R0.8.
 */
export function nextOrderNumber(last: OrderNumber, at: EpochMs): OrderNumber {
  const day = istDay(at);
  if (day !== known.day) known = { day, first: firstOrderNumber(day) };
  return Math.max(last + 1, known.first) as OrderNumber;
}

/** The day that was asked for last: a date is computed once, not for every order. */
let known = { day: 0 as IstDay, first: firstOrderNumber(0 as IstDay) };

/** The number of the first order of a date. Source: market-rules R0.8. */
export function firstOrderNumber(today: IstDay): number {
  const { year, month, day } = civilDate(today);
  return ((year % 100) * 10_000 + month * 100 + day) * ORDERS_OF_A_DAY + 1;
}
