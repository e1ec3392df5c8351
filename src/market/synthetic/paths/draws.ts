import { finish } from '../../../base/random.ts';
import { normalQuantile } from '../../options/elementary.ts';

/**
 * Draws of the path: one 32-bit hash gives a normal number from its upper bits and a uniform one from its lower bits.
 */

const NORMAL_BITS = 12;
/** The normal numbers of the upper bits of a hash. */
export const NORMALS = normalTable(NORMAL_BITS);
const BOUNDED_BITS = 8;
const BOUNDED_MASK = (1 << BOUNDED_BITS) - 1;
/** The normal numbers of the values of eight bits. */
export const BOUNDED_NORMALS = normalTable(BOUNDED_BITS);
/** None of them is farther from 0. */
export const LARGEST_BOUNDED_NORMAL = BOUNDED_NORMALS[BOUNDED_MASK] as number;
/** The lower bits of a hash, of which uniform numbers are made, and the scale that makes them numbers below 2. */
export const UNIFORM_BITS = 32 - NORMAL_BITS;
export const UNIFORM_MASK = (1 << UNIFORM_BITS) - 1;
export const UNIFORM_SCALE = 2 / (1 << UNIFORM_BITS);

/** The quantiles of equally likely normal numbers, scaled to variance 1. */
function normalTable(bits: number): Float64Array {
  const size = 1 << bits;
  const table = new Float64Array(size);
  let squares = 0;
  for (let i = size / 2; i < size; i += 1) {
    const x = normalQuantile((i + 0.5) / size);
    table[i] = x;
    table[size - 1 - i] = -x;
    squares += 2 * x * x;
  }
  const scale = 1 / Math.sqrt(squares / size);
  return table.map((x) => x * scale);
}

/** The difference between the words of neighbouring draws. */
export const STEP = 0x9e3779b9 | 0;

/** The hash at a place of a stream whose seed is a hash and has no other draws: half of the work of `hashAt`. */
export function drawOf(seed: number, place: number): number {
  return finish((seed + Math.imul(place, STEP)) | 0);
}

/** A standard normal number of a hash. */
export function normalOf(hash: number): number {
  return NORMALS[hash >>> UNIFORM_BITS] as number;
}

/** A number in [-1, 1) of a hash, from other bits than `normalOf` takes. */
export function signedOf(hash: number): number {
  return (hash & UNIFORM_MASK) * UNIFORM_SCALE - 1;
}
