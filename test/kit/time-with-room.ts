/**
 * Time for a run of tests whose services follow the wall. In the last minutes of a market's day intraday orders are
 * refused, and the next day begins with empty books. At 06:00 IST all sessions end. Sources:
 * data/rules/square-off.csv, contract W24.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const IST_MS = 5.5 * HOUR_MS;
/** The turns of a market's day that a run must not meet, in IST milliseconds. */
const TURNS_MS = [6 * HOUR_MS, DAY_MS];
/** A run and the last minutes of the day, from 23:55 on, take less. In milliseconds. */
const ROOM_MS = 15 * 60_000;
/** A turn does its work in less time. In milliseconds. */
const TURNED_MS = 10_000;

/** The milliseconds from `now`, in milliseconds since 1970, until a run has room; 0 when it has room now. */
export function untilRoom(now: number): number {
  const timeOfDay = (now + IST_MS) % DAY_MS;
  const near = TURNS_MS.find((turn) => turn > timeOfDay && turn - timeOfDay <= ROOM_MS);
  return near === undefined ? 0 : near - timeOfDay + TURNED_MS;
}

/** Waits, and says so, when the day of the market or the sessions of its users end too soon for a run. */
export async function timeWithRoom(): Promise<void> {
  const wait = untilRoom(Date.now());
  if (wait === 0) return;
  console.log(`The market's day or its sessions end soon: the tests wait for ${Math.ceil(wait / 60_000)} minutes.`);
  await sleep(wait);
}
