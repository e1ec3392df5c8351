/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The stream of one user: subscriptions over one connection, which is opened again by itself and goes on where it was.
 */

import { InvalidRequest, RateLimited, Unavailable } from '../errors.ts';
import type { Interval } from '../generated/operations.ts';
import { type Instrument, instrumentText } from '../instrument.ts';
import { untilAnswered } from '../patience.ts';
import { Connection, type ConnectionSettings, type Down, type Frame, failureOf } from './connection.ts';
import { CHANNEL_OF, type Channel, type Channels, type StreamEvent, type UserChannel } from './events.ts';
import { Subscription } from './subscription.ts';
import { keyOf, Topic, type TopicName } from './topics.ts';

/** Where a subscription to what is the user's begins. */
export interface UserOptions {
  /**
   * The place after which events are wished for, such as the `seq` of the last one that the program kept. Without it
   * they begin now. A stream follows each channel once: its first subscription says where it begins.
   */
  readonly since?: string;
  /** True for the whole book as the first event. */
  readonly snapshot?: boolean;
}

/** The occasions that a stream itself reports. */
export interface Occasions {
  /** A connection is logged in; `seq` is the service's last record. */
  up: { readonly seq: string };
  /** A connection ended; the next one is tried after `retryMs`. */
  down: Down;
  /** Events of these channels are missing; each subscription gets the book in their place. */
  gap: { readonly channels: readonly string[]; readonly seq: string };
  /** The stream ended for good; `error` is absent after `close`. */
  ended: { readonly error?: unknown };
}

/** The rows of each of the user's books now. */
export type Books = Readonly<Record<UserChannel, () => Promise<readonly unknown[]>>>;

/** A request that has no answer yet. */
interface Asked {
  readonly topics: readonly Topic[];
  /** The subscription that it was sent for; nothing for the stream's own. */
  readonly by: Subscription<StreamEvent> | undefined;
}

/** The most instruments of one frame, so that it stays below the 64 KiB that the service takes. */
const MOST_IN_FRAME = 500;
/** A request for which there is no room now, and was before, is sent again after this time. */
const ASK_AGAIN_MS = 1_000;

export class SaudaStream {
  private readonly connection: Connection;
  private readonly books: Books;
  private readonly topics = new Map<string, Topic>();
  private readonly subscriptions = new Map<Subscription<StreamEvent>, readonly Topic[]>();
  /** Topics that the service knows by another name than the program: `NSE:NIFTY` for `NSE:Nifty 50`. */
  private readonly renamed = new Map<string, Set<Topic>>();
  private readonly asked = new Map<string, Asked>();
  /** Requests that will be sent again on this connection. */
  private readonly repeats = new Set<ReturnType<typeof setTimeout>>();
  private readonly listeners = new Map<string, Set<(occasion: never) => void>>();
  private requests = 0;
  /** Aborted when the stream ends. */
  private readonly over = new AbortController();

  constructor(settings: ConnectionSettings, books: Books) {
    this.books = books;
    this.connection = new Connection(settings, {
      up: (seq) => this.up(seq),
      frame: (frame) => this.take(frame),
      down: (down) => this.down(down),
      ended: (error) => this.finish(error),
    });
    // Its events come every few seconds, so a connection that has died is noticed.
    this.topicOf({ channel: 'clock' });
    this.connection.open();
  }

  /** The user's orders, each time one changes. */
  orders(options?: UserOptions): Subscription<Channels['orders']> {
    return this.ofUser('orders', options);
  }

  /** The user's trades. */
  trades(options?: UserOptions): Subscription<Channels['trades']> {
    return this.ofUser('trades', options);
  }

  /** The user's positions, each time a trade or a conversion changes one. */
  positions(options?: UserOptions): Subscription<Channels['positions']> {
    return this.ofUser('positions', options);
  }

  /** The user's limits, each time they change. */
  limits(options?: UserOptions): Subscription<Channels['limits']> {
    return this.ofUser('limits', options);
  }

