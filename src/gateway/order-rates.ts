import type { AccountId } from '../base/ids.ts';
import type { EpochMs } from '../base/time.ts';
import { type Access, THRESHOLD_RATE } from '../core/access/access.ts';
import type { State } from '../core/state.ts';
import type { GatewayDeps } from './deps.ts';
import { badRequest, type Failure, tooMany } from './envelope.ts';
import { TokenBuckets } from './rate.ts';

const NOBODY = -1 as AccountId;

/**
 * How many orders each account sends to a segment: placements, modifications and cancellations together, by the account's own rate or by the
 * service's. Source: contract W26, market-rules R9.2.
 */
export class OrderRates {
  private readonly deps: Pick<GatewayDeps, 'engine' | 'rateLimit'>;
  private readonly buckets = new TokenBuckets();
  /** Whose access is asked for; a query function for each request would be garbage for each request. */
  private account = NOBODY;

  constructor(deps: Pick<GatewayDeps, 'engine' | 'rateLimit'>) {
    this.deps = deps;
  }

  /** What the regulator asks of the orders of an account. */
  accessOf(account: AccountId): Access | undefined {
    this.account = account;
    return this.deps.engine.glance(this.query);
  }

  /** How many orders a second an account of this access may send to a segment; undefined when as many as it likes. */
  perSecondOf(access: Access | undefined): number | undefined {
    return access?.orderRate?.perSecond ?? (this.deps.rateLimit === 'exchange' ? THRESHOLD_RATE : undefined);
  }

  /** Takes one order of an account, or says why not. */
  take(account: AccountId, segment: string, perSecond: number, at: EpochMs): Failure | undefined {
    const wait = this.buckets.take(keyOf(account, segment), perSecond, at);
    return wait > 0 ? tooMany(wait) : undefined;
  }

  /**
   * Takes the other slices of an order of which one was taken. When there is no room for all of them none counts, the first neither: a client that tries
   * again at once would else never get room. More than may ever be sent at once is no matter of waiting. Source: market-rules R1.29, R9.2.
   */
  takeOtherSlices(account: AccountId, segment: string, slices: number, at: EpochMs): Failure | undefined {
    const perSecond = this.perSecondOf(this.accessOf(account));
    if (perSecond === undefined) return undefined;
    if (slices > perSecond) {
      return badRequest('quantity', `quantity needs ${slices} slices, and ${perSecond} orders a second may be sent`);
    }
    const key = keyOf(account, segment);
    const wait = this.buckets.take(key, perSecond, at, slices - 1);
    if (wait === 0) return undefined;
    this.buckets.giveBack(key);
    return tooMany(wait);
  }

  private readonly query = (state: State): Access | undefined => state.accounts[this.account]?.access;
}

function keyOf(account: AccountId, segment: string): string {
  return `${account}:${segment}`;
}
