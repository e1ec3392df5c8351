/**
 * Brownian bridges of 60 steps: 0 at both ends, variance 1 if they went on freely. The minutes of a quiet hour and the
 * seconds of a minute follow them. Each is made by midpoint displacement from 59 draws of a seed of its own, so that no
 * bridge is like another: the ends of its four quarters first, of one hash, then the 14 steps within each quarter, of
 * four hashes. Bridges are added up by adding up their draws.
 */
import { finish } from '../../../base/random.ts';
import { BOUNDED_NORMALS, drawOf, LARGEST_BOUNDED_NORMAL, STEP } from './draws.ts';

const STEPS = 60;
export const QUARTER = 15;
/**
 * A hash has four draws: three of the first are for the ends of the quarters, then come 14 for each quarter; the rest
 * is not used.
 */
const LANES = 4;
const QUARTER_HASHES = 4;
const QUARTER_DRAWS = LANES * QUARTER_HASHES;
export const COARSE_DRAWS = LANES;
/** Room for the draws within one quarter while it is made. */
const DRAWS = new Float64Array(QUARTER_DRAWS);
/** The steps of a quarter in the order of their draws. */
const ORDER = [7, 3, 11, 1, 5, 9, 13, 2, 4, 6, 8, 10, 12, 14] as const;
const PLACE_OF = placesOf();

/** How far a midpoint is displaced by a draw of 1, by the number of steps of its span. */
export type Spreads = Float64Array;

/** The spreads of a walk whose displacement over a span of steps is `factor(span)` times that of a Brownian bridge. */
export function spreadsOf(factor: (span: number) => number): Spreads {
  const spreads = new Float64Array(STEPS + 1);
  for (let span = 2; span <= STEPS; span += 1) {
    const left = (span >> 1) / span;
    spreads[span] = factor(span) * Math.sqrt((span / STEPS) * left * (1 - left));
  }
  return spreads;
}

export const BROWNIAN = spreadsOf(() => 1);

/** How far a bridge of amplitude 1 goes beyond the farther of the two ends of any of its quarters at most. */
export const QUARTER_REACH = reach(QUARTER);

/**
 * A midpoint lies beyond the farther end of its span by at most the largest displacement, and so on within its halves.
 */
function reach(span: number): number {
  if (span < 2) return 0;
  const half = span >> 1;
  return LARGEST_BOUNDED_NORMAL * (BROWNIAN[span] as number) + Math.max(reach(half), reach(span - half));
}

function placesOf(): Uint8Array {
  const places = new Uint8Array(QUARTER);
  for (const [place, step] of ORDER.entries()) places[step] = place;
  return places;
}

/** Bridges that are added up, each of a seed, which is a hash: the first `count` of the lists. */
export interface Strands {
  count: number;
  readonly seeds: number[];
  readonly amplitudes: number[];
}

/** Adds `amplitude` times the draws of the ends of the quarters of a seed's bridge to `draws`. The seed is a hash. */
export function addCoarseDraws(seed: number, amplitude: number, draws: Float64Array): void {
  const normals = BOUNDED_NORMALS;
  const hash = finish(seed | 0) | 0;
  draws[0] = (draws[0] as number) + amplitude * (normals[hash & 255] as number);
  draws[1] = (draws[1] as number) + amplitude * (normals[(hash >>> 8) & 255] as number);
  draws[2] = (draws[2] as number) + amplitude * (normals[(hash >>> 16) & 255] as number);
}

/** Sets DRAWS to the sum of those of some bridges within a quarter. */
function drawQuarter(strands: Strands, quarter: number): void {
  DRAWS.fill(0);
  for (let i = 0; i < strands.count; i += 1) addDraws(strands, i, quarter);
}

function addDraws({ seeds, amplitudes }: Strands, strand: number, quarter: number): void {
  const normals = BOUNDED_NORMALS;
  const amplitude = amplitudes[strand] as number;
  let word = wordBefore(seeds[strand] as number, quarter);
  for (let at = 0; at < QUARTER_DRAWS; at += LANES) {
    word = (word + STEP) | 0;
    const hash = finish(word) | 0;
    DRAWS[at] = (DRAWS[at] as number) + amplitude * (normals[hash & 255] as number);
    DRAWS[at + 1] = (DRAWS[at + 1] as number) + amplitude * (normals[(hash >>> 8) & 255] as number);
    DRAWS[at + 2] = (DRAWS[at + 2] as number) + amplitude * (normals[(hash >>> 16) & 255] as number);
    DRAWS[at + 3] = (DRAWS[at + 3] as number) + amplitude * (normals[hash >>> 24] as number);
  }
}

