import type { AccountId } from '../base/ids.ts';
import { type EpochMs, SECOND_MS } from '../base/time.ts';

/** Buckets that are full again are dropped when there are this many. */
const SWEEP_AT = 10_000;

interface Bucket {
  tokens: number;
  at: EpochMs;
}

/**
 * A bucket of requests for each key: `perSecond` of them at once, refilled evenly. Bounded: a bucket that is full again is the
 * same as none.
 */
export class TokenBuckets {
  private readonly perSecond: number;
  private readonly buckets = new Map<string, Bucket>();

  constructor(perSecond: number) {
    this.perSecond = perSecond;
  }

  /** How many keys have a bucket. */
  get size(): number {
    return this.buckets.size;
  }

  /** Takes one request from the bucket; 0, or the whole seconds until there is one again. */
  take(key: string, at: EpochMs): number {
    const bucket = this.buckets.get(key);
    if (!bucket) {
      if (this.buckets.size >= SWEEP_AT) this.sweep(at);
      this.buckets.set(key, { tokens: this.perSecond - 1, at });
      return 0;
    }
    bucket.tokens = this.tokensAt(bucket, at);
    bucket.at = at;
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / this.perSecond));
    bucket.tokens -= 1;
    return 0;
  }

  private tokensAt(bucket: Bucket, at: EpochMs): number {
    const elapsed = Math.max(0, at - bucket.at);
    return Math.min(this.perSecond, bucket.tokens + (elapsed / SECOND_MS) * this.perSecond);
  }

  private sweep(at: EpochMs): void {
    for (const [key, bucket] of this.buckets) {
      if (this.tokensAt(bucket, at) >= this.perSecond) this.buckets.delete(key);
    }
  }
}

/** The limits of `rateLimit: exchange`, requests a second for each account. Source: contract W26. */
export class RateLimits {
  private readonly orders = new TokenBuckets(10);
  private readonly quotes = new TokenBuckets(3);
  private readonly candles = new TokenBuckets(3);
  private readonly rest = new TokenBuckets(10);

  /** Orders count for each account and segment, placements, modifications and cancellations together. */
  takeOrder(account: AccountId, segment: string, at: EpochMs): number {
    return this.orders.take(`${account}:${segment}`, at);
  }

  take(kind: 'quote' | 'candle' | 'other', account: AccountId, at: EpochMs): number {
    const buckets = kind === 'quote' ? this.quotes : kind === 'candle' ? this.candles : this.rest;
    return buckets.take(String(account), at);
  }
}
