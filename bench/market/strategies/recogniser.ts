/**
 * Recognises a walk by its beginning among recorded ones, with nothing known of where walks come from. A walk of which
 * the beginning is seen is held against the same part of each recorded one; both may be turned upside down, stretched
 * and tilted. The nearest ones foretell the rest.
 */

const NEIGHBOURS = 3;

export class Recogniser {
  private readonly seen: number;
  private readonly walks: readonly (readonly number[])[];
  /** The beginnings without their tilt, of length 1, one after the other. */
  private readonly shapes: Float64Array;

  /** `walks` are values at equal steps; the first `seen` steps of each are its beginning. */
  constructor(walks: readonly (readonly number[])[], seen: number) {
    this.seen = seen;
    this.walks = walks;
    this.shapes = new Float64Array(walks.length * seen);
    walks.forEach((walk, i) => {
      const { rest } = this.untilted(walk);
      const length = Math.hypot(...rest) || 1;
      rest.forEach((value, s) => {
        this.shapes[i * seen + s] = value / length;
      });
    });
  }

  /** The change from step `from` to step `to` that the recorded walks foretell for one whose beginning is given. */
  foretell(beginning: readonly number[], from: number, to: number): number {
    const query = this.untilted(beginning);
    const nearest = this.nearest(query.rest);
    let sum = 0;
    for (const { walk, stretch } of nearest) {
      const recorded = this.walks[walk] as readonly number[];
      const tilt = query.tilt - stretch * this.untilted(recorded).tilt;
      sum += tilt * (to - from) + stretch * ((recorded[to] as number) - (recorded[from] as number));
    }
    return sum / nearest.length;
  }

  /** The steps after the first without the straight line through it that fits best. */
  private untilted(walk: readonly number[]): { tilt: number; rest: number[] } {
    const start = walk[0] as number;
    let [along, squares] = [0, 0];
    for (let s = 1; s <= this.seen; s += 1) {
      along += s * ((walk[s] as number) - start);
      squares += s * s;
    }
    const tilt = along / squares;
    return {
      tilt,
      rest: Array.from({ length: this.seen }, (_, s) => (walk[s + 1] as number) - start - tilt * (s + 1)),
    };
  }

  private nearest(rest: readonly number[]): { walk: number; stretch: number }[] {
    const best: { walk: number; stretch: number }[] = [];
    const { shapes, seen } = this;
    for (let walk = 0; walk < this.walks.length; walk += 1) {
      let stretch = 0;
      for (let s = 0; s < seen; s += 1) stretch += (rest[s] as number) * (shapes[walk * seen + s] as number);
      if (best.length === NEIGHBOURS && Math.abs(stretch) <= Math.abs((best.at(-1) as { stretch: number }).stretch))
        continue;
      best.push({ walk, stretch });
      best.sort((a, b) => Math.abs(b.stretch) - Math.abs(a.stretch));
      if (best.length > NEIGHBOURS) best.pop();
    }
    return best.map(({ walk, stretch }) => ({ walk, stretch: stretch / this.lengthOf(walk) }));
  }

  private lengthOf(walk: number): number {
    return Math.hypot(...this.untilted(this.walks[walk] as readonly number[]).rest) || 1;
  }
}
