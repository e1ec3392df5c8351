import type { OrderNumber } from '../../../base/ids.ts';
import { NUMBERS_OF_A_ROOM, roomOf } from '../../../base/number-room.ts';
import { type EpochMs, type IstDay, istDay } from '../../../base/time.ts';

/** The orders of clients on a date. */
const OF_CLIENTS = 80_000_000;
/** The orders on a date, those of the risk desk and of GTTs included. The numbers of GTTs begin after them. */
export const ORDERS_OF_A_ROOM = 90_000_000;

/**
 * The number after `last`: the IST date as `YYMMDD`, two digits of the shard and eight more, increasing for ever.
 * `undefined` when the date has no number left: a client's orders end earlier, so that positions can be closed and
 * GTTs can fire. Source: market-rules R0.8.
 */
export function nextOrderNumber(last: OrderNumber, at: EpochMs, isClients: boolean): OrderNumber | undefined {
  const day = istDay(at);
  if (day !== known.day) known = { day, first: firstOrderNumber(day) };
  const next = Math.max(last + 1, known.first);
  const isFull = (next - 1) % NUMBERS_OF_A_ROOM >= (isClients ? OF_CLIENTS : ORDERS_OF_A_ROOM);
  return isFull ? undefined : (next as OrderNumber);
}

/** The day that was asked for last: a date is computed once, not for every order. */
let known = { day: 0 as IstDay, first: firstOrderNumber(0 as IstDay) };

/** The number of the first order of a date. Source: market-rules R0.8. */
export function firstOrderNumber(today: IstDay): number {
  return roomOf(today) + 1;
}
