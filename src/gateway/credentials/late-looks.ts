import type { WallMs } from '../../base/time.ts';
import { countedAs } from '../http/connections/client-address.ts';

/** The time in which looks are counted: a step of one-time codes. */
const LOOK_WINDOW_MS = 30_000;
/** Looks in each window of one user at one address, of one user, and of one address. */
const OF_PAIR = 4;
const OF_USER = 12;
const OF_ADDRESS = 12;

/**
 * Bounds how often a login that comes during a wait is checked. Only tries with the right vendor code and API key are
 * checked; their 128 bits cannot be guessed, so an attacker without them takes no check from the owner. Source:
 * reliability section 4.
 */
export class LateLooks {
  private readonly taken = new Map<string, number>();
  private window = 0;

  /** True when the try may be looked at. */
  take(userId: string, address: string, now: WallMs): boolean {
    const window = Math.floor(now / LOOK_WINDOW_MS);
    if (window !== this.window) this.taken.clear();
    this.window = window;
    const from = countedAs(address);
    const limits = [
      [`pair ${from} ${userId}`, OF_PAIR],
      [`user ${userId}`, OF_USER],
      [`address ${from}`, OF_ADDRESS],
    ] as const;
    if (limits.some(([key, most]) => (this.taken.get(key) ?? 0) >= most)) return false;
    for (const [key] of limits) this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
    return true;
  }
}
