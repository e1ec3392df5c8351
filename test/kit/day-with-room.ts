/**
 * Time for a run of tests whose services follow the wall: in the last minutes of a market's day intraday orders are
 * refused, and the next day begins with empty books. Source: data/rules/square-off.csv.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;
const IST_MS = 19_800_000;
/** A run and the last minutes of the day, from 23:55 on, take less. In milliseconds. */
const ROOM_MS = 15 * 60_000;
/** The first seconds of a day do the work of the day before. */
const BEGUN_MS = 10_000;

/** Waits for the next day of the market, and says so, when this one has too little time left. */
export async function dayWithRoom(): Promise<void> {
  const left = DAY_MS - ((Date.now() + IST_MS) % DAY_MS);
  if (left > ROOM_MS) return;
  console.log(`The market's day ends in ${Math.ceil(left / 60_000)} minutes: the tests wait for the next one.`);
  await sleep(left + BEGUN_MS);
}
