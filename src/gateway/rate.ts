import type { AccountId } from '../base/ids.ts';
import { type EpochMs, SECOND_MS } from '../base/time.ts';

/** Buckets that are full again are dropped when there are this many. */
const SWEEP_AT = 10_000;

interface Bucket {
  readonly perSecond: number;
  tokens: number;
  at: EpochMs;
}

/**
 * A bucket of requests for each key: so many a second of them at once, refilled evenly. Bounded: a bucket that is full again is the
 * same as none.
 */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  /** How many keys have a bucket. */
  get size(): number {
    return this.buckets.size;
  }

  /** Takes one request from the bucket; 0, or the whole seconds until there is one again: 1, as no rate is below one a second. */
  take(key: string, perSecond: number, at: EpochMs): number {
    const bucket = this.buckets.get(key);
    // One of another rate was filled by a rule that holds no more.
    if (bucket?.perSecond !== perSecond) {
      if (this.buckets.size >= SWEEP_AT) this.sweep(at);
      this.buckets.set(key, { perSecond, tokens: perSecond - 1, at });
      return 0;
    }
    bucket.tokens = tokensAt(bucket, at);
    bucket.at = at;
    if (bucket.tokens < 1) return 1;
    bucket.tokens -= 1;
    return 0;
  }

  private sweep(at: EpochMs): void {
    for (const [key, bucket] of this.buckets) {
      if (tokensAt(bucket, at) >= bucket.perSecond) this.buckets.delete(key);
    }
  }
}

function tokensAt({ perSecond, tokens, at: before }: Bucket, at: EpochMs): number {
  const elapsed = Math.max(0, at - before);
  return Math.min(perSecond, tokens + (elapsed / SECOND_MS) * perSecond);
}

/** Requests a second of everybody. Source: contract W26. */
const PER_SECOND = { quote: 3, candle: 3, other: 10 } as const;

/** Counts the requests of each account. Source: contract W26, market-rules R9.2. */
export class RateLimits {
  private readonly buckets = new TokenBuckets();

  /** Orders count for each account and segment, placements, modifications and cancellations together. */
  takeOrder(account: AccountId, segment: string, perSecond: number, at: EpochMs): number {
    return this.buckets.take(`${account}:${segment}`, perSecond, at);
  }

  take(kind: 'quote' | 'candle' | 'other', account: AccountId, at: EpochMs): number {
    return this.buckets.take(`${account}:${kind}`, PER_SECOND[kind], at);
  }
}
