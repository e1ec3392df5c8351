import { DAY_MS, type WallMs } from '../../base/time.ts';
import { LoginThrottle } from './login-throttle.ts';

/** Wrong codes beside right credentials that one right code makes good, in a day and from all addresses. */
const FREE_CODES = 5;
/** Steps of 30 seconds within which the second right code must follow the first. */
const MOST_STEPS_BETWEEN = 4;

/**
 * Asks for two right codes of different steps from a user for whom too many wrong ones came beside credentials that
 * were right. Who guesses has to guess twice, and is not told that he was right once; who has the codes gets in with
 * the second. Source: reliability section 4.
 */
export class SecondCodes {
  private readonly wrong = new LoginThrottle({ free: FREE_CODES, windowMs: DAY_MS });
  /** The step of the first right code, by user. Holds users who exist and are guessed at only. */
  private readonly first = new Map<string, number>();

  /** A code was wrong, and nothing else. */
  recordWrong(userId: string, now: WallMs): void {
    this.wrong.recordFailure(userId, '', now);
  }

  /** True when so many were wrong that one right code is not enough. */
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
