/**
 * The random part of a fair value within one minute, as a sum of bridges of the market, sectors and companies. The
 * straight part is in `line.ts`; the bridges themselves are in `bridges.ts`.
 */
import {
  addCoarseDraws,
  BROWNIAN,
  COARSE_DRAWS,
  coarseValue,
  drawAt,
  makeBridge,
  QUARTER,
  QUARTER_REACH,
  type Strands,
  stepOfQuarter,
} from './bridges.ts';

const STEPS = 60;
/** Once more seconds than this were asked for, making all of them costs less. */
export const FEW = 3;
/**
 * The way of a fair value within one minute, beside the straight part: a sum of Brownian bridges, of the market, of
 * sectors and of companies. Those of sectors and companies may count at the ends of the quarters of the minute alone,
 * with one bridge for all of them in between. The seconds are made when many of them are asked for; a second is the
 * same either way.
 */
export class Walk {
  /** The bridges within the quarters. */
  private readonly strands: Strands = { count: 0, seeds: [], amplitudes: [] };
  /** The sum of the draws of the ends of the quarters. */
  private readonly coarse = new Float64Array(COARSE_DRAWS);
  private readonly values = new Float64Array(STEPS + 1);
  private made = false;
  private asked = 0;
  /** True of a walk whose seconds were set as they are. */
  private given = false;

  /** Makes it a walk that stands still. */
  clear(): void {
    this.strands.count = 0;
    for (let i = 0; i < COARSE_DRAWS; i += 1) this.coarse[i] = 0;
    this.made = false;
    this.asked = 0;
    this.given = false;
  }

  /** Makes it the way of these 60 seconds. */
  set(values: Float64Array): void {
    this.clear();
    this.values.set(values);
    this.made = true;
    this.given = true;
  }

  /** Adds the bridge of a seed. */
  add(seed: number, amplitude: number): void {
    this.addCoarse(seed, amplitude);
    this.addFine(seed, amplitude);
  }

  /** Adds the bridge of a seed as straight lines between the ends of its quarters. */
  addCoarse(seed: number, amplitude: number): void {
    addCoarseDraws(seed, amplitude, this.coarse);
  }

  /** Adds the bridge of a seed without what it has at the ends of its quarters. */
  addFine(seed: number, amplitude: number): void {
    const { strands } = this;
    strands.seeds[strands.count] = seed;
    strands.amplitudes[strands.count] = amplitude;
    strands.count += 1;
  }

  /** Multiplies the whole walk. */
  scale(factor: number): void {
    if (this.given) {
      for (let second = 0; second < STEPS; second += 1) this.values[second] = (this.values[second] as number) * factor;
      return;
    }
    const { count, amplitudes } = this.strands;
    for (let i = 0; i < count; i += 1) amplitudes[i] = (amplitudes[i] as number) * factor;
    for (let i = 0; i < COARSE_DRAWS; i += 1) this.coarse[i] = (this.coarse[i] as number) * factor;
    this.made = false;
  }

  /** The walk at a second in [0, 60). */
  at(second: number): number {
    return this.made ? (this.values[second] as number) : this.find(second);
  }

  /** The walk at each second; good until it is changed. */
  seconds(): Float64Array {
    if (!this.made) this.make();
    return this.values;
  }

  /** How far the walk goes beyond the farther end of any quarter at most. */
  reach(): number {
    if (this.given) return this.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const { count, amplitudes } = this.strands;
    let amplitude = 0;
    for (let i = 0; i < count; i += 1) amplitude += Math.abs(amplitudes[i] as number);
    return amplitude * QUARTER_REACH;
  }

  /** Where the walk stands at second 15, 30 or 45: the end of quarter 0, 1 or 2. */
  quarterEnd(quarter: number): number {
    return coarseValue(this.coarse, quarter);
  }

  private find(second: number): number {
    if (second === 0) return 0;
    this.asked += 1;
    if (this.asked > FEW) return this.seconds()[second] as number;
    const quarter = Math.floor(second / QUARTER);
    const start = quarter === 0 ? 0 : this.quarterEnd(quarter - 1);
    const end = quarter === 3 ? 0 : this.quarterEnd(quarter);
    return stepOfQuarter(quarter, second - quarter * QUARTER, start, end, this.drawOf);
  }

  private readonly drawOf = (draw: number): number => {
    const { count, seeds, amplitudes } = this.strands;
    let sum = 0;
    for (let i = 0; i < count; i += 1) sum += (amplitudes[i] as number) * drawAt(seeds[i] as number, draw);
    return sum;
  };

  private make(): void {
    makeBridge(this.coarse, this.strands, BROWNIAN, this.values, 0);
    this.made = true;
  }
}
