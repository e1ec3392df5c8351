/**
 * Counts failed logins by user and address; either may be blank, so that all addresses or all users count together.
 * After five failures in 15 minutes the next try should come one second after the last failure, the one after that two,
 * then four, up to a minute. A failure counts for its window, a success forgets them all. The table is bounded: the
 * entry that failed longest ago goes first.
 */

import { createHash } from 'node:crypto';
import type { WallMs } from '../../base/time.ts';
import { countedAs } from '../http/connections/client-address.ts';

/** The number of failures of a user at an address that cost nothing. Source: contract W26. */
const FREE_FAILURES = 5;
const WINDOW_MS = 15 * 60_000;
const LONGEST_WAIT_MS = 60_000;
/**
 * At most this number of failures beyond the free ones is remembered: further ones do not make the wait longer. The
 * waits are 1, 2, 4 ... 60 seconds.
 */
const COUNTED_BEYOND = 6;
const MAX_ENTRIES = 10_000;

export interface ThrottleLimits {
  readonly maxEntries?: number;
  /** Failures that cost nothing. */
  readonly free?: number;
  /** How long a failure counts. */
  readonly windowMs?: number;
}

export class LoginThrottle {
  private readonly failures = new Map<string, WallMs[]>();
  private readonly maxEntries: number;
  private readonly free: number;
  private readonly windowMs: number;

  constructor({ maxEntries = MAX_ENTRIES, free = FREE_FAILURES, windowMs = WINDOW_MS }: ThrottleLimits = {}) {
    this.maxEntries = maxEntries;
    this.free = free;
    this.windowMs = windowMs;
  }

  /** How many entries are remembered. */
  get size(): number {
    return this.failures.size;
  }

  /** Milliseconds until the next try should come; 0 when it may come now. */
  waitMs(userId: string, address: string, now: WallMs): number {
    const recent = this.recent(pairKey(userId, address), now);
    const beyond = recent.length - this.free;
    if (beyond < 0) return 0;
    const wait = Math.min(LONGEST_WAIT_MS, 1000 * 2 ** beyond);
    return Math.max(0, (recent.at(-1) ?? now) + wait - now);
  }

  /** True when more failures count than are free. */
  isBeyond(userId: string, address: string, now: WallMs): boolean {
    return this.recent(pairKey(userId, address), now).length >= this.free;
  }

  recordFailure(userId: string, address: string, now: WallMs): void {
    const key = pairKey(userId, address);
    const recent = this.recent(key, now);
    this.failures.delete(key);
    this.failures.set(key, [...recent, now].slice(-this.free - COUNTED_BEYOND));
    if (this.failures.size <= this.maxEntries) return;
    const oldest = this.failures.keys().next();
    if (!oldest.done) this.failures.delete(oldest.value);
  }

  recordSuccess(userId: string, address: string): void {
    this.failures.delete(pairKey(userId, address));
  }

  private recent(key: string, now: WallMs): WallMs[] {
    // A failure of the future was noted before the clock was set back: it must not hold anybody.
    return (this.failures.get(key) ?? []).filter((at) => at > now - this.windowMs && at <= now);
  }
}

/**
 * The key of a user and an address: a digest, so that it takes the same memory however long the user id is that a
 * client sent. An IPv6 client counts as its network, since it can use every address of that network.
 */
export function pairKey(userId: string, address: string): string {
  return createHash('sha256')
    .update(`${countedAs(address)} ${userId}`, 'utf8')
    .digest('base64url');
}
