import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoursRegime } from '../../../base/market/hours-regime.ts';
import { Random } from '../../../base/random.ts';
import { type IstDay, weekday } from '../../../base/time.ts';
import { freshRoster, NIFTY, SHARE } from '../fixture.ts';
import { emptyLine, valueAt } from './line.ts';
import { FIRST_DAY } from './span-of-days.ts';
import { Walk } from './walk.ts';

/**
 * A trader who has recorded many minutes, and does not know the seed, sees the first third of another one and foresees
 * the rest. Two ways: the recorded minute whose shape fits best, and a regression on what was seen.
 */

const STEPS = 60;
const SEEN = 20;
const RECORDED = 2_000;
const ASKED = 2_500;
const SEEDS = [11, 12, 13];
/** Three deviations of the correlation of unrelated numbers, which is below the 0.05 that is allowed. */
const NOISE = Math.min(0.05, 3 / Math.sqrt(SEEDS.length * ASKED));

/** Prices at the steps 0 to 60 of a minute or an hour. */
type Piece = readonly number[];

interface Foreseen {
  readonly foreseen: number;
  readonly came: number;
}

function correlation(pairs: readonly Foreseen[]): number {
  const mean = (of: (pair: Foreseen) => number) => pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [meanForeseen, meanCame] = [mean(({ foreseen }) => foreseen), mean(({ came }) => came)];
  const product = (a: keyof Foreseen, b: keyof Foreseen) => {
    const of = (pair: Foreseen, key: keyof Foreseen) => pair[key] - (key === 'came' ? meanCame : meanForeseen);
    return mean((pair) => of(pair, a) * of(pair, b));
  };
  return product('foreseen', 'came') / Math.sqrt(product('foreseen', 'foreseen') * product('came', 'came'));
}

/** A piece without its straight part and of height 1, with the sums over what is seen that a fit needs. */
interface Shape {
  readonly values: Float64Array;
  readonly squares: number;
  readonly trend: number;
}

function shapeOf(piece: Piece): Shape {
  const start = piece[0] as number;
  const slope = ((piece[STEPS] as number) - start) / STEPS;
  const bare = Float64Array.from(piece, (value, step) => value - start - slope * step);
  const height = Math.sqrt(bare.reduce((sum, value) => sum + value * value, 0));
  const values = bare.map((value) => value / height);
  let [squares, trend] = [0, 0];
  for (let step = 1; step <= SEEN; step += 1) {
    squares += (values[step] as number) ** 2;
    trend += (values[step] as number) * step;
  }
  return { values, squares, trend };
}

const TIME_SQUARES = (SEEN * (SEEN + 1) * (2 * SEEN + 1)) / 6;

/**
 * Fits a straight part and a multiple of each shape, turned over or not, to what was seen; the rest by the one that
 * fits best.
 */
function byNeighbour(shapes: readonly Shape[], piece: Piece): number {
  const moved = Float64Array.from(piece, (value) => value - (piece[0] as number));
  let trend = 0;
  for (let step = 1; step <= SEEN; step += 1) trend += step * (moved[step] as number);
  let explained = Number.NEGATIVE_INFINITY;
  let rest = 0;
  for (const { values, squares, trend: shapeTrend } of shapes) {
    let product = 0;
    for (let step = 1; step <= SEEN; step += 1) product += (values[step] as number) * (moved[step] as number);
    const determinant = squares * TIME_SQUARES - shapeTrend * shapeTrend;
    const height = (product * TIME_SQUARES - shapeTrend * trend) / determinant;
    const slope = (squares * trend - shapeTrend * product) / determinant;
    const fitted = height * product + slope * trend;
    if (fitted > explained) {
      explained = fitted;
      rest = slope * (STEPS - SEEN) - height * (values[SEEN] as number);
    }
  }
  return rest;
}

/** The slopes of the rest on each part of what was seen; the parts are nearly unrelated to each other. */
function slopesOf(recorded: readonly Piece[]): number[] {
  return PARTS.map(([from, to]) => {
    let [products, squares] = [0, 0];
    for (const piece of recorded) {
      const moved = (piece[to] as number) - (piece[from] as number);
      products += moved * ((piece[STEPS] as number) - (piece[SEEN] as number));
      squares += moved * moved;
    }
    return products / squares;
  });
}

const PARTS = [
  [0, 5],
  [5, 10],
  [10, 15],
  [15, 18],
  [18, 20],
] as const;

function byRegression(slopes: readonly number[], piece: Piece): number {
  return PARTS.reduce((sum, [from, to], i) => {
    return sum + (slopes[i] as number) * ((piece[to] as number) - (piece[from] as number));
  }, 0);
}

function movedIn(piece: Piece): number {
  let squares = 0;
  for (let step = 1; step <= SEEN; step += 1) squares += ((piece[step] as number) - (piece[step - 1] as number)) ** 2;
  return Math.sqrt(squares);
}

