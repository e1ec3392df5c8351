/**
 * The one subscriber of the durable feed that serves the sockets of all users: it turns each durable record into the
 * changes of the accounts that somebody watches, and hands them to whoever watches. A record costs no more than its
 * size, and next to nothing while nobody watches.
 */

import { must } from '../../base/assert.ts';
import type { AccountId } from '../../base/ids.ts';
import type { DurableFeed, Subscriber, Subscription } from '../../engine/feed/durable-feed.ts';
import type { DurableRecord } from '../../engine/feed/durable-record.ts';
import type { EnginePort } from '../../engine/port.ts';
import type { AccountChange } from './account-change.ts';
import { type AccountOfOrder, changesOf } from './record-changes.ts';

/** The durable feed as sockets need it. */
export type EventFeed = Pick<DurableFeed, 'subscribe' | 'last'>;

/** Takes a change of the account that it watches. It must not throw, and does longer work later. */
export type ChangeListener = (change: AccountChange) => void;

/**
 * Hands out the changes of accounts, as records become durable: each change once, in the order of the records. The
 * state may already be ahead of them.
 */
export class AccountEvents implements Subscriber {
  private readonly accountOf: AccountOfOrder;
  private readonly listeners = new Map<AccountId, Set<ChangeListener>>();
  private readonly wanted = {
    has: (id: AccountId) => this.listeners.has(id),
    [Symbol.iterator]: () => this.listeners.keys(),
  };
  private readonly subscription: Subscription;
  /** The last record whose changes were handed out. */
  private handed: number;

  constructor(feed: EventFeed, engine: Pick<EnginePort, 'glance'>) {
    this.accountOf = accountOfOrder(engine);
    this.handed = feed.last;
    const { subscription } = feed.subscribe(feed.last, this) as { subscription?: Subscription };
    this.subscription = must(subscription, 'the head of the feed is a place in it');
  }

  /** The last record whose changes were handed out: those of the records after it are to come. */
  get seq(): number {
    return this.handed;
  }

  /** Hands the changes of an account to a listener, of the records after `seq`. Gives the way to end that. */
  watch(account: AccountId, listener: ChangeListener): () => void {
    const known = this.listeners.get(account);
    if (known === undefined) this.listeners.set(account, new Set([listener]));
    else known.add(listener);
    return () => this.leave(account, listener);
  }

  close(): void {
    this.subscription.close();
  }

  take(records: readonly DurableRecord[]): void {
    for (const record of records) {
      if (this.listeners.size > 0) this.hand(changesOf(record, this.wanted, this.accountOf));
      this.handed = record.seq;
    }
  }

  lost(error: Error): void {
    // It is always at the head and reads no journal. The feed ends the process for a subscriber that throws.
    throw error;
  }

  private hand(changes: readonly AccountChange[]): void {
    for (const change of changes) {
      const listeners = this.listeners.get(change.account);
      // A copy: a listener may leave, or watch again from the next record on.
      for (const listener of [...(listeners ?? [])]) if (listeners?.has(listener)) listener(change);
    }
  }

  private leave(account: AccountId, listener: ChangeListener): void {
    const known = this.listeners.get(account);
    known?.delete(listener);
    if (known?.size === 0) this.listeners.delete(account);
  }
}

/** Finds the accounts of the orders of the running trading day and of the seven before it. */
export function accountOfOrder(engine: Pick<EnginePort, 'glance'>): AccountOfOrder {
  return (order) => engine.glance((_state, _ports, { history }) => history.accountOf(order));
}
