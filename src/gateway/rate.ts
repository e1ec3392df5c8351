/**
 * A bucket of requests for each key: a second's number of them at once, refilled evenly. Bounded: a bucket that is full
 * again is the same as none. Which requests count against which bucket is decided in `door.ts` and `order-rates.ts`.
 */

import type { AccountId } from '../base/ids.ts';
import { SECOND_MS, type WallMs } from '../base/time.ts';

/** Buckets that are full again are dropped when there are this many, and twice as many as were left the last time. */
const SWEEP_AT = 10_000;

interface Bucket {
  readonly perSecond: number;
  tokens: number;
  at: WallMs;
}

export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();
  private sweepAt = SWEEP_AT;

  /** How many keys have a bucket. */
  get size(): number {
    return this.buckets.size;
  }

  /**
   * Takes requests from the bucket, all of them or none. Gives 0, or the whole seconds until they are there: 1, as a
   * second fills a bucket. Never ask for more than a bucket holds.
   */
  take(key: string, perSecond: number, at: WallMs, count = 1): number {
    const bucket = this.buckets.get(key);
    // One of another rate was filled by a rule that holds no more.
    if (bucket?.perSecond !== perSecond) {
      if (this.buckets.size >= this.sweepAt) this.sweep(at);
      this.buckets.set(key, { perSecond, tokens: perSecond - count, at });
      return 0;
    }
    bucket.tokens = tokensAt(bucket, at);
    bucket.at = at;
    if (bucket.tokens < count) return 1;
    bucket.tokens -= count;
    return 0;
  }

  /** Puts back requests that were taken and came to nothing. */
  giveBack(key: string, count = 1): void {
    const bucket = this.buckets.get(key);
    if (bucket !== undefined) bucket.tokens += count;
  }

  private sweep(at: WallMs): void {
    for (const [key, bucket] of this.buckets) {
      if (tokensAt(bucket, at) >= bucket.perSecond) this.buckets.delete(key);
    }
    this.sweepAt = Math.max(SWEEP_AT, 2 * this.buckets.size);
  }
}

function tokensAt({ perSecond, tokens, at: before }: Bucket, at: WallMs): number {
  const elapsed = Math.max(0, at - before);
  return Math.min(perSecond, tokens + (elapsed / SECOND_MS) * perSecond);
}

/** The requests of each account in a second. Source: contract W26. */
const PER_SECOND = { quote: 3, candle: 3, other: 10 } as const;

/** Counts the requests of each account beside its orders. Source: contract W26. */
export class RateLimits {
  private readonly buckets = new TokenBuckets();

  take(kind: 'quote' | 'candle' | 'other', account: AccountId, at: WallMs): number {
    return this.buckets.take(`${account}:${kind}`, PER_SECOND[kind], at);
  }
}