  /** The user's price alerts. */
  alerts(options?: UserOptions): Subscription<Channels['alerts']> {
    return this.ofUser('alerts', options);
  }

  /** The user's GTT orders. */
  gtt(options?: UserOptions): Subscription<Channels['gtt']> {
    return this.ofUser('gtt', options);
  }

  /** The result of the day by position, by underlying and together, at most once a second. */
  results(): Subscription<Channels['results']> {
    return this.subscribed('results', [{ channel: 'results' }]);
  }

  /** Quotes without depth. */
  ticks(instruments: readonly Instrument[]): Subscription<Channels['ticks']> {
    return this.ofMarket('ticks', instruments);
  }

  /** Quotes with five levels of depth a side. */
  depth(instruments: readonly Instrument[]): Subscription<Channels['depth']> {
    return this.ofMarket('depth', instruments);
  }

  /** The candle that is being made. */
  candles(instruments: readonly Instrument[], interval: Interval): Subscription<Channels['candles']> {
    return this.ofMarket('candles', instruments, interval);
  }

  /** Greeks and implied volatility of options. */
  greeks(instruments: readonly Instrument[]): Subscription<Channels['greeks']> {
    return this.ofMarket('greeks', instruments);
  }

  /** The places of the user's resting orders in their queues, after each second in which a queue changed. */
  queue(instruments: readonly Instrument[]): Subscription<Channels['queue']> {
    return this.ofMarket('queue', instruments);
  }

  /** The market's time and the phase of each exchange, every five seconds and at each change of phase. */
  clock(): Subscription<Channels['clock']> {
    return this.subscribed('clock', [{ channel: 'clock' }]);
  }

  /** Whether the service takes calls or is about to end. */
  status(): Subscription<Channels['status']> {
    return this.subscribed('status', [{ channel: 'status' }]);
  }

  /** Listens for an occasion of the stream itself. The result ends the listening. */
  on<O extends keyof Occasions>(occasion: O, listener: (happened: Occasions[O]) => void): () => void {
    const all = this.listeners.get(occasion) ?? new Set();
    this.listeners.set(occasion, all.add(listener));
    return () => void all.delete(listener);
  }

