import type { AccountId, AlertNumber, InstrumentId } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { TriggerWay } from '../standing/standing-trigger.ts';

/** Keeps a watchlist under its name, in the place of one that the account has under that name. Idempotent. */
export interface SaveWatchlist {
  readonly type: 'SaveWatchlist';
  readonly account: AccountId;
  readonly name: string;
  /** In the order wished for, each once. */
  readonly instruments: readonly InstrumentId[];
}

export interface DeleteWatchlist {
  readonly type: 'DeleteWatchlist';
  readonly account: AccountId;
  readonly name: string;
}

/** Reports once when the last traded price is at `price` or beyond. */
export interface PlaceAlert {
  readonly type: 'PlaceAlert';
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly way: TriggerWay;
  /** Above 0. It need not be a multiple of the tick. */
  readonly price: Price;
  readonly remarks: string;
}

export interface CancelAlert {
  readonly type: 'CancelAlert';
  readonly account: AccountId;
  readonly alert: AlertNumber;
}
