import { finish } from '../../base/random.ts';
import { boundedNormalOf, LARGEST_BOUNDED_NORMAL } from './draws.ts';

/**
 * Brownian bridges of 60 steps: 0 at both ends, variance 1 if they went on freely. The minutes of a quiet hour and the seconds of a minute follow them.
 * Each bridge is drawn by midpoint displacement from a seed of its own, so that no bridge is like another: the ends of its four quarters
 * first, of one hash, then the 14 steps within each quarter, of five hashes.
 */

const STEPS = 60;
const QUARTER = 15;
const QUARTER_HASHES = 5;
/** The steps of a quarter in the order in which they are drawn, three to a hash. */
const ORDER = [7, 3, 11, 1, 5, 9, 13, 2, 4, 6, 8, 10, 12, 14] as const;
const PLACE_OF = placesOf();

/** How far a midpoint is displaced, by the number of steps of its span. */
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

const BROWNIAN = spreadsOf(() => 1);

/** How far a bridge of amplitude 1 goes beyond the farther of the two ends of any of its quarters at most. */
export const QUARTER_REACH = reach(QUARTER);

/** A midpoint lies beyond the farther end of its span by the largest displacement at most, and so on within its halves. */
function reach(span: number): number {
  if (span < 2) return 0;
  const half = span >> 1;
  return LARGEST_BOUNDED_NORMAL * spread(BROWNIAN, span) + Math.max(reach(half), reach(span - half));
}

function placesOf(): Uint8Array {
  const places = new Uint8Array(QUARTER);
  for (const [place, step] of ORDER.entries()) places[step] = place;
  return places;
}

function spread(spreads: Spreads, span: number): number {
  return spreads[span] as number;
}

/** The hash of a bridge's seed at a place: the seed is a hash already, so that a step and one more mixing suffice. */
function drawsOf(seed: number, place: number): number {
  return finish((seed + Math.imul(place, 0x9e3779b9)) | 0);
}

/** Draws the bridge of a seed into `values[offset]` to `values[offset + 60]`. */
export function drawBridge(seed: number, values: Float64Array, offset: number, spreads: Spreads = BROWNIAN): void {
  const hash = drawsOf(seed, 0);
  const half = boundedNormalOf(hash, 0) * spread(spreads, STEPS);
  const first = half * 0.5 + boundedNormalOf(hash, 10) * spread(spreads, STEPS / 2);
  const last = half * 0.5 + boundedNormalOf(hash, 20) * spread(spreads, STEPS / 2);
  values[offset] = 0;
  values[offset + 15] = first;
  values[offset + 30] = half;
  values[offset + 45] = last;
  values[offset + STEPS] = 0;
  drawQuarters(seed, values, offset, spreads);
}

/** Draws what is between the ends of the quarters, which stand in `values` already. */
export function drawQuarters(seed: number, values: Float64Array, offset: number, spreads: Spreads = BROWNIAN): void {
  for (let quarter = 0; quarter < 4; quarter += 1) {
    drawQuarter(seed, 1 + QUARTER_HASHES * quarter, values, offset + QUARTER * quarter, spreads);
  }
}

