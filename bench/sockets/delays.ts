const BUCKET = /^sauda_sockets_event_delay_seconds_bucket\{le="(.+)"\}$/;

interface Bucket {
  /** In milliseconds. */
  readonly above: number;
  readonly upTo: number;
  readonly count: number;
}

/** The delays of users' events between two looks at the metrics of a service. */
export class Delays {
  private readonly buckets: Bucket[] = [];

  /** Those of several stretches together. */
  static of(all: readonly Delays[]): Delays {
    const sum = new Delays(new Map(), new Map());
    for (const { buckets } of all) {
      for (const [place, bucket] of buckets.entries()) {
        sum.buckets[place] = { ...bucket, count: bucket.count + (sum.buckets[place]?.count ?? 0) };
      }
    }
    return sum;
  }

  constructor(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
    let [above, counted] = [0, 0];
    for (const [name, value] of after) {
      const bound = BUCKET.exec(name)?.[1];
      if (bound === undefined) continue;
      const upTo = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound) * 1_000;
      const total = value - (before.get(name) ?? 0);
      this.buckets.push({ above, upTo, count: total - counted });
      [above, counted] = [upTo, total];
    }
  }

  /** In milliseconds; within a bucket as if its delays lay evenly in it. */
  quantile(share: number): number {
    let left = share * this.buckets.reduce((sum, { count }) => sum + count, 0);
    for (const { above, upTo, count } of this.buckets) {
      if (left <= count && count > 0) return above + (upTo - above) * (left / count);
      left -= count;
    }
    return Number.NaN;
  }
}
