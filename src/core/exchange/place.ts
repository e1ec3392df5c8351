import type { AccountId, OrderNumber } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';

/** An order's place in the queue of its price. Neighbours are linked, so that leaving costs the same anywhere in the queue. */
export interface RestingOrder {
  readonly kind: 'resting';
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly level: Level;
  /** Units that are still to be filled. */
  remaining: number;
  /** The market's units in front at entry plus what had advanced at the level then: see `aheadOf`. */
  readonly aheadMark: number;
  previous: RestingOrder | undefined;
  next: RestingOrder | undefined;
}

/** All users' orders at one price of one side, oldest first. */
export interface Level {
  readonly price: Price;
  quantity: number;
  orders: number;
  /** Units of the market that have gone from in front of this level's queue since it came to be. */
  advanced: number;
  first: RestingOrder | undefined;
  last: RestingOrder | undefined;
}

/** A stop order that waits for the last price to come to its trigger. */
export interface ArmedStop {
  readonly kind: 'armed';
  readonly number: OrderNumber;
  readonly account: AccountId;
  readonly trigger: Price;
  /** Its turn: stops that fire together fire in the order of their turns. */
  readonly turn: number;
}

/** Where an order stands in its book. The order itself points to it, so that no search is needed to find it. */
export type Place = RestingOrder | ArmedStop;
