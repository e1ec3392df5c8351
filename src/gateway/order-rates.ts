/**
 * How many orders each account sends to a segment: placements, modifications and cancellations together, by the
 * account's own rate or by the service's. Source: contract W26, market-rules R9.2.
 */

import { must } from '../base/assert.ts';
import { type AccountId, exchangeOf, type OrderNumber } from '../base/ids.ts';
import { DAY_MS, istTimeOfDay, SECOND_MS, type WallMs } from '../base/time.ts';
import { THRESHOLD_RATE } from '../core/access/access.ts';
import type { Access } from '../core/access/access-terms.ts';
import type { PlaceOrder } from '../core/command.ts';
import { replyKey, type State } from '../core/state.ts';
import type { EnginePort } from '../engine/port.ts';
import { badRequest, type Failure, tooMany } from './fields/envelope.ts';
import { TokenBuckets } from './rate.ts';

const NOBODY = -1 as AccountId;
/** The keys of one placement without a key. */
const NO_KEY: readonly undefined[] = [undefined];
/**
 * Orders that an account places in a day, and how often one order is modified. The exchanges leave both to the broker;
 * these are what a large broker publishes. Source: market-rules R9.2, R9.10, kite.trade/forum/discussion/12978 and
 * 47996.
 */
const ORDERS_A_DAY = 3_000;
const MODIFICATIONS_OF_ORDER = 25;
const MODIFIED_TOO_OFTEN: Failure = {
  status: 429,
  name: 'RATE_LIMIT_EXCEEDED',
  field: 'rate',
  message: `an order is modified at most ${MODIFICATIONS_OF_ORDER} times: cancel it and place another`,
};

/** The parts of a placement that the rates go by. */
type Placed = Pick<PlaceOrder, 'account' | 'instrument' | 'idempotency'>;

/** The parts of the service that the rates need. */
export interface OrderRateParts {
  readonly engine: EnginePort;
  /** Source: contract W26. */
  readonly rateLimit: 'off' | 'exchange';
}

export class OrderRates {
  private readonly deps: OrderRateParts;
  private readonly buckets = new TokenBuckets();
  /** Whose access is asked for; a query function for each request would be garbage for each request. */
  private account = NOBODY;

  constructor(deps: OrderRateParts) {
    this.deps = deps;
  }

  /** The regulator's demands on the orders of an account. */
  accessOf(account: AccountId): Access | undefined {
    this.account = account;
    return this.deps.engine.glance(this.query);
  }

  /** How many orders a second an account of this access may send to a segment; undefined when as many as it likes. */
  perSecondOf(access: Access | undefined): number | undefined {
    return access?.orderRate?.perSecond ?? (this.deps.rateLimit === 'exchange' ? THRESHOLD_RATE : undefined);
  }

  /** Takes one order of an account, or says why not. */
  take(account: AccountId, segment: string, perSecond: number, at: WallMs): Failure | undefined {
    const wait = this.buckets.take(keyOf(account, segment), perSecond, at);
    return wait > 0 ? tooMany(wait) : undefined;
  }

  /**
   * Refuses placements beyond those of a day, refused ones among them, where the service keeps the exchange's limits.
   * `keys`: of each placement, `undefined` for one without. A placement that was made under its key is not made again,
   * so it does not count. Source: contract W25.
   */
  takeToday(account: AccountId, keys: readonly (string | undefined)[], at: WallMs): Failure | undefined {
    if (this.deps.rateLimit !== 'exchange') return undefined;
    const hasRoom = this.deps.engine.glance(({ accounts, replies }) => {
      const fresh = keys.filter((key) => key === undefined || !replies.has(replyKey(account, key))).length;
      return fresh === 0 || (accounts.at(account)?.orders.length ?? 0) + fresh <= ORDERS_A_DAY;
    });
    if (hasRoom) return undefined;
    return { ...tooMany(secondsToMidnight(at)), message: `at most ${ORDERS_A_DAY} orders a day are placed` };
  }

  /**
   * Refuses a modification beyond those of an order, refused ones among them, where the service keeps the exchange's
   * limits.
   */
  takeModification(order: OrderNumber): Failure | undefined | Promise<Failure | undefined> {
    if (this.deps.rateLimit !== 'exchange') return undefined;
    return this.deps.engine.read((_state, { history }) => {
      return history.modifications(order) < MODIFICATIONS_OF_ORDER ? undefined : MODIFIED_TOO_OFTEN;
    });
  }

  /**
   * Takes the other slices of an order of which one was taken. When there is no room for all of them none counts, and
   * the first does not either: a client that tries again at once would otherwise never get room. A wait does not help
   * an order with more slices than may ever be sent at once. Source: market-rules R1.29, R9.2.
   */
  takeOtherSlices(orders: readonly Placed[], at: WallMs): Failure | undefined {
    const { account, instrument } = must(orders[0], 'an order has a slice');
    const perSecond = this.perSecondOf(this.accessOf(account));
    if (perSecond === undefined) return undefined;
    const tooManyToday = this.takeToday(account, orders.map(keyOfOrder), at);
    if (tooManyToday !== undefined) return tooManyToday;
    const slices = orders.length;
    if (slices > perSecond) {
      return badRequest('quantity', `quantity needs ${slices} slices, and ${perSecond} orders a second may be sent`);
    }
    const key = keyOf(account, exchangeOf(instrument));
    const wait = this.buckets.take(key, perSecond, at, slices - 1);
    if (wait === 0) return undefined;
    this.buckets.giveBack(key);
    return tooMany(wait);
  }

  /** Takes one order that the service makes of a request for many. Source: market-rules R9.2. */
  takeOrder(account: AccountId, segment: string, at: WallMs): Failure | undefined {
    const perSecond = this.perSecondOf(this.accessOf(account));
    if (perSecond === undefined) return undefined;
    return this.take(account, segment, perSecond, at) ?? this.takeToday(account, NO_KEY, at);
  }

  /**
   * Takes the orders of a basket, each from its own segment: all of them or none. A wait does not help a basket with
   * more orders in a segment than may ever be sent at once. Source: market-rules R9.2.
   */
  takeBasket(account: AccountId, orders: readonly Placed[], at: WallMs): Failure | undefined {
    const perSecond = this.perSecondOf(this.accessOf(account));
    if (perSecond === undefined) return undefined;
    const tooManyToday = this.takeToday(account, orders.map(keyOfOrder), at);
    if (tooManyToday !== undefined) return tooManyToday;
    const groups = Map.groupBy(orders, ({ instrument }) => keyOf(account, exchangeOf(instrument)));
    const counts = Array.from(groups, ([key, { length }]) => ({ key, count: length }));
    const most = Math.max(...counts.map(({ count }) => count));
    if (most > perSecond) {
      return badRequest('legs', `legs has ${most} orders of a segment, and ${perSecond} a second may be sent`);
    }
    for (const [place, { key, count }] of counts.entries()) {
      const wait = this.buckets.take(key, perSecond, at, count);
      if (wait === 0) continue;
      for (const before of counts.slice(0, place)) this.buckets.giveBack(before.key, before.count);
      return tooMany(wait);
    }
    return undefined;
  }

  private readonly query = (state: State): Access | undefined => state.accounts.at(this.account)?.access;
}

function secondsToMidnight(at: WallMs): number {
  return Math.ceil((DAY_MS - istTimeOfDay(at)) / SECOND_MS);
}

function keyOfOrder({ idempotency }: Placed): string | undefined {
  return idempotency?.key;
}

function keyOf(account: AccountId, segment: string): string {
  return `${account}:${segment}`;
}
