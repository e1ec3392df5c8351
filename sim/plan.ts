import type { HoursRegime } from '../src/base/market/hours-regime.ts';
import type { Random } from '../src/base/random.ts';
import { type EpochMs, type IstDay, istInstant, SECOND_MS } from '../src/base/time.ts';

/** A time at which the clients are busy. */
export interface Visit {
  readonly at: EpochMs;
  readonly commands: number;
}

/**
 * Around the doors, cut-offs and quiet hours of the exchange's day; in hours and minutes, some seconds before where
 * something changes.
 */
const OF_EXCHANGE =
  '07.58.00 09.00.20 09.05.00 09.06.55 09.07.58 09.11.50 09.14.55 09.20.00 10.59.58 11.45.00 12.10.00 12.30.00 13.05.00 13.57.00 14.29.50 15.04.00 15.14.55 15.19.55 15.24.55 15.29.50 15.33.00 15.34.50 15.39.50 15.44.00 15.50.10 15.56.00 16.04.55 20.30.00 23.58.00';
/** Of markets that never close. */
const OF_ALWAYS =
  '00.00.05 03.00.00 05.59.58 09.15.00 11.00.00 11.45.00 12.05.00 12.29.59 13.05.00 14.29.50 15.24.00 15.29.50 19.00.00 22.00.00 23.54.50 23.59.30';

const DAYS_AWAY_PERCENT = 8;

/** The visits from a day on, for ever: some of each day, now and then a day or more without any. */
export function* visits(random: Random, regime: HoursRegime, first: IstDay): Iterable<Visit> {
  const times = (regime === 'exchange' ? OF_EXCHANGE : OF_ALWAYS).split(' ').map(secondOf);
  for (let day = first; ; day = (day + 1) as IstDay) {
    if (random.chance(DAYS_AWAY_PERCENT)) day = (day + random.between(1, 4)) as IstDay;
    const share = random.between(15, 45);
    for (const second of times) {
      if (!random.chance(share)) continue;
      const at = istInstant(day, (second + random.between(0, 3)) * SECOND_MS);
      yield { at, commands: random.pick([15, 60, 120, 250]) };
    }
  }
}

function secondOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split('.').map(Number);
  return (hours * 60 + minutes) * 60 + seconds;
}
