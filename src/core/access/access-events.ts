import type { AccountId } from '../../base/ids.ts';
import type { WallStamped } from '../wall-stamp.ts';
import type { OrderRate } from './access-terms.ts';

/** An account's orders may come from these addresses only. With an empty list they may come from anywhere. */
export interface AddressesSet extends WallStamped {
  readonly type: 'AddressesSet';
  readonly account: AccountId;
  readonly addresses: readonly string[];
  readonly by: string;
  readonly why: string;
}

/** An account has another API key, issued that day. The key before it is no longer valid. */
export interface ApiKeyRenewed extends WallStamped {
  readonly type: 'ApiKeyRenewed';
  readonly account: AccountId;
  /** As in `UserRegistered`. */
  readonly sealedCredentials: string;
  readonly by: string;
  readonly why: string;
}

/** An account has an order rate of its own. Without `rate` it has none any more. */
export interface OrderRateSet {
  readonly type: 'OrderRateSet';
  readonly account: AccountId;
  readonly rate?: OrderRate;
  readonly by: string;
  readonly why: string;
}

export interface SessionOpened extends WallStamped {
  readonly type: 'SessionOpened';
  readonly account: AccountId;
  readonly tokenDigest: string;
  readonly totpStep?: number;
}

export interface SessionTouched extends WallStamped {
  readonly type: 'SessionTouched';
  readonly tokenDigest: string;
}

export interface SessionClosed {
  readonly type: 'SessionClosed';
  readonly tokenDigest: string;
  readonly reason: 'Logout' | 'Idle' | 'DayEnd' | 'TooMany' | 'Scenario';
}
