import { type EpochMs, HOUR_MS, type IstDay, istDay, istInstant, MINUTE_MS } from '../base/time.ts';
import type { ExpireSessions, RollDay } from '../core/command.ts';

/** Sessions end at 06:00 IST. Source: contract W24. */
const SESSION_END_MS = 6 * HOUR_MS;
/** How often idle sessions are looked for. */
const EXPIRY_INTERVAL_MS = 5 * MINUTE_MS;

/** Knows when a day begins and when sessions are to be looked at. */
export class DayDriver {
  private readonly currentDay: () => IstDay;
  private lastExpiry = 0;

  constructor(currentDay: () => IstDay) {
    this.currentDay = currentDay;
  }

  /** The roll into the day that holds `at`, when that day has not begun; at a start too. */
  dueRoll(at: EpochMs): RollDay | undefined {
    const day = istDay(at);
    return day > this.currentDay() ? { type: 'RollDay', day } : undefined;
  }

  /** Every few minutes, at the first look after 06:00 IST, and at a start. */
  dueExpiry(at: EpochMs): ExpireSessions | undefined {
    const sessionEnd = istInstant(istDay(at), SESSION_END_MS);
    const crossed = this.lastExpiry < sessionEnd && at >= sessionEnd;
    if (!crossed && at - this.lastExpiry < EXPIRY_INTERVAL_MS) return undefined;
    this.lastExpiry = at;
    return { type: 'ExpireSessions' };
  }
}
