/**
 * The shapes of work that comes in portions of accounts. The rules are in `portion.ts`.
 */

import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { IstDay } from '../../base/time.ts';
import type { SquareOffSegment } from '../trading-days.ts';

/** The commands whose work comes in portions. */
export const PORTIONED_WORK = ['EndDay', 'RollDay', 'ReviseMargins', 'SquareOff'] as const;
export type PortionedWork = (typeof PORTIONED_WORK)[number];

/** Work that has begun and is not done: the portion that is due next. */
export interface DuePortion {
  readonly of: PortionedWork;
  /** 1 for the second portion; the first has the number 0. */
  readonly number: number;
  /** Its first account: those before it have had the work. */
  readonly from: AccountId;
  /** The day that was before, while a day begins. */
  readonly before?: IstDay;
  /** The segment that is squared off: its orders go oldest first, whoever has them. */
  readonly segment?: SquareOffSegment;
  /** The last order that the square-off has looked at; absent before the first. */
  readonly after?: OrderNumber;
}

/** The most that one portion holds. */
export interface PortionLimits {
  readonly accounts: number;
  /** Their work, as of `workOf`. */
  readonly work: number;
  /** The open orders that a search looks at; some ten thousand when absent. */
  readonly orders?: number;
}
