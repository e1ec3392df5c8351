/**
 * The things that a stream follows: a channel of the user, or one instrument on a channel of the market. A topic is
 * followed once, whatever the number of subscriptions that it feeds.
 */

import { type Channel, isAfter, isUserChannel, type StreamEvent } from './events.ts';
import type { Subscription } from './subscription.ts';

/** A topic's place in frames. */
export interface TopicName {
  readonly channel: Channel;
  readonly instrument?: string;
  readonly interval?: string;
}

export class Topic {
  readonly name: TopicName;
  readonly followers = new Set<Subscription<StreamEvent>>();
  /** True when the service has said that its events come. */
  isLive = false;
  /** The service has said so once, now or on an earlier connection. */
  wasLive = false;
  /** Of the user's: the place after which the service is to send. */
  since: string | undefined;
  /** Subscriptions that need the book when the service has said from where events come. */
  readonly awaitingBook = new Set<Subscription<StreamEvent>>();
  private latest: StreamEvent | undefined;
  /** Of candles: the bar that runs, and before it the one that ended last. Its end comes right before the next bar. */
  private readonly bars: string[] = [];

  constructor(name: TopicName) {
    this.name = name;
  }

  get key(): string {
    return keyOf(this.name);
  }

  get isUsers(): boolean {
    return isUserChannel(this.name.channel);
  }

  /** Of the user's: frames that come now are of an earlier subscription, since the answer stands before the events. */
  private get isEarly(): boolean {
    return this.isUsers && !this.isLive;
  }

  /** Adds a subscription; of the market it gets the newest event at once. */
  follow(subscription: Subscription<StreamEvent>): void {
    this.followers.add(subscription);
    if (this.since !== undefined) subscription.began(this.since);
    if (this.latest !== undefined) subscription.push(this.latest, this.placeOf(this.latest));
  }

  /** Hands an event to all followers, unless it is one that they have had. */
  take(event: StreamEvent): void {
    if (this.isEarly) return;
    if (this.isUsers && 'seq' in event) {
      if (this.since !== undefined && !isAfter(event.seq, this.since)) return;
      this.since = event.seq;
    } else this.latest = event;
    const place = this.isUsers ? undefined : this.placeOf(event);
    for (const follower of this.followers) follower.push(event, place);
  }

  /** Where an event of the market waits, and takes the place of an older one: a candle does so by its bar. */
  private placeOf(event: StreamEvent): string {
    if (event.type !== 'candle') return this.key;
    const place = `${this.key} ${event.data.time}`;
    if (!this.bars.includes(place)) {
      const [old] = this.bars.splice(0, this.bars.length - 1);
      if (old !== undefined) for (const follower of this.followers) follower.drop(old);
      this.bars.push(place);
    }
    return place;
  }

  /** The service sends events after `seq` from now on. */
  opened(seq: string | undefined): void {
    this.isLive = true;
    this.wasLive = true;
    if (!this.isUsers || seq === undefined) return;
    this.since ??= seq;
    for (const follower of this.followers) follower.began(this.since);
    for (const subscription of this.awaitingBook) subscription.gap(seq);
    this.awaitingBook.clear();
  }

  /** Events up to `seq` are missing. */
  gap(seq: string): void {
    if (this.isEarly) return;
    this.since = seq;
    for (const follower of this.followers) follower.gap(seq);
  }

  /** The place from which this topic was to go on is none of the service's: begin at its end, with the book. */
  restart(): void {
    this.since = undefined;
    for (const follower of this.followers) this.awaitingBook.add(follower);
  }
}

export function keyOf({ channel, instrument, interval }: TopicName): string {
  return [channel, instrument ?? '', interval ?? ''].join(' ');
}