/** The correlation of the rest with what was foreseen, over all seeds, in both ways. */
function foresight(pieces: (seed: number) => Piece[]): { readonly neighbours: number; readonly regression: number } {
  const neighbours: Foreseen[] = [];
  const regression: Foreseen[] = [];
  for (const seed of SEEDS) {
    const all = pieces(seed);
    const recorded = all.slice(0, RECORDED);
    const shapes = recorded.map(shapeOf);
    const slopes = slopesOf(recorded);
    for (const piece of all.slice(RECORDED, RECORDED + ASKED)) {
      // In units of what the piece has moved so far, so that no wild day outweighs all others.
      const unit = movedIn(piece);
      const came = ((piece[STEPS] as number) - (piece[SEEN] as number)) / unit;
      neighbours.push({ foreseen: byNeighbour(shapes, piece) / unit, came });
      regression.push({ foreseen: byRegression(slopes, piece) / unit, came });
    }
  }
  return { neighbours: correlation(neighbours), regression: correlation(regression) };
}

/** The fair values of each second of the minutes from 11:00 to 14:00 of weekdays, to the end of each. */
function minutesOf(id: typeof NIFTY, regime: HoursRegime): (seed: number) => Piece[] {
  return (seed) => {
    const { source } = freshRoster(regime, seed).get(id).terms;
    const pieces: Piece[] = [];
    const line = emptyLine();
    for (let day = FIRST_DAY + 1_000; pieces.length < RECORDED + ASKED; day += 1) {
      if (weekday(day as IstDay) % 6 === 0) continue;
      for (let minute = 660; minute < 840; minute += 1) {
        source.fill(day as IstDay, minute, line);
        const values = Array.from({ length: STEPS }, (_, second) => valueAt(line, second));
        pieces.push([...values, source.at(day as IstDay, minute + 1)]);
      }
    }
    return pieces;
  };
}

/** The fair values of each minute of the hours of the night where every hour trades. */
function quietHours(id: typeof NIFTY): (seed: number) => Piece[] {
  return (seed) => {
    const { source } = freshRoster('always', seed).get(id).terms;
    const pieces: Piece[] = [];
    for (let day = FIRST_DAY + 1_000; pieces.length < RECORDED + ASKED; day += 1) {
      for (const hour of [0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18, 19, 20, 21, 22, 23]) {
        pieces.push(
          Array.from({ length: STEPS + 1 }, (_, minute) => Math.log(source.at(day as IstDay, hour * 60 + minute))),
        );
      }
    }
    return pieces;
  };
}

/**
 * Minutes of a market that has a library of 512 shapes, as a stand-in: one for all, and a quarter as high one of its
 * own.
 */
function ofALibrary(seed: number): Piece[] {
  const random = new Random(seed);
  const library = Array.from({ length: 256 }, (_, shape) => {
    const walk = new Walk();
    walk.add(Math.imul(shape + 1, 0x9e3779b1) >>> 0, 1);
    return walk.seconds();
  });
  const normal = () => Array.from({ length: 12 }, () => random.next() / 2 ** 32).reduce((a, b) => a + b, -6);
  const pick = () => ({ shape: random.pick(library), side: random.chance(50) ? 1 : -1 });
  return Array.from({ length: RECORDED + ASKED }, () => {
    const [market, own, slope, height] = [pick(), pick(), normal() / STEPS, 0.5 + random.below(1_000) / 1_000];
    const at = (step: number, { shape, side }: typeof own) => side * (shape[step] as number);
    return Array.from(
      { length: STEPS + 1 },
      (_, step) => height * (slope * step + at(step, market) + 0.25 * at(step, own)),
    );
  });
}

function check(name: string, pieces: (seed: number) => Piece[], mostTakenBack = NOISE): void {
  test(`the first third of ${name} does not foretell the rest`, (context) => {
    const { neighbours, regression } = foresight(pieces);
    context.diagnostic(`seeds ${SEEDS.join(', ')}: neighbours ${neighbours}, regression ${regression}`);
    for (const found of [neighbours, regression]) assert.ok(found < NOISE && found > -mostTakenBack, `${found}`);
  });
}

check('a minute of an index', minutesOf(NIFTY, 'exchange'));
check('a minute of a share', minutesOf(SHARE, 'exchange'));
check('a minute of an index where every hour trades', minutesOf(NIFTY, 'always'));
check('a quiet hour of an index', quietHours(NIFTY));
// A share takes back a little of what it did: its price has a transitory part.
check('a quiet hour of a share', quietHours(SHARE), 0.1);

test('the same search finds the shapes of a market that has a library of them', (context) => {
  const { neighbours } = foresight(ofALibrary);
  context.diagnostic(`seeds ${SEEDS.join(', ')}: neighbours ${neighbours}`);
  assert.ok(neighbours > 0.8, `neighbours: ${neighbours}`);
});
