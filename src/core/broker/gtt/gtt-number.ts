import type { GttNumber } from '../../../base/ids.ts';
import type { EpochMs } from '../../../base/time.ts';
import { istDay } from '../../../base/time.ts';
import { firstOrderNumber } from '../orders/order-number.ts';

/** Numbers of GTTs begin here in the eight digits of a date, far from the order numbers of that date. */
const FIRST_OF_A_DAY = 90_000_000;

/** The number after `last`: the IST date as `YYMMDD` and eight digits, increasing for ever, and no order's number. */
export function nextGttNumber(last: GttNumber, at: EpochMs): GttNumber {
  return Math.max(last + 1, firstOrderNumber(istDay(at)) + FIRST_OF_A_DAY) as GttNumber;
}
