/** The order and position frames of users: made once for all sockets of a user, in the order of the records. */

import type { AccountId } from '../../base/ids.ts';
import { positionKey } from '../../core/account.ts';
import { accountOf, type State } from '../../core/state.ts';
import { Unavailable } from '../../engine/port.ts';
import type { Views } from '../../views/views.ts';
import type { DialectParts } from '../sockets/dialect-parts.ts';
import { joinedFrames, type TextFrame } from '../sockets/text-frame.ts';
import type { AccountChange, AccountEvent } from '../stream/account-change.ts';
import { accountOfOrder } from '../stream/account-events.ts';
import { concernOf } from '../stream/concern.ts';
import type { AccountOfOrder } from '../stream/record-changes.ts';
import { orderTexts } from './order-frame.ts';
import { positionText, type RowsInShares, rowsInShares } from './position-frame.ts';

/** Where more answers wait for the disk than there is room for, frames are made after this time. In milliseconds. */
const AGAIN_MS = 50;
/** Events whose frames are made in one turn of the event loop. */
const EVENTS_AT_ONCE = 100;

/** The events that frames show. */
const FRAMED: ReadonlySet<AccountEvent['type']> = new Set(['order', 'position']);

type Receiver = (frame: TextFrame) => void;

/** An event of which no frame was handed out yet. */
interface Waiting {
  readonly change: AccountChange;
  readonly event: AccountEvent;
  /** Of the last event of a change: when that was known to be durable, in milliseconds on the clock of sockets. */
  readonly durableAt: number | undefined;
}

/** The sockets of one user, and the events of which no frame was handed out yet. */
interface User {
  readonly account: AccountId;
  readonly userId: string;
  readonly receivers: Set<Receiver>;
  readonly waiting: Waiting[];
  isBusy: boolean;
}

export class AccountFrames {
  private readonly parts: DialectParts;
  private readonly accountOf: AccountOfOrder;
  /** With at least one receiver each. */
  private readonly users = new Map<AccountId, { readonly user: User; readonly leave: () => void }>();

  constructor(parts: DialectParts) {
    this.parts = parts;
    this.accountOf = accountOfOrder(parts.engine);
  }

  /** Hands a receiver the frames of an account from now on. Returns the way to end that. */
  join(account: AccountId, userId: string, receiver: Receiver): () => void {
    const { user, leave } = this.users.get(account) ?? this.begin(account, userId);
    user.receivers.add(receiver);
    return () => {
      user.receivers.delete(receiver);
      if (user.receivers.size > 0 || this.users.get(account)?.user !== user) return;
      this.users.delete(account);
      leave();
    };
  }

  private begin(account: AccountId, userId: string) {
    const user: User = { account, userId, receivers: new Set(), waiting: [], isBusy: false };
    const leave = this.parts.accountEvents.watch(account, (change) => this.take(user, change));
    const entry = { user, leave };
    this.users.set(account, entry);
    return entry;
  }

  private take(user: User, change: AccountChange): void {
    const at = this.parts.clock.elapsed();
    const events = change.events.filter(({ type }) => FRAMED.has(type));
    for (const event of events) {
      user.waiting.push({ change, event, durableAt: event === events.at(-1) ? at : undefined });
    }
    if (user.isBusy || events.length === 0) return;
    user.isBusy = true;
    this.parts.clock.laterTurn(() => this.make(user));
  }

  /** Makes the frames of the next events, and hands them out when what they say is durable. */
  private make(user: User): void {
    // Nobody is left to take them; whoever comes later has events of his own.
    if (user.receivers.size === 0) return;
    const next = user.waiting.slice(0, EVENTS_AT_ONCE);
    const texts = this.parts.engine.read(
      (state, views) => this.textsOf(user, next, state, views),
      concernOf(
        user.account,
        next.map(({ event }) => event),
        this.accountOf,
      ),
    );
    if (!(texts instanceof Promise)) {
      this.hand(user, next, texts);
      return;
    }
    texts.then(
      (made) => this.hand(user, next, made),
      (error: unknown) => this.onRefused(user, error),
    );
  }

  private onRefused(user: User, error: unknown): void {
    if (error instanceof Unavailable) this.parts.clock.after(AGAIN_MS, () => this.make(user));
    else this.parts.onFailure(error);
  }

  private hand(user: User, handed: readonly Waiting[], texts: readonly string[]): void {
    user.waiting.splice(0, handed.length);
    for (const frame of joinedFrames(texts)) for (const receiver of user.receivers) receiver(frame);
    const { figures, clock } = this.parts;
    figures.delays.written(
      handed.flatMap(({ durableAt }) => durableAt ?? []),
      () => clock.elapsed(),
    );
    user.isBusy = user.waiting.length > 0;
    if (user.isBusy) clock.laterTurn(() => this.make(user));
  }

  private textsOf(user: User, waiting: readonly Waiting[], state: State, views: Views): string[] {
    const { positions } = accountOf(state, user.account);
    const isins = waiting.map(({ event }) => {
      return event.type === 'position' ? (positions.get(positionKey(event.instrument, event.product))?.isin ?? '') : '';
    });
    const inShares = rowsInShares(positions, isins);
    return waiting.flatMap(({ change, event }) => this.eventTexts(user, change, event, inShares, state, views));
  }

  private eventTexts(
    { account, userId }: User,
    change: AccountChange,
    event: AccountEvent,
    inShares: RowsInShares,
    state: State,
    views: Views,
  ): readonly string[] {
    const { instruments, avgModel } = this.parts;
    if (event.type === 'order') {
      const texts = orderTexts(views, instruments, userId, change, event);
      const isDoubled = state.orders.get(event.order)?.scenario?.duplicateFrame === true;
      return isDoubled ? texts.flatMap((text) => [text, text]) : texts;
    }
    if (event.type !== 'position') return [];
    const parts = { instruments, avgModel, account, userId, inShares };
    const text = positionText(state, views, parts, change.at, event);
    return text === undefined ? [] : [text];
  }
}
