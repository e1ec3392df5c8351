/** How many sockets and instruments of the stream one user may have at the same time. */

import type { AccountId } from '../../base/ids.ts';
import type { Failure } from '../fields/envelope.ts';

/** Source: docs/stream.md. */
const MOST_SOCKETS = 20;
const MOST_SUBSCRIPTIONS = 5_000;

interface Taken {
  sockets: number;
  subscriptions: number;
}

/** The part of a user's share that one socket takes. */
export interface UserShare {
  /** True when there is room for this number of subscriptions more; they are taken then. */
  take(subscriptions: number): boolean;
  give(subscriptions: number): void;
  /** The socket has ended. Its subscriptions were given back before. */
  leave(): void;
}

export class UserShares {
  /** A client may try again: the part of a socket that is gone without a word is given back some seconds later. */
  readonly tooMany: Failure = {
    status: 429,
    name: 'RATE_LIMIT_EXCEEDED',
    field: 'instruments',
    message: `a user follows at most ${MOST_SUBSCRIPTIONS} instruments, counted once for each channel and interval`,
  };
  /** Users with sockets only. */
  private readonly users = new Map<AccountId, Taken>();

  /** The share of one more socket; `undefined` when the user has too many. */
  enter(account: AccountId): UserShare | undefined {
    const taken = this.users.get(account) ?? { sockets: 0, subscriptions: 0 };
    if (taken.sockets >= MOST_SOCKETS) return undefined;
    taken.sockets += 1;
    this.users.set(account, taken);
    return {
      take: (subscriptions) => {
        if (taken.subscriptions + subscriptions > MOST_SUBSCRIPTIONS) return false;
        taken.subscriptions += subscriptions;
        return true;
      },
      give: (subscriptions) => {
        taken.subscriptions -= subscriptions;
      },
      leave: () => {
        taken.sockets -= 1;
        if (taken.sockets === 0) this.users.delete(account);
      },
    };
  }
}
