/**
 * The rooms of the numbers that orders and GTTs get: one for each date and shard. A number is the date as `YYMMDD`, two
 * digits of the shard and eight that count. Source: market-rules R0.8.
 */

import { civilDate, type IstDay } from './time.ts';

/** The numbers of one shard on one date. */
export const NUMBERS_OF_A_ROOM = 100_000_000;
const SHARDS = 100;
/** Numbers below this have no digits of a shard: `YYMMDD` and eight digits. Older journals have them. */
const WITH_SHARD = 100_000_000_000_000;

/** The number before the first of a date at the first shard. It is exact until 2090. */
export function roomOf(today: IstDay): number {
  const { year, month, day } = civilDate(today);
  return ((year % 100) * 10_000 + month * 100 + day) * SHARDS * NUMBERS_OF_A_ROOM;
}

/** The room that a number lies in; for one without a shard, the first shard's of the same date. */
export function roomAround(number: number): number {
  const room = number - (number % NUMBERS_OF_A_ROOM);
  return number < WITH_SHARD ? room * SHARDS : room;
}

/** The numbers without a shard of the date of a room begin after this. */
export function olderRoom(room: number): number {
  return Math.floor(room / (SHARDS * NUMBERS_OF_A_ROOM)) * NUMBERS_OF_A_ROOM;
}
