import type { Tick } from '../../base/ids.ts';
import { DAY_MS, type EpochMs, HOUR_MS, IST_OFFSET_MS, type IstDay, istDay, SECOND_MS } from '../../base/time.ts';

const DAY_SECONDS = DAY_MS / SECOND_MS;
const OFFSET_SECONDS = (IST_OFFSET_MS / HOUR_MS) * 3_600;

/** The tick of IST midnight of a day. */
export function secondsOfDay(day: IstDay): number {
  return day * DAY_SECONDS - OFFSET_SECONDS;
}

/** The tick of a second of a day, both in IST. */
export function tickOf(day: IstDay, second: number): Tick {
  return (secondsOfDay(day) + second) as Tick;
}

/** The IST day that holds a tick. */
export function dayOf(tick: Tick): IstDay {
  return istDay(instantOf(tick));
}

/** The instant at which a tick begins. */
export function instantOf(tick: Tick): EpochMs {
  return (tick * SECOND_MS) as EpochMs;
}
