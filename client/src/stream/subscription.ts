/**
 * The events of one channel as a program takes them: one after the other from an iterator, or handed to a listener.
 * Events of the user wait in a queue with a bound; of the market the newest state of each instrument waits.
 */

import { type Channel, isUserChannel, type Resync, type StreamEvent } from './events.ts';

/** Events of the user that wait for the program. Beyond it the program reads the book again instead. */
const MOST_WAITING = 10_000;

/** A place in the queue where the book is to be read again. */
interface Gap {
  readonly gap: string;
}

type Waiting = StreamEvent | Resync<unknown> | Gap;

/** The questions of a subscription to its stream. */
interface Owner {
  /** The rows of the channel's book now. */
  readonly book: () => Promise<readonly unknown[]>;
  /** The program takes no more events. */
  readonly ended: () => void;
}

export class Subscription<Event extends StreamEvent> implements AsyncIterableIterator<Event> {
  readonly channel: Channel;
  /** Resolves when the service has said that events come from now on; rejects when it refuses the subscription. */
  readonly ready: Promise<void>;
  private readonly owner: Owner;
  private readonly waiting = new Map<string, Waiting>();
  private delivered: string | undefined;
  private counter = 0;
  private failure: unknown;
  private isEnded = false;
  private sleepers: (() => void)[] = [];
  private settleReady!: { readonly resolve: () => void; readonly reject: (error: unknown) => void };

  constructor(channel: Channel, owner: Owner) {
    this.channel = channel;
    this.owner = owner;
    this.ready = new Promise((resolve, reject) => {
      this.settleReady = { resolve, reject };
    });
    this.ready.catch(() => undefined);
  }

  /**
   * The place of the last event of the user that the program took, at first the one where the subscription began; a new
   * subscription can begin after it. Nothing before `ready` where no `since` was given.
   */
  get seq(): string | undefined {
    return this.delivered;
  }

  /** The next event. After a gap it is the whole book. */
  async next(): Promise<IteratorResult<Event, undefined>> {
    while (await this.arrival()) {
      const value = this.taken();
      if (value !== undefined) return { done: false, value };
    }
    return { done: true, value: undefined };
  }

  /** Ends the subscription, as leaving a `for await` loop does. */
  return(): Promise<IteratorResult<Event, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * Hands each event to a listener, one after the other, until `close`; none after it. Use either this or the iterator.
   * A failure of the subscription goes to `failed`; without it the failure is an unhandled rejection. A listener that
   * throws closes the subscription.
   */
  on(listener: (event: Event) => void, failed?: (error: unknown) => void): this {
    const handed = this.handAll(listener);
    if (failed !== undefined) handed.catch(failed);
    return this;
  }

  /** Ends the subscription. Events that wait are dropped. */
  close(): void {
    this.waiting.clear();
    if (this.isEnded) return;
    this.end();
    this.owner.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** Events of the user after this place come; the first call counts. */
  began(seq: string): void {
    this.delivered ??= seq;
  }

  /** An event came. The stream calls this, as it does the following. */
  push(event: StreamEvent, key: string | undefined): void {
    if (this.isEnded) return;
    if (isUserChannel(this.channel) && this.waiting.size >= MOST_WAITING && 'seq' in event) {
      this.waiting.clear();
      this.gap(event.seq);
      return;
    }
    this.waiting.set(key ?? this.nextKey(), event);
    this.wake();
  }

  /** The event that waits in a place is too old to be taken. */
  drop(key: string): void {
    this.waiting.delete(key);
  }

  /** Events are missing up to a place: the book is to be read when the program comes there. */
  gap(seq: string): void {
    if (this.isEnded) return;
    this.waiting.set(this.nextKey(), { gap: seq });
    this.wake();
  }

  opened(): void {
    this.settleReady.resolve();
  }

  /** No event will come any more; those that wait can still be taken. */
  fail(error: unknown): void {
    this.failure ??= error;
    this.settleReady.reject(error);
    this.end();
  }

  private end(): void {
    this.isEnded = true;
    this.settleReady.reject(new RangeError('the subscription was closed'));
    this.wake();
  }

  private wake(): void {
    const { sleepers } = this;
    this.sleepers = [];
    for (const resume of sleepers) resume();
  }

  private nextKey(): string {
    this.counter++;
    return `#${this.counter}`;
  }

  private async handAll(listener: (event: Event) => void): Promise<void> {
    while (await this.arrival()) {
      const event = this.taken();
      try {
        if (event !== undefined) listener(event);
      } catch (error) {
        this.close();
        throw error;
      }
    }
  }

  /**
   * True once an event waits; false when none will come any more. A gap is filled where it stands, so that an event is
   * taken in one step with its delivery, and `close` comes before or after both.
   */
  private async arrival(): Promise<boolean> {
    for (;;) {
      const [first] = this.waiting;
      if (first !== undefined) {
        const [key, next] = first;
        if (!('gap' in next)) return true;
        await this.fill(key, next);
        continue;
      }
      if (this.failure !== undefined) throw this.failure;
      if (this.isEnded) return false;
      await new Promise<void>((resolve) => {
        this.sleepers.push(resolve);
      });
    }
  }

  /**
   * Reads the book for the gap that waits first. The book has all that waits behind it when it is asked for, so that is
   * dropped: its rows are older. A failure leaves the gap where it is; neither matters once the gap was dropped.
   */
  private async fill(key: string, place: Gap): Promise<void> {
    const isThere = (): boolean => this.waiting.get(key) === place;
    const covered = [...this.waiting].slice(1);
    const seq = placeOf(covered.at(-1)?.[1] ?? place);
    try {
      const data = await this.owner.book();
      if (!isThere()) return;
      for (const [old] of covered) this.waiting.delete(old);
      this.waiting.set(key, { type: 'resync', seq, data });
    } catch (error) {
      if (isThere()) throw error;
    }
  }

  /** Takes the event that waits; nothing when it was dropped or taken since it arrived. */
  private taken(): Event | undefined {
    const [first] = this.waiting;
    if (first === undefined || 'gap' in first[1]) return undefined;
    const [key, event] = first;
    this.waiting.delete(key);
    if ('seq' in event) this.delivered = event.seq;
    return event as Event;
  }
}

/** The place in the journal of something of the user's that waits. */
function placeOf(waiting: Waiting): string {
  if ('gap' in waiting) return waiting.gap;
  return 'seq' in waiting ? waiting.seq : '';
}
