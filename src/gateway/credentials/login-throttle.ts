import { createHash } from 'node:crypto';
import type { EpochMs } from '../../base/time.ts';
import { countedAs } from '../client-address.ts';

/** So many failures within the window are free. Source: contract W26. */
const FREE_FAILURES = 5;
const WINDOW_MS = 15 * 60_000;
const LONGEST_WAIT_MS = 60_000;
/** Failures beyond these do not make the wait longer: 1, 2, 4 ... 60 seconds. */
const REMEMBERED_FAILURES = FREE_FAILURES + 6;
const MAX_ENTRIES = 10_000;

/**
 * Slows failed logins by user and address. After five failures in 15 minutes the next try must wait one second after the last
 * failure, the one after that two, then four, up to a minute. A failure counts for 15 minutes, a success forgets them
 * all, so nobody is ever locked out for good. The table is bounded: the entry that failed longest ago goes first.
 */
export class LoginThrottle {
  private readonly failures = new Map<string, EpochMs[]>();
  private readonly maxEntries: number;

  constructor(maxEntries = MAX_ENTRIES) {
    this.maxEntries = maxEntries;
  }

  /** How many entries are remembered. */
  get size(): number {
    return this.failures.size;
  }

  /** Milliseconds until the next try is looked at; 0 when it may come now. */
  waitMs(userId: string, address: string, now: EpochMs): number {
    const recent = this.recent(pairKey(userId, address), now);
    const beyond = recent.length - FREE_FAILURES;
    if (beyond < 0) return 0;
    const wait = Math.min(LONGEST_WAIT_MS, 1000 * 2 ** beyond);
    return Math.max(0, (recent.at(-1) ?? now) + wait - now);
  }

  recordFailure(userId: string, address: string, now: EpochMs): void {
    const key = pairKey(userId, address);
    const recent = this.recent(key, now);
    this.failures.delete(key);
    this.failures.set(key, [...recent, now].slice(-REMEMBERED_FAILURES));
    if (this.failures.size <= this.maxEntries) return;
    const oldest = this.failures.keys().next();
    if (!oldest.done) this.failures.delete(oldest.value);
  }

  recordSuccess(userId: string, address: string): void {
    this.failures.delete(pairKey(userId, address));
  }

  private recent(key: string, now: EpochMs): EpochMs[] {
    // A failure of the future was noted before the clock was set back: it must not hold anybody.
    return (this.failures.get(key) ?? []).filter((at) => at > now - WINDOW_MS && at <= now);
  }
}

/**
 * What stands for a user and an address: a digest, so that it takes the same memory however long the text that a client sent as its user id.
 * An IPv6 client is its network, since it has all addresses of that.
 */
export function pairKey(userId: string, address: string): string {
  return createHash('sha256')
    .update(`${countedAs(address)} ${userId}`, 'utf8')
    .digest('base64url');
}
