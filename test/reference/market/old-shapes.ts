import { hashAt, hashWords } from '../../../src/base/random.ts';
import { normalOf } from '../../../src/market/synthetic/paths/draws.ts';

/* Minutes of a market that takes each from one list of shapes: a recogniser must find this out. */

const STEPS = 60;
const SHAPES = 256;

/** A Brownian bridge of 60 steps with variance 1, 0 at both ends, by midpoint displacement. */
function bridge(seed: number): number[] {
  const values = Array.from({ length: STEPS + 1 }, () => 0);
  const bisect = (low: number, high: number): void => {
    if (high - low < 2) return;
    const middle = (low + high) >> 1;
    const left = (middle - low) / (high - low);
    const [start, end] = [values[low] as number, values[high] as number];
    const spread = Math.sqrt(((high - low) / STEPS) * left * (1 - left));
    values[middle] = start + (end - start) * left + normalOf(hashAt(seed, middle)) * spread;
    bisect(low, middle);
    bisect(middle, high);
  };
  bisect(0, STEPS);
  return values;
}

/**
 * Walks of minutes in paise, to the twentieth of a rupee: a slope and a bridge, by turns upside down. The bridge is
 * drawn for each minute, or, as the market of the first releases had it, taken from a list of 256.
 */
export function walksOfMinutes(count: number, seed: number, from: 'list' | 'draw'): number[][] {
  return Array.from({ length: count }, (_, i) => {
    const place = hashWords(seed, i);
    const shape = bridge(from === 'list' ? place % SHAPES : place);
    const [sign, size] = [i % 2 === 0 ? 1 : -1, 600 + (place % 500)];
    const slope = (normalOf(hashAt(place, 1)) * size) / STEPS;
    return shape.map((value, s) => 5 * Math.round((2_400_000 + slope * s + sign * size * value) / 5));
  });
}
