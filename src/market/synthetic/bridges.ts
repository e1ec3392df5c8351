import { hashWords } from '../../base/random.ts';
import { hashAt, normalOf } from './draws.ts';

/**
 * Walks within a minute, or within a quiet hour: Brownian bridges of 60 steps with variance 1, 0 at both ends. There is a fixed library of shapes and a
 * hash picks one, so that any step of any walk costs one read.
 */

const SHAPES = 512;
const STRIDE = 64;
const STEPS = 60;
const LIBRARY_SEED = 0x5a0da;

/** Shape k, upside down in the second half of the shapes, at step s: `BRIDGES[k * 64 + s]`. */
export const BRIDGES: Float64Array = library();
const HIGHEST = extremes((a, b) => (a > b ? a : b));
const LOWEST = extremes((a, b) => (a < b ? a : b));

function library(): Float64Array {
  const values = new Float64Array(SHAPES * STRIDE);
  for (let shape = 0; shape < SHAPES / 2; shape += 1) {
    const offset = shape * STRIDE;
    const mirrored = offset + (SHAPES / 2) * STRIDE;
    bisect(values, offset, 0, STEPS, hashWords(LIBRARY_SEED, shape));
    for (let s = 0; s < STRIDE; s += 1) values[mirrored + s] = -(values[offset + s] as number);
  }
  return values;
}

function bisect(values: Float64Array, offset: number, low: number, high: number, seed: number): void {
  if (high - low < 2) return;
  const middle = (low + high) >> 1;
  const left = (middle - low) / (high - low);
  const start = values[offset + low] as number;
  const end = values[offset + high] as number;
  const spread = Math.sqrt(((high - low) / STEPS) * left * (1 - left));
  values[offset + middle] = start + (end - start) * left + normalOf(hashAt(seed, middle)) * spread;
  bisect(values, offset, low, middle, seed);
  bisect(values, offset, middle, high, seed);
}

function extremes(choose: (a: number, b: number) => number): Float64Array {
  const found = new Float64Array(SHAPES);
  for (let shape = 0; shape < SHAPES; shape += 1) {
    let extreme = 0;
    for (let s = 0; s < STEPS; s += 1) extreme = choose(extreme, BRIDGES[shape * STRIDE + s] as number);
    found[shape] = extreme;
  }
  return found;
}

/** The offset in BRIDGES of the shape that a hash picks. */
export function shapeOffset(hash: number): number {
  return (hash >>> 23) * STRIDE;
}

/** The largest value of the shape at an offset times `amplitude`. */
export function highestOf(offset: number, amplitude: number): number {
  return amplitude * ((amplitude > 0 ? HIGHEST : LOWEST)[offset / STRIDE] as number);
}

/** The smallest value of the shape at an offset times `amplitude`. */
export function lowestOf(offset: number, amplitude: number): number {
  return amplitude * ((amplitude > 0 ? LOWEST : HIGHEST)[offset / STRIDE] as number);
}
