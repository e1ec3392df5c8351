import type { GttNumber } from '../../../base/ids.ts';
import { NUMBERS_OF_A_ROOM, roomOf } from '../../../base/number-room.ts';
import type { EpochMs } from '../../../base/time.ts';
import { istDay } from '../../../base/time.ts';
import { ORDERS_OF_A_ROOM } from '../orders/order-number.ts';

/**
 * The number after `last`: shaped as an order's, increasing for ever, and no order's number: GTTs have the last numbers
 * of a date. `undefined` when the date has none left.
 */
export function nextGttNumber(last: GttNumber, at: EpochMs): GttNumber | undefined {
  const next = Math.max(last + 1, roomOf(istDay(at)) + ORDERS_OF_A_ROOM + 1);
  return next % NUMBERS_OF_A_ROOM === 0 ? undefined : (next as GttNumber);
}