/** The word of the hash before those of a quarter. */
function wordBefore(seed: number, quarter: number): number {
  return (seed + Math.imul(QUARTER_HASHES * quarter, STEP)) | 0;
}

function normal(byte: number): number {
  return BOUNDED_NORMALS[byte] as number;
}

/** One of the draws of a seed's bridge: three of the ends of quarters, one that is not used, 16 of each quarter. */
export function drawAt(seed: number, draw: number): number {
  const hash = drawOf(seed, draw >> 2);
  return normal((hash >>> (8 * (draw & 3))) & 255);
}

/** Where the bridge of some draws stands at the end of quarter 0, 1 or 2, between ends that stand at 0. */
export function coarseValue(draws: Float64Array, quarter: number, spreads: Spreads = BROWNIAN): number {
  const half = (draws[0] as number) * (spreads[STEPS] as number);
  if (quarter === 1) return half;
  return half * 0.5 + (draws[quarter === 0 ? 1 : 2] as number) * (spreads[STEPS / 2] as number);
}

/**
 * Makes the sum of bridges between the ends that stand at `values[offset]` and `values[offset + 60]`. `coarse` has the
 * sum of their draws of the ends of the quarters.
 */
export function makeBridge(
  coarse: Float64Array,
  strands: Strands,
  spreads: Spreads,
  values: Float64Array,
  offset: number,
): void {
  const start = values[offset] as number;
  const perQuarter = ((values[offset + STEPS] as number) - start) / 4;
  for (let quarter = 0; quarter < 3; quarter += 1) {
    const straight = start + perQuarter * (quarter + 1);
    values[offset + QUARTER * (quarter + 1)] = straight + coarseValue(coarse, quarter, spreads);
  }
  if (strands.count === 2) {
    makeQuartersOfTwo(strands, spreads, values, offset);
    return;
  }
  for (let quarter = 0; quarter < 4; quarter += 1) {
    drawQuarter(strands, quarter);
    makeQuarter(spreads, values, offset + QUARTER * quarter);
  }
}

/** One quarter of DRAWS, whose ends stand at `at` and `at + 15`, written out. */
function makeQuarter(spreads: Spreads, values: Float64Array, at: number): void {
  const start = values[at] as number;
  const end = values[at + QUARTER] as number;
  const by2 = spreads[2] as number;
  const by4 = spreads[4] as number;
  const v7 = start + (end - start) * (7 / 15) + (DRAWS[0] as number) * (spreads[15] as number);
  const v3 = start + (v7 - start) * (3 / 7) + (DRAWS[1] as number) * (spreads[7] as number);
  const v11 = v7 + (end - v7) * 0.5 + (DRAWS[2] as number) * (spreads[8] as number);
  const v1 = start + (v3 - start) * (1 / 3) + (DRAWS[3] as number) * (spreads[3] as number);
  const v5 = v3 + (v7 - v3) * 0.5 + (DRAWS[4] as number) * by4;
  const v9 = v7 + (v11 - v7) * 0.5 + (DRAWS[5] as number) * by4;
  const v13 = v11 + (end - v11) * 0.5 + (DRAWS[6] as number) * by4;
  values[at + 1] = v1;
  values[at + 2] = v1 + (v3 - v1) * 0.5 + (DRAWS[7] as number) * by2;
  values[at + 3] = v3;
  values[at + 4] = v3 + (v5 - v3) * 0.5 + (DRAWS[8] as number) * by2;
  values[at + 5] = v5;
  values[at + 6] = v5 + (v7 - v5) * 0.5 + (DRAWS[9] as number) * by2;
  values[at + 7] = v7;
  values[at + 8] = v7 + (v9 - v7) * 0.5 + (DRAWS[10] as number) * by2;
  values[at + 9] = v9;
  values[at + 10] = v9 + (v11 - v9) * 0.5 + (DRAWS[11] as number) * by2;
  values[at + 11] = v11;
  values[at + 12] = v11 + (v13 - v11) * 0.5 + (DRAWS[12] as number) * by2;
  values[at + 13] = v13;
  values[at + 14] = v13 + (end - v13) * 0.5 + (DRAWS[13] as number) * by2;
}

/**
 * The quarters of two bridges, as nearly every walk has them, to the last bit as those of one after the other. Written
 * out without DRAWS, because it is the innermost loop of every history.
 */