  /** Ends all subscriptions and the connection. */
  close(): void {
    this.finish(undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  private get isOver(): boolean {
    return this.over.signal.aborted;
  }

  private ofUser<C extends UserChannel>(channel: C, options: UserOptions = {}): Subscription<Channels[C]> {
    const existing = this.topics.get(keyOf({ channel }));
    if (existing === undefined) this.topicOf({ channel }).since = options.since;
    else if (options.since !== undefined) {
      throw new RangeError(`this stream follows ${channel} already; open another one to begin at ${options.since}`);
    }
    return this.subscribed(channel, [{ channel }], options.snapshot);
  }

  private ofMarket<C extends Channel>(
    channel: C,
    instruments: readonly Instrument[],
    interval?: Interval,
  ): Subscription<Channels[C]> {
    const named = new Set(instruments.map(instrumentText));
    if (named.size === 0) throw new RangeError(`${channel} need one instrument or more`);
    const names = [...named].map((instrument) => ({
      channel,
      instrument,
      ...(interval === undefined ? {} : { interval }),
    }));
    return this.subscribed(channel, names);
  }

  private subscribed<C extends Channel>(
    channel: C,
    names: readonly TopicName[],
    snapshot = false,
  ): Subscription<Channels[C]> {
    if (this.isOver) throw new RangeError('the stream was closed');
    const subscription = new Subscription<StreamEvent>(channel, {
      book: () => this.book(channel as UserChannel),
      ended: () => this.left(subscription),
    });
    const topics = names.map((name) => this.topicOf(name));
    const fresh = topics.filter((topic) => topic.followers.size === 0 && !topic.isLive);
    this.subscriptions.set(subscription, topics);
    for (const topic of topics) {
      if (snapshot && topic.isLive) subscription.gap(topic.since ?? '0');
      else if (snapshot) topic.awaitingBook.add(subscription);
      topic.follow(subscription);
    }
    this.ask(fresh, subscription);
    this.tellIfReady(subscription);
    return subscription as Subscription<never> as Subscription<Channels[C]>;
  }

  private topicOf(name: TopicName): Topic {
    const key = keyOf(name);
    const topic = this.topics.get(key) ?? new Topic(name);
    this.topics.set(key, topic);
    return topic;
  }

  /** Asks the service for topics of one channel, for one subscription. */
  private ask(topics: readonly Topic[], by: Asked['by']): void {
    for (let from = 0; from < topics.length; from += MOST_IN_FRAME) {
      const part = topics.slice(from, from + MOST_IN_FRAME);
      const id = String(++this.requests);
      this.asked.set(id, { topics: part, by });
      this.connection.send({ subscribe: part[0]?.name.channel, ...fieldsOf(part), id });
    }
  }

  private left(subscription: Subscription<StreamEvent>): void {
    const unfollowed = (this.subscriptions.get(subscription) ?? []).filter((topic) => {
      topic.followers.delete(subscription);
      topic.awaitingBook.delete(subscription);
      return topic.followers.size === 0 && topic.name.channel !== 'clock';
    });
    this.subscriptions.delete(subscription);
    for (const topic of unfollowed) {
      this.topics.delete(topic.key);
      this.forgetNames(topic);
    }
    for (let from = 0; from < unfollowed.length; from += MOST_IN_FRAME) {
      const part = unfollowed.slice(from, from + MOST_IN_FRAME);
      const { instruments, interval } = fieldsOf(part);
      const named = { ...(instruments ? { instruments } : {}), ...(interval ? { interval } : {}) };
      this.connection.send({ unsubscribe: subscription.channel, ...named });
    }
  }

  /** A new connection: everything is asked for again, each subscription's topics together. */
  private up(seq: string): void {
    this.asked.clear();
    const clock = this.topicOf({ channel: 'clock' });
    const done = new Set<Topic>();
    for (const [by, topics] of [[undefined, [clock]] as const, ...this.subscriptions]) {
      const missing = topics.filter((topic) => !done.has(topic));
      for (const topic of missing) done.add(topic);
      this.ask(missing, by);
    }
    this.report('up', { seq });
  }

  private down(down: Down): void {
    this.asked.clear();
    this.dropRepeats();
    for (const topic of this.topics.values()) topic.isLive = false;
    this.report('down', down);
  }

  private take(frame: Frame): void {
    const { type } = frame;
    if (type === 'subscribed') return this.takeSubscribed(frame);
    if (type === 'error') return this.takeError(frame);
    if (type === 'gap') return this.takeGap(frame as Frame & Occasions['gap']);
    const channel = CHANNEL_OF[type];
    if (channel === undefined) return;
    const { instrument, interval } = frame as Frame & { readonly instrument?: string; readonly interval?: string };
    const name = { channel, ...(instrument === undefined ? {} : { instrument }) };
    const key = keyOf(interval === undefined ? name : { ...name, interval });
    const topic = this.topics.get(key);
    for (const one of [...(topic === undefined ? [] : [topic]), ...(this.renamed.get(key) ?? [])]) {
      one.take(frame as unknown as StreamEvent);
    }
  }

  private takeSubscribed(frame: Frame): void {
    const { id, seq, instruments } = frame as Frame & {
      readonly id?: string;
      readonly seq?: string;
      readonly instruments?: readonly string[];
    };
    for (const [index, topic] of this.answered(id).topics.entries()) {
      this.learnName(topic, instruments?.[index]);
      topic.opened(seq);
      for (const subscription of topic.followers) this.tellIfReady(subscription);
    }
  }

  private learnName(topic: Topic, instrument: string | undefined): void {
    if (instrument === undefined || instrument === topic.name.instrument) return;
    const key = keyOf({ ...topic.name, instrument });
    this.renamed.set(key, (this.renamed.get(key) ?? new Set()).add(topic));
  }

  private forgetNames(topic: Topic): void {
    for (const [key, topics] of this.renamed) if (topics.delete(topic) && topics.size === 0) this.renamed.delete(key);
  }

  private takeError(frame: Frame): void {
    const error = failureOf(frame);
    const { topics, by } = this.answered((frame as Frame & { readonly id?: string }).id);
    const [first] = topics;
    if (first?.isUsers && first.since !== undefined && error instanceof InvalidRequest) {
      first.restart();
      return this.ask([first], by);
    }
    const mayPass = error instanceof RateLimited || error instanceof Unavailable;
    if (mayPass && topics.some(({ wasLive }) => wasLive)) return this.askLater(topics);
    if (by !== undefined && this.subscriptions.has(by)) {
      by.fail(error);
      this.left(by);
    }
    this.askForOthers(topics);
  }

  /** The service may still count the instruments of an earlier connection, which it does not know to be gone yet. */
  private askLater(topics: readonly Topic[]): void {
    const repeat = setTimeout(() => {
      this.repeats.delete(repeat);
      this.askForOthers(topics.filter(({ isLive }) => !isLive));
    }, ASK_AGAIN_MS);
    this.repeats.add(repeat);
  }

  private dropRepeats(): void {
    for (const repeat of this.repeats) clearTimeout(repeat);
    this.repeats.clear();
  }

  /** A request was refused as a whole. Its topics that others follow are asked for again, for those. */
  private askForOthers(topics: readonly Topic[]): void {
    const parts = new Map<Subscription<StreamEvent>, Topic[]>();
    for (const topic of topics) {
      const [follower] = topic.followers;
      if (follower === undefined) continue;
      const part = parts.get(follower) ?? [];
      part.push(topic);
      parts.set(follower, part);
    }
    for (const [follower, part] of parts) this.ask(part, follower);
  }

  private takeGap({ channels, seq }: Occasions['gap']): void {
    for (const channel of channels) this.topics.get(keyOf({ channel: channel as Channel }))?.gap(seq);
    this.report('gap', { channels, seq });
  }

  private answered(id: string | undefined): Asked {
    const asked = this.asked.get(id ?? '') ?? { topics: [], by: undefined };
    this.asked.delete(id ?? '');
    return asked;
  }

  private tellIfReady(subscription: Subscription<StreamEvent>): void {
    if (this.subscriptions.get(subscription)?.every(({ isLive }) => isLive)) subscription.opened();
  }

  /** Reads a book, however long the service is away. */
  private book(channel: UserChannel): Promise<readonly unknown[]> {
    return untilAnswered(() => this.books[channel](), this.over.signal);
  }

  private finish(error: unknown): void {
    if (this.isOver) return;
    this.over.abort();
    this.dropRepeats();
    this.connection.close();
    for (const subscription of [...this.subscriptions.keys()]) {
      if (error === undefined) subscription.close();
      else subscription.fail(error);
    }
    this.report('ended', error === undefined ? {} : { error });
  }

  private report<O extends keyof Occasions>(occasion: O, happened: Occasions[O]): void {
    for (const listener of this.listeners.get(occasion) ?? []) (listener as (happened: Occasions[O]) => void)(happened);
  }
}

/** The fields of a request for topics of one channel and interval. */
function fieldsOf(topics: readonly Topic[]) {
  const [first] = topics;
  const instruments = topics.flatMap(({ name }) => (name.instrument === undefined ? [] : [name.instrument]));
  return {
    ...(first?.since === undefined ? {} : { since: first.since }),
    ...(instruments.length === 0 ? {} : { instruments }),
    ...(first?.name.interval === undefined ? {} : { interval: first.name.interval }),
  };
}
