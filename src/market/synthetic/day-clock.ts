import { hashText } from '../../base/random.ts';
import { type IstDay, weekday } from '../../base/time.ts';
import { exp } from '../options/elementary.ts';
import { hashAt, normalOf } from './draws.ts';
import { dayVariance, type HoursRegime } from './profile.ts';
import { FIRST_DAY, TREE_DAYS } from './span-of-days.ts';

/**
 * Waves of the logarithm of variance: what is left of one a day later, its deviation, and how much of it is still to come in the
 * month ahead on average. Together they make volatility cluster.
 */
const WAVES = [
  { name: 'days', left: 0.75, deviation: 0.45, ahead: 0 },
  { name: 'weeks', left: 0.95, deviation: 0.42, ahead: 0.55 },
  { name: 'months', left: 0.985, deviation: 0.5, ahead: 0.85 },
] as const;

/**
 * How much variance each day holds, for all paths alike: 1 on average over trading days, calm and wild spells included. It comes
 * from the calendar of weekdays and the seed alone, never from the holidays, so that a new holiday table changes no past.
 */
export class DayClock {
  private readonly cumulative = new Float64Array(TREE_DAYS + 1);
  private readonly outlooks = new Float64Array(TREE_DAYS);

  constructor(regime: HoursRegime, seed: number) {
    const logarithms = new Float64Array(TREE_DAYS);
    for (const wave of WAVES) {
      const values = waveOf(hashText(seed, `wave of ${wave.name}`), wave.left, wave.deviation);
      addTo(logarithms, values, 1);
      addTo(this.outlooks, values, wave.ahead);
    }
    const spells = logarithms.map(exp);
    const mean = spells.reduce((sum, spell) => sum + spell, 0) / TREE_DAYS;
    for (let i = 0; i < TREE_DAYS; i += 1) {
      const calm = dayVariance(regime, weekday((FIRST_DAY + i) as IstDay));
      this.cumulative[i + 1] = (this.cumulative[i] as number) + (calm * (spells[i] as number)) / mean;
    }
  }

  /** The variance between two days counted from FIRST_DAY. */
  between(from: number, to: number): number {
    return (this.cumulative[to] as number) - (this.cumulative[from] as number);
  }

  /** The logarithm of the variance that a day leads one to expect of the month ahead; 0 is the middle of all. */
  outlook(day: IstDay): number {
    return this.outlooks[Math.min(Math.max(day - FIRST_DAY, 0), TREE_DAYS - 1)] as number;
  }
}

/** A wave that forgets: each day keeps a share of the day before and adds a draw. */
function waveOf(seed: number, left: number, deviation: number): Float64Array {
  const values = new Float64Array(TREE_DAYS);
  const fresh = deviation * Math.sqrt(1 - left * left);
  let value = deviation * normalOf(hashAt(seed, -1));
  for (let i = 0; i < TREE_DAYS; i += 1) {
    value = left * value + fresh * normalOf(hashAt(seed, i));
    values[i] = value;
  }
  return values;
}

function addTo(sums: Float64Array, values: Float64Array, factor: number): void {
  for (let i = 0; i < sums.length; i += 1) sums[i] = (sums[i] as number) + factor * (values[i] as number);
}
