/** The order and position frames of users: made once for all sockets of a user, in the order of the records. */

import type { AccountId } from '../../base/ids.ts';
import type { State } from '../../core/state.ts';
import { Unavailable } from '../../engine/port.ts';
import type { Views } from '../../views/views.ts';
import type { DialectParts } from '../sockets/dialect-parts.ts';
import { joinedFrames, type TextFrame } from '../sockets/text-frame.ts';
import type { AccountChange, AccountEvent } from '../stream/account-change.ts';
import { accountOfOrder } from '../stream/account-events.ts';
import { concernOf } from '../stream/concern.ts';
import type { AccountOfOrder } from '../stream/record-changes.ts';
import { orderTexts } from './order-frame.ts';
import { positionText } from './position-frame.ts';

/** Where more answers wait for the disk than there is room for, frames are made after this time. In milliseconds. */
const AGAIN_MS = 50;

/** The events that frames show. */
const FRAMED: ReadonlySet<AccountEvent['type']> = new Set(['order', 'position']);

type Receiver = (frame: TextFrame) => void;

/** A change, and when it was known to be durable, in milliseconds on the clock of sockets. */
interface Durable {
  readonly change: AccountChange;
  readonly at: number;
}

/** The sockets of one user, and the changes of which no frame was made yet. */
interface User {
  readonly account: AccountId;
  readonly userId: string;
  readonly receivers: Set<Receiver>;
  readonly changes: Durable[];
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
    const user: User = { account, userId, receivers: new Set(), changes: [], isBusy: false };
    const leave = this.parts.accountEvents.watch(account, (change) => this.take(user, change));
    const entry = { user, leave };
    this.users.set(account, entry);
    return entry;
  }

  private take(user: User, change: AccountChange): void {
    user.changes.push({ change, at: this.parts.clock.elapsed() });
    if (user.isBusy) return;
    user.isBusy = true;
    this.parts.clock.laterTurn(() => this.make(user));
  }

  /** Makes the frames of all changes that are there, and hands them out when what they say is durable. */
  private make(user: User): void {
    const changes = user.changes.splice(0);
    const events = changes.flatMap(({ change }) => change.events).filter(({ type }) => FRAMED.has(type));
    const texts = this.parts.engine.read(
      (state, views) => this.textsOf(user, changes, state, views),
      concernOf(user.account, events, this.accountOf),
    );
    if (!(texts instanceof Promise)) {
      this.hand(user, changes, texts);
      return;
    }
    texts.then(
      (made) => this.hand(user, changes, made),
      (error: unknown) => this.onRefused(user, changes, error),
    );
  }

  private onRefused(user: User, changes: readonly Durable[], error: unknown): void {
    if (!(error instanceof Unavailable)) {
      this.parts.onFailure(error);
      return;
    }
    user.changes.unshift(...changes);
    this.parts.clock.after(AGAIN_MS, () => this.make(user));
  }

  private hand(user: User, changes: readonly Durable[], texts: readonly string[]): void {
    for (const frame of joinedFrames(texts)) for (const receiver of user.receivers) receiver(frame);
    const { figures, clock } = this.parts;
    figures.delays.written(
      changes.map(({ at }) => at),
      () => clock.elapsed(),
    );
    user.isBusy = user.changes.length > 0;
    if (user.isBusy) this.parts.clock.laterTurn(() => this.make(user));
  }

  private textsOf(user: User, changes: readonly Durable[], state: State, views: Views): string[] {
    return changes.flatMap(({ change }) =>
      change.events.flatMap((event) => this.eventTexts(user, change, event, state, views)),
    );
  }

  private eventTexts(
    { account, userId }: User,
    change: AccountChange,
    event: AccountEvent,
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
    const parts = { instruments, avgModel, account, userId };
    const text = positionText(state, views, parts, change.at, event);
    return text === undefined ? [] : [text];
  }
}
