import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { SquareOffSegment } from '../trading-days.ts';
import type { PortionedWork } from './due-portion.ts';

/** A portion of a work is done; `next` is the first account of the next one, absent when this was the last. */
export interface PortionDone {
  readonly type: 'PortionDone';
  readonly of: PortionedWork;
  readonly number: number;
  readonly next?: AccountId;
  readonly segment?: SquareOffSegment;
  /** The last order that was looked at; absent when no portion follows, and in records of older versions. */
  readonly after?: OrderNumber;
}
