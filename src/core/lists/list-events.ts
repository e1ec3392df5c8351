import type { AccountId, AlertNumber, InstrumentId, Tick } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { TriggerWay } from '../standing/standing-trigger.ts';

/** The account has this watchlist, in the place of the one that it had under the name. */
export interface WatchlistSaved {
  readonly type: 'WatchlistSaved';
  readonly account: AccountId;
  readonly name: string;
  readonly instruments: readonly InstrumentId[];
}

export interface WatchlistDeleted {
  readonly type: 'WatchlistDeleted';
  readonly account: AccountId;
  readonly name: string;
}

/** An alert waits for a last traded price. */
export interface AlertPlaced {
  readonly type: 'AlertPlaced';
  /** The number of the record that placed it. */
  readonly alert: AlertNumber;
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly way: TriggerWay;
  readonly price: Price;
  readonly remarks: string;
}

/** A last traded price came to the price of an alert, or lay beyond it as the alert was placed. */
export interface AlertFired {
  readonly type: 'AlertFired';
  readonly alert: AlertNumber;
  readonly account: AccountId;
  /** The last traded price, and the second of the market at which it was seen. */
  readonly price: Price;
  readonly tick: Tick;
}

/** Its user ended an alert. */
export interface AlertCancelled {
  readonly type: 'AlertCancelled';
  readonly alert: AlertNumber;
  readonly account: AccountId;
}

/** The service ended an alert that waited too long, or for a price that cannot come any more. */
export interface AlertExpired {
  readonly type: 'AlertExpired';
  readonly alert: AlertNumber;
  readonly account: AccountId;
}