/** One quarter, whose ends stand at `at` and `at + 15`, written out: it is the innermost loop of every history. */
function drawQuarter(seed: number, place: number, values: Float64Array, at: number, spreads: Spreads): void {
  const start = values[at] as number;
  const end = values[at + QUARTER] as number;
  const by2 = spread(spreads, 2);
  const by4 = spread(spreads, 4);
  let hash = drawsOf(seed, place);
  const v7 = start + (end - start) * (7 / 15) + boundedNormalOf(hash, 0) * spread(spreads, 15);
  const v3 = start + (v7 - start) * (3 / 7) + boundedNormalOf(hash, 10) * spread(spreads, 7);
  const v11 = v7 + (end - v7) * 0.5 + boundedNormalOf(hash, 20) * spread(spreads, 8);
  hash = drawsOf(seed, place + 1);
  const v1 = start + (v3 - start) * (1 / 3) + boundedNormalOf(hash, 0) * spread(spreads, 3);
  const v5 = v3 + (v7 - v3) * 0.5 + boundedNormalOf(hash, 10) * by4;
  const v9 = v7 + (v11 - v7) * 0.5 + boundedNormalOf(hash, 20) * by4;
  hash = drawsOf(seed, place + 2);
  const v13 = v11 + (end - v11) * 0.5 + boundedNormalOf(hash, 0) * by4;
  values[at + 1] = v1;
  values[at + 2] = v1 + (v3 - v1) * 0.5 + boundedNormalOf(hash, 10) * by2;
  values[at + 3] = v3;
  values[at + 4] = v3 + (v5 - v3) * 0.5 + boundedNormalOf(hash, 20) * by2;
  hash = drawsOf(seed, place + 3);
  values[at + 5] = v5;
  values[at + 6] = v5 + (v7 - v5) * 0.5 + boundedNormalOf(hash, 0) * by2;
  values[at + 7] = v7;
  values[at + 8] = v7 + (v9 - v7) * 0.5 + boundedNormalOf(hash, 10) * by2;
  values[at + 9] = v9;
  values[at + 10] = v9 + (v11 - v9) * 0.5 + boundedNormalOf(hash, 20) * by2;
  hash = drawsOf(seed, place + 4);
  values[at + 11] = v11;
  values[at + 12] = v11 + (v13 - v11) * 0.5 + boundedNormalOf(hash, 0) * by2;
  values[at + 13] = v13;
  values[at + 14] = v13 + (end - v13) * 0.5 + boundedNormalOf(hash, 10) * by2;
}

const ends = new Float64Array(3);

/** The bridge of a seed at one step in [0, 60): to the last bit what `drawBridge` has there, for fewer hashes. */
export function bridgeAt(seed: number, step: number): number {
  ends.fill(0);
  addQuarterEnds(seed, 1, ends);
  const quarter = Math.floor(step / QUARTER);
  let start = quarter === 0 ? 0 : (ends[quarter - 1] as number);
  let end = quarter === 3 ? 0 : (ends[quarter] as number);
  const target = step - quarter * QUARTER;
  const first = 1 + QUARTER_HASHES * quarter;
  let low = 0;
  let high = QUARTER;
  while (low !== target) {
    const middle = (low + high) >> 1;
    const place = PLACE_OF[middle] as number;
    const lane = place % 3;
    const draw = boundedNormalOf(drawsOf(seed, first + (place - lane) / 3), 10 * lane);
    const value = start + (end - start) * ((middle - low) / (high - low)) + draw * spread(BROWNIAN, high - low);
    if (target < middle) {
      high = middle;
      end = value;
    } else {
      low = middle;
      start = value;
    }
  }
  return start;
}

/** Adds `amplitude` times the bridge of a seed at steps 15, 30 and 45 to `sums`. */
export function addQuarterEnds(seed: number, amplitude: number, sums: Float64Array): void {
  const hash = drawsOf(seed, 0);
  const half = boundedNormalOf(hash, 0) * spread(BROWNIAN, STEPS);
  const by30 = spread(BROWNIAN, STEPS / 2);
  sums[0] = (sums[0] as number) + amplitude * (half * 0.5 + boundedNormalOf(hash, 10) * by30);
  sums[1] = (sums[1] as number) + amplitude * half;
  sums[2] = (sums[2] as number) + amplitude * (half * 0.5 + boundedNormalOf(hash, 20) * by30);
}

/** Bridges that were drawn last, for those that many instruments share: a slot holds the bridge of one seed. */
const SLOTS = 2_048;
const STRIDE = 64;
const SEEDS = new Float64Array(SLOTS).fill(-1);
/** Where `sharedBridge` finds bridges. What it holds never changes an answer, only its cost. */
export const SHARED = new Float64Array(SLOTS * STRIDE);

/** The offset in SHARED of the bridge of a seed; good until the next is asked for. */
export function sharedBridge(seed: number): number {
  const slot = seed % SLOTS;
  const offset = slot * STRIDE;
  if (SEEDS[slot] !== seed) {
    drawBridge(seed, SHARED, offset);
    SEEDS[slot] = seed;
  }
  return offset;
}
