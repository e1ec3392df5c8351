import { addQuarterEnds, bridgeAt, drawBridge, drawQuarters, QUARTER_REACH, SHARED, sharedBridge } from './bridges.ts';

const STEPS = 60;
const QUARTER = 15;
/** Once more seconds than this were asked for, drawing all of them costs less. */
const FEW = 3;

/**
 * The way of a fair value within one minute, beside the straight part: bridges of the market and of sectors, which all instruments share, and one of its
 * own. The seconds are drawn when many of them are asked for; a second is the same either way.
 */
export class Walk {
  private parts = 0;
  private readonly seeds: number[] = [];
  private readonly amplitudes: number[] = [];
  private ownSeed = 0;
  private ownAmplitude = 0;
  /** Where the own part stands at the ends of the quarters when it is given, and is not drawn from its seed. */
  private readonly ends = new Float64Array(3);
  private given = false;
  private readonly values = new Float64Array(STEPS + 1);
  private drawn = false;
  private asked = 0;

  /** Makes it a walk that stands still. */
  clear(): void {
    this.parts = 0;
    this.ownSeed = 0;
    this.ownAmplitude = 0;
    this.given = false;
    this.drawn = false;
    this.asked = 0;
  }

  /** Adds a bridge that other instruments have too. */
  share(seed: number, amplitude: number): void {
    this.seeds[this.parts] = seed;
    this.amplitudes[this.parts] = amplitude;
    this.parts += 1;
  }

  /** Sets the bridge of its own. */
  own(seed: number, amplitude: number): void {
    this.ownSeed = seed;
    this.ownAmplitude = amplitude;
  }

  /** Sets the bridge of its own where it stands at the seconds 15, 30 and 45; `amplitude` is of the way between. */
  ownThrough(ends: Float64Array, seed: number, amplitude: number): void {
    this.own(seed, amplitude);
    this.ends.set(ends);
    this.given = true;
  }

  /** Multiplies the whole walk. */
  scale(factor: number): void {
    for (let i = 0; i < this.parts; i += 1) this.amplitudes[i] = (this.amplitudes[i] as number) * factor;
    this.ownAmplitude *= factor;
    for (let i = 0; i < 3; i += 1) this.ends[i] = (this.ends[i] as number) * factor;
    this.drawn = false;
  }

  /** The walk at a second in [0, 60). */
  at(second: number): number {
    return this.drawn ? (this.values[second] as number) : this.find(second);
  }

  private find(second: number): number {
    this.asked += 1;
    if (this.given || this.asked > FEW) {
      return this.seconds()[second] as number;
    }
    let sum = this.ownAmplitude * bridgeAt(this.ownSeed, second);
    for (let i = 0; i < this.parts; i += 1) {
      sum += (this.amplitudes[i] as number) * (SHARED[sharedBridge(this.seeds[i] as number) + second] as number);
    }
    return sum;
  }

  /** The walk at each second; good until it is changed. */
  seconds(): Float64Array {
    if (!this.drawn) this.draw();
    return this.values;
  }

  private draw(): void {
    const { values, ownSeed, ownAmplitude } = this;
    if (this.given) {
      for (let i = 0; i < 3; i += 1)
        values[QUARTER * (i + 1)] = ownAmplitude === 0 ? 0 : (this.ends[i] as number) / ownAmplitude;
      drawQuarters(ownSeed, values, 0);
    } else {
      drawBridge(ownSeed, values, 0);
    }
    if (this.parts !== 2 || !this.addTwo(values)) this.addAll(values);
    this.drawn = true;
  }

  /** The walk of a share, in one pass; not where both bridges are kept in one place. */
  private addTwo(values: Float64Array): boolean {
    const { ownAmplitude, seeds, amplitudes } = this;
    const a = amplitudes[0] as number;
    const b = amplitudes[1] as number;
    const second = sharedBridge(seeds[1] as number);
    const first = sharedBridge(seeds[0] as number);
    if (first === second) return false;
    for (let i = 1; i < STEPS; i += 1) {
      const own = (values[i] as number) * ownAmplitude;
      values[i] = own + a * (SHARED[first + i] as number) + b * (SHARED[second + i] as number);
    }
    return true;
  }

  private addAll(values: Float64Array): void {
    for (let i = 1; i < STEPS; i += 1) values[i] = (values[i] as number) * this.ownAmplitude;
    for (let part = 0; part < this.parts; part += 1) {
      const offset = sharedBridge(this.seeds[part] as number);
      const amplitude = this.amplitudes[part] as number;
      for (let i = 1; i < STEPS; i += 1) values[i] = (values[i] as number) + amplitude * (SHARED[offset + i] as number);
    }
  }

  /** Adds the walk at the seconds 15, 30 and 45 to `sums`. */
  addQuarterEnds(sums: Float64Array): void {
    if (this.given) for (let i = 0; i < 3; i += 1) sums[i] = (sums[i] as number) + (this.ends[i] as number);
    else addQuarterEnds(this.ownSeed, this.ownAmplitude, sums);
    for (let i = 0; i < this.parts; i += 1) {
      addQuarterEnds(this.seeds[i] as number, this.amplitudes[i] as number, sums);
    }
  }

  /** How far the walk goes beyond the farther end of any quarter at most. */
  reach(): number {
    let amplitude = Math.abs(this.ownAmplitude);
    for (let i = 0; i < this.parts; i += 1) amplitude += Math.abs(this.amplitudes[i] as number);
    return amplitude * QUARTER_REACH;
  }
}
