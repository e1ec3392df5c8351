import { DAY_MS, type WallMs } from '../../base/time.ts';
import { LoginThrottle } from './login-throttle.ts';

/** Wrong codes beside right credentials that one right code makes good, in a day and from all addresses. */
const FREE_CODES = 5;
/** Steps of 30 seconds within which the second right code must follow the first. */
const MOST_STEPS_BETWEEN = 4;

/**
 * Asks a user for two right codes of different steps, once too many wrong codes came beside credentials that were
 * right. An attacker has to guess twice, and does not learn that the first guess was right; the owner of the codes gets
 * in with the second. Source: reliability section 4.
 */
export class SecondCodes {
  private readonly wrong = new LoginThrottle({ free: FREE_CODES, windowMs: DAY_MS });
  /** The step of the first right code, by user. It holds only users that exist and are being guessed at. */
  private readonly first = new Map<string, number>();

  /** A code was wrong, and nothing else. */
  recordWrong(userId: string, now: WallMs): void {
    this.wrong.recordFailure(userId, '', now);
  }

  /** True when there were enough wrong codes that one right code no longer suffices. */
  areGuessed(userId: string, now: WallMs): boolean {
    return this.wrong.isBeyond(userId, '', now);
  }

  /** True when a right code of `step` is enough, by itself or as the second one. */
  suffices(userId: string, step: number, now: WallMs): boolean {
    if (!this.areGuessed(userId, now)) return true;
    const before = this.first.get(userId);
    if (before !== undefined && step > before && step - before <= MOST_STEPS_BETWEEN) return true;
    this.first.set(userId, step);
    return false;
  }

  recordSuccess(userId: string): void {
    this.wrong.recordSuccess(userId, '');
    this.first.delete(userId);
  }
}