function makeQuartersOfTwo({ seeds, amplitudes }: Strands, spreads: Spreads, values: Float64Array, from: number): void {
  const a = amplitudes[0] as number;
  const b = amplitudes[1] as number;
  const by2 = spreads[2] as number;
  const by4 = spreads[4] as number;
  let x = (seeds[0] as number) | 0;
  let y = (seeds[1] as number) | 0;
  for (let at = from; at < from + STEPS; at += QUARTER) {
    const start = values[at] as number;
    const end = values[at + QUARTER] as number;
    x = (x + STEP) | 0;
    y = (y + STEP) | 0;
    let h = finish(x) | 0;
    let k = finish(y) | 0;
    const v7 = start + (end - start) * (7 / 15) + ofTwo(a, h & 255, b, k & 255) * (spreads[15] as number);
    const v3 = start + (v7 - start) * (3 / 7) + ofTwo(a, (h >>> 8) & 255, b, (k >>> 8) & 255) * (spreads[7] as number);
    const v11 = v7 + (end - v7) * 0.5 + ofTwo(a, (h >>> 16) & 255, b, (k >>> 16) & 255) * (spreads[8] as number);
    const v1 = start + (v3 - start) * (1 / 3) + ofTwo(a, h >>> 24, b, k >>> 24) * (spreads[3] as number);
    values[at + 1] = v1;
    values[at + 3] = v3;
    values[at + 7] = v7;
    values[at + 11] = v11;
    x = (x + STEP) | 0;
    y = (y + STEP) | 0;
    h = finish(x) | 0;
    k = finish(y) | 0;
    const v5 = v3 + (v7 - v3) * 0.5 + ofTwo(a, h & 255, b, k & 255) * by4;
    const v9 = v7 + (v11 - v7) * 0.5 + ofTwo(a, (h >>> 8) & 255, b, (k >>> 8) & 255) * by4;
    const v13 = v11 + (end - v11) * 0.5 + ofTwo(a, (h >>> 16) & 255, b, (k >>> 16) & 255) * by4;
    values[at + 2] = v1 + (v3 - v1) * 0.5 + ofTwo(a, h >>> 24, b, k >>> 24) * by2;
    values[at + 5] = v5;
    values[at + 9] = v9;
    values[at + 13] = v13;
    x = (x + STEP) | 0;
    y = (y + STEP) | 0;
    h = finish(x) | 0;
    k = finish(y) | 0;
    values[at + 4] = v3 + (v5 - v3) * 0.5 + ofTwo(a, h & 255, b, k & 255) * by2;
    values[at + 6] = v5 + (v7 - v5) * 0.5 + ofTwo(a, (h >>> 8) & 255, b, (k >>> 8) & 255) * by2;
    values[at + 8] = v7 + (v9 - v7) * 0.5 + ofTwo(a, (h >>> 16) & 255, b, (k >>> 16) & 255) * by2;
    values[at + 10] = v9 + (v11 - v9) * 0.5 + ofTwo(a, h >>> 24, b, k >>> 24) * by2;
    x = (x + STEP) | 0;
    y = (y + STEP) | 0;
    h = finish(x) | 0;
    k = finish(y) | 0;
    values[at + 12] = v11 + (v13 - v11) * 0.5 + ofTwo(a, h & 255, b, k & 255) * by2;
    values[at + 14] = v13 + (end - v13) * 0.5 + ofTwo(a, (h >>> 8) & 255, b, (k >>> 8) & 255) * by2;
  }
}

/** A draw of two bridges, of a byte of each. */
function ofTwo(a: number, byte: number, b: number, other: number): number {
  return a * (BOUNDED_NORMALS[byte] as number) + b * (BOUNDED_NORMALS[other] as number);
}

/**
 * A step of a quarter that goes from `start` to `end`, to the last bit as `makeBridge` has it; `drawOf` gives its
 * draws.
 */
export function stepOfQuarter(
  quarter: number,
  step: number,
  start: number,
  end: number,
  drawOf: (draw: number) => number,
): number {
  const first = COARSE_DRAWS + QUARTER_DRAWS * quarter;
  let low = 0;
  let high = QUARTER;
  let from = start;
  let to = end;
  while (low !== step) {
    const middle = (low + high) >> 1;
    const draw = drawOf(first + (PLACE_OF[middle] as number));
    const value = from + (to - from) * ((middle - low) / (high - low)) + draw * (BROWNIAN[high - low] as number);
    if (step < middle) {
      high = middle;
      to = value;
    } else {
      low = middle;
      from = value;
    }
  }
  return from;
}
