import type { Tick } from './ids.ts';
import { type EpochMs, type IstDay, istDay, istInstant, SECOND_MS } from './time.ts';

/** The instant at which a tick begins. */
export function instantOf(tick: Tick): EpochMs {
  return (tick * SECOND_MS) as EpochMs;
}

/** The IST day that holds a tick. */
export function dayOf(tick: Tick): IstDay {
  return istDay(instantOf(tick));
}

/** The tick of a whole second of a day, both in IST. */
export function tickOf(day: IstDay, second: number): Tick {
  return (firstTickOf(day) + second) as Tick;
}

/** The tick at which a day begins, in IST. */
export function firstTickOf(day: IstDay): Tick {
  return (istInstant(day) / SECOND_MS) as Tick;
}
