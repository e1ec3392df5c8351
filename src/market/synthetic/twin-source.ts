import { hashAt } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import { signedOf } from './paths/draws.ts';
import { type Line, minuteNumber, type Source, straight } from './paths/line.ts';

/** How far two listings of one share are apart at most, in ticks. */
const APART_TICKS = 0.7;

/** A share's second listing: the price of the first, as near as arbitrage keeps it. */
export class TwinSource implements Source {
  private readonly first: Source;
  private readonly apart: number;
  private readonly seed: number;

  /** `tick` is the second listing's, in paise. */
  constructor(first: Source, tick: number, seed: number) {
    this.first = first;
    this.apart = APART_TICKS * tick;
    this.seed = seed;
  }

  at(day: IstDay, minute: number): number {
    return this.first.at(day, minute) + this.apart * signedOf(hashAt(this.seed, minuteNumber(day, minute)));
  }

  fill(day: IstDay, minute: number, line: Line): void {
    this.first.fill(day, minute, line);
    straight(line, this.at(day, minute), this.at(day, minute + 1));
  }
}
