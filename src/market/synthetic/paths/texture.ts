import { type Spreads, spreadsOf } from './bridges.ts';

const DAY = 1_440;
const DAY_PARTS = 24;
const HOUR = 60;

/**
 * How much more, or less, than a Brownian motion a path moves over short spans within a day. A rough path has a
 * transitory part: it takes back some of what it does, so that its variance over minutes is more than that of its
 * hours. A smooth one goes on a little.
 */
export class Texture {
  /** Of the displacement of a midpoint, by the minutes of its span. */
  readonly factors: Float64Array;
  /** The same within a quiet hour. */
  readonly quiet: Spreads;
  /** The variance of a minute as a multiple of its share of the day's. */
  readonly minuteVariance: number;

  /**
   * `roughness` is 0 for a Brownian path; a span of L minutes, from 2 on, has 1 + roughness / L times the variance of
   * its displacement.
   */
  constructor(roughness: number) {
    const factor = (span: number) => Math.sqrt(1 + roughness / span);
    this.factors = Float64Array.from({ length: DAY + 1 }, (_, span) => factor(Math.max(span, 2)));
    this.quiet = spreadsOf(factor);
    const hour = meanStep(DAY_PARTS, HOUR, HOUR * DAY_PARTS, factor);
    this.minuteVariance = meanStep(HOUR, 1, hour, factor);
  }
}

/** The mean variance of one of `steps` steps of `unit` minutes, between which a change of that variance is split. */
function meanStep(steps: number, unit: number, variance: number, factor: (span: number) => number): number {
  return sumOfSteps(steps, unit, variance, factor) / steps;
}

function sumOfSteps(steps: number, unit: number, variance: number, factor: (span: number) => number): number {
  if (steps === 1) return variance;
  const half = steps >> 1;
  const left = half / steps;
  const displaced = steps * unit * left * (1 - left) * factor(steps * unit) ** 2;
  return (
    sumOfSteps(half, unit, left * left * variance + displaced, factor) +
    sumOfSteps(steps - half, unit, (1 - left) * (1 - left) * variance + displaced, factor)
  );
}

/** A path that is as free over minutes as over days. */
export const FREE = new Texture(0);
