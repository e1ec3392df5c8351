/**
 * The market as the stream sends it: one record an instrument and channel, outside the components. A panel follows the
 * instruments that it shows; the stream is asked for each once. Records are handed on once a frame.
 */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Instrument, instrumentText } from '../../../client/src/instrument.ts';
import type { PriceChange, TickEvent } from '../../../client/src/stream/events.ts';
import type { SaudaStream } from '../../../client/src/stream/stream.ts';
import type { Subscription } from '../../../client/src/stream/subscription.ts';
import type { GreeksRow, QueueRow, QuoteRow, TickRow } from '../../../client/src/wire.ts';
import { atNextFrame } from './frame.ts';
import { heard } from './link.ts';
import { marketDay } from './market-time.ts';

type MarketChannel = 'ticks' | 'depth' | 'greeks' | 'queue';

/** Instruments that were asked for together. It ends when the last of them is no longer followed. */
interface Batch {
  readonly subscription: Subscription<TickEvent>;
  readonly live: Set<string>;
}

/** The newest rows of one channel. */
class Feed<Row> {
  private readonly channel: MarketChannel;
  private readonly rows = new Map<string, Signal<Row | undefined>>();
  private readonly followers = new Map<string, number>();
  private readonly batches = new Map<string, Batch>();
  private readonly fresh = new Map<string, Row>();
  private wanted = new Set<string>();
  private stream: SaudaStream | undefined;

  constructor(channel: MarketChannel) {
    this.channel = channel;
  }

  row(name: string): ReadonlySignal<Row | undefined> {
    return this.signalOf(name);
  }

  /** Follows instruments until the result is called. */
  follow(names: readonly string[]): () => void {
    for (const name of names) {
      const count = this.followers.get(name) ?? 0;
      this.followers.set(name, count + 1);
      if (count === 0) this.want(name);
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      for (const name of names) this.release(name);
    };
  }

  /** Takes another stream, or none. Followed instruments are followed on it. */
  connect(stream: SaudaStream | undefined): void {
    this.stream = stream;
    this.batches.clear();
    this.fresh.clear();
    for (const known of this.rows.values()) known.value = undefined;
    for (const name of this.followers.keys()) this.want(name);
  }

  /** Asks for all that is followed once more. Rows stay until the service refuses theirs. */
  askAgain(): void {
    for (const { subscription } of new Set(this.batches.values())) subscription.close();
    this.batches.clear();
    for (const name of this.followers.keys()) this.want(name);
  }

  private signalOf(name: string): Signal<Row | undefined> {
    let known = this.rows.get(name);
    if (known === undefined) {
      known = signal(undefined);
      this.rows.set(name, known);
    }
    return known;
  }

  private want(name: string): void {
    if (this.wanted.size === 0) queueMicrotask(() => this.subscribeWanted());
    this.wanted.add(name);
  }

  private subscribeWanted(): void {
    const names = [...this.wanted].filter((name) => this.followers.has(name) && !this.batches.has(name));
    this.wanted = new Set();
    if (names.length > 0) this.subscribe(names);
  }

  private subscribe(names: readonly string[]): void {
    if (this.stream === undefined) return;
    const subscription = this.stream[this.channel](names as readonly Instrument[]) as Subscription<TickEvent>;
    const batch = { subscription, live: new Set(names) };
    for (const name of names) this.batches.set(name, batch);
    // A list with one instrument that ended is refused whole: then each is asked for by itself.
    subscription.on(this.take, () => {
      const refused = names.filter((name) => this.batches.get(name) === batch);
      for (const name of refused) this.batches.delete(name);
      for (const name of refused) {
        if (names.length > 1) this.subscribe([name]);
        else this.forget(name);
      }
    });
  }

  private release(name: string): void {
    const count = this.followers.get(name) ?? 0;
    if (count > 1) {
      this.followers.set(name, count - 1);
      return;
    }
    this.followers.delete(name);
    // A list that gains a row leaves all of them and follows them again at once.
    queueMicrotask(() => {
      if (!this.followers.has(name)) this.leave(name);
    });
  }

  /** Ends the subscription of an instrument, whose row goes too. */
  private leave(name: string): void {
    this.forget(name);
    const batch = this.batches.get(name);
    this.batches.delete(name);
    batch?.live.delete(name);
    if (batch?.live.size === 0) batch.subscription.close();
  }

  /** Takes the row of an instrument away that no more events come for: it would look alive. */
  private forget(name: string): void {
    this.fresh.delete(name);
    this.signalOf(name).value = undefined;
  }

  private readonly take = ({ instrument, data, change, changePercent }: TickEvent): void => {
    heard();
    // Only quotes have a change, and it stands beside their row.
    this.fresh.set(instrument, (change === undefined ? data : { ...data, change, changePercent }) as Row);
    atNextFrame(this.show);
  };

  private readonly show = (): void => {
    for (const [name, row] of this.fresh) if (this.followers.has(name)) this.signalOf(name).value = row;
    this.fresh.clear();
  };
}

/** A quote with the change of its last price. */
export type Quoted = QuoteRow & PriceChange;

export const ticks = new Feed<TickRow & PriceChange>('ticks');
export const depths = new Feed<Quoted>('depth');
export const greeks = new Feed<GreeksRow>('greeks');
/** The places of the user's own resting orders. */
export const queues = new Feed<readonly QueueRow[]>('queue');

const feeds = [ticks, depths, greeks, queues];

/** Puts the market on a stream; on none, when nobody is logged in. */
export function connectMarket(stream: SaudaStream | undefined): void {
  for (const feed of feeds) feed.connect(stream);
}

// A contract that ended with its day is quoted no more, which the service says when it is asked for.
let day = '';
marketDay.subscribe((now) => {
  if (day !== '' && now !== day) for (const feed of feeds) feed.askAgain();
  day = now;
});

/** The newest row of an instrument while the component is shown; undefined before the first one. */
export function useRow<Row>(feed: Feed<Row>, instrument: Instrument): ReadonlySignal<Row | undefined> {
  const name = instrumentText(instrument);
  useEffect(() => feed.follow([name]), [feed, name]);
  return useMemo(() => feed.row(name), [feed, name]);
}

/** Follows instruments while the component is shown; `names` is compared by its content. */
export function useFollowed<Row>(feed: Feed<Row>, names: readonly string[]): void {
  useEffect(() => feed.follow(names), [feed, names.join(' ')]);
}
