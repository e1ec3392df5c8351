import type { Price } from '../../base/money.ts';
import type { Ladder } from './ladder.ts';
import { type Handle, NO_ORDER } from './order-store.ts';

/**
 * All orders at one price of a ladder, oldest first: resting orders at their limit, or stops at their trigger. A level that was
 * closed is used again for another price of the same ladder.
 */
export class Level {
  readonly ladder: Ladder;
  /** Its number in the book, by which orders name it. */
  readonly number: number;
  price: Price;
  /** Units that its orders have still to fill; 0 for stops. */
  quantity = 0;
  orders = 0;
  /** Units of the market that have gone from in front of this level's queue since it was opened. */
  advanced = 0;
  first: Handle = NO_ORDER;
  last: Handle = NO_ORDER;
  /** The level next in line on either side. */
  better: Level | undefined;
  worse: Level | undefined;

  constructor(ladder: Ladder, number: number, price: Price) {
    this.ladder = ladder;
    this.number = number;
    this.price = price;
  }
}
