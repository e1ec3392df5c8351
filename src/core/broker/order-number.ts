import type { OrderNumber } from '../../base/ids.ts';
import { civilDate, type EpochMs, istDay } from '../../base/time.ts';

const ORDERS_OF_A_DAY = 100_000_000;

/** The number after `last`: the IST date as `YYMMDD` and eight digits, increasing for ever. Source: market-rules R0.8. */
export function nextOrderNumber(last: OrderNumber, at: EpochMs): OrderNumber {
  const { year, month, day } = civilDate(istDay(at));
  const date = (year % 100) * 10_000 + month * 100 + day;
  return Math.max(last + 1, date * ORDERS_OF_A_DAY + 1) as OrderNumber;
}
