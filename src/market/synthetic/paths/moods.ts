import { hashAt } from '../../../base/random.ts';
import { signedOf } from './draws.ts';

/** A slow mood: the days from one draw to the next, and how far it goes. */
export interface Mood {
  readonly days: number;
  readonly swing: number;
}

/** The sum of moods at a time in days: each a straight line between the draws at its ends. */
export function sumOfMoods(moods: readonly Mood[], seed: number, time: number): number {
  let sum = 0;
  for (let i = 0; i < moods.length; i += 1) {
    const { days, swing } = moods[i] as Mood;
    const place = time / days;
    const low = Math.floor(place);
    const from = signedOf(hashAt(seed + i, low));
    const to = signedOf(hashAt(seed + i, low + 1));
    sum += swing * (from + (to - from) * (place - low));
  }
  return sum;
}
