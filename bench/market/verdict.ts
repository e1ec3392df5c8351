/** The accepted distance from a real figure that is one number. Source: the goal that docs/market.md states. */
const NEARNESS = 0.15;

/** A real figure: one number, or the range that several samples of reality span. */
export type Real = number | readonly [low: number, high: number];

export interface RealFigure {
  /** The quantity that the row measures, with its unit. */
  readonly text: string;
  readonly real: Real;
  /** A key of `SOURCES`. */
  readonly source: string;
  /**
   * For figures close to 0, of which 15 % say nothing: how far outside the real range a sample as long as ours lies by
   * chance, two standard errors. 0 when left out.
   */
  readonly chance?: number;
  /** True when 15 % is not a measure of nearness. */
  readonly strict?: true;
  /** The hours that have such a figure; both when left out. */
  readonly only?: 'always' | 'exchange';
}

/** `near`: outside the real range, and within 15 % of its nearer end. `none`: nothing was measured. */
export type Verdict = 'ok' | 'near' | 'OUT' | 'none';

export function verdictOf({ real, chance = 0, strict }: RealFigure, value: number): Verdict {
  if (!Number.isFinite(value)) return 'none';
  const [low, high] = typeof real === 'number' ? around(real) : real;
  if (value >= low - chance && value <= high + chance) return 'ok';
  if (strict || typeof real === 'number') return 'OUT';
  return value >= around(low)[0] && value <= around(high)[1] ? 'near' : 'OUT';
}

function around(real: number): readonly [number, number] {
  const [a, b] = [real * (1 - NEARNESS), real * (1 + NEARNESS)];
  return a < b ? [a, b] : [b, a];
}
