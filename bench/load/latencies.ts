/** Steps of a histogram for a factor of e: neighbours are 2 % apart. */
const STEPS = 50;
const BUCKETS = 1_000;

/** A histogram of times in milliseconds, from a microsecond up to minutes, each within 2 %. */
export class Latencies {
  private readonly counts = new Uint32Array(BUCKETS);
  private count = 0;
  private largest = 0;

  add(ms: number): void {
    const step = Math.floor(Math.log(Math.max(1, ms * 1000)) * STEPS);
    this.counts[Math.min(BUCKETS - 1, step)] = (this.counts[Math.min(BUCKETS - 1, step)] ?? 0) + 1;
    this.count += 1;
    this.largest = Math.max(this.largest, ms);
  }

  /** The time that `share` of them do not exceed; 0 when there are none. */
  quantile(share: number): number {
    let left = Math.ceil(share * this.count);
    for (const [step, count] of this.counts.entries()) {
      left -= count;
      if (left <= 0) return this.count === 0 ? 0 : Math.min(this.largest, Math.exp((step + 1) / STEPS) / 1000);
    }
    return this.largest;
  }

  summary(): Quantiles {
    return { count: this.count, p50: this.quantile(0.5), p99: this.quantile(0.99), max: this.largest };
  }
}

/** In milliseconds. */
export interface Quantiles {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}
