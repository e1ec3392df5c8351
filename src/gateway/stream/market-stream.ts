/**
 * The instruments that one socket follows. The newest look at an instrument wins: while the client reads slowly, one
 * look of each subscription waits, and a later one takes its place.
 */

import type { Instrument } from '../../core/instrument.ts';
import type { Sight, Watch } from '../sockets/market-watch.ts';
import type { OpenSocket } from '../sockets/open-socket.ts';
import { hasRoom } from '../sockets/room.ts';
import type { SocketFigures } from '../sockets/socket-figures.ts';
import type { TextFrame } from '../sockets/text-frame.ts';
import type { Frames, MakeFrames } from './market-frames.ts';

/** The part of a look that the frames of a feed show. A look in which it has not changed is passed over. */
export type Shown = 'quote' | 'book';

/** Sends a frame: at once, or with the others of its round. */
type Send = (frame: TextFrame) => void;

/** Takes the frames of a look; `isLate`: they come after it was handed out. */
type Offer = (followed: Followed, frames: Frames, isLate: boolean) => void;

/** One instrument of one feed. */
class Followed {
  /** Counts the looks; those that are overtaken are not sent. */
  private looks = 0;
  /** The bar of the candle that was sent last. */
  private bar: Frames['bar'];
  private book = -1;
  private readonly make: MakeFrames;
  private readonly shown: Shown;
  private readonly offer: Offer;

  constructor(make: MakeFrames, shown: Shown, offer: Offer) {
    this.make = make;
    this.shown = shown;
    this.offer = offer;
  }

  readonly see = (sight: Sight): void => {
    // Repeats are for clients that cannot know whether they missed a frame.
    const isOld = this.shown === 'quote' ? sight.isRepeat : sight.book === this.book;
    if (isOld && this.looks > 0) return;
    this.book = sight.book;
    this.looks += 1;
    const frames = sight.shared(this.make);
    if (frames instanceof Promise) this.takeLater(frames, this.looks);
    else if (frames !== undefined) this.offer(this, frames, false);
  };

  sendBy(send: Send, { newest, bar, before }: Frames): void {
    if (before !== undefined && this.bar !== undefined && bar !== this.bar) send(before);
    this.bar = bar;
    send(newest);
  }

  /** Where too many answers wait for the disk, the next look brings the frames. */
  private takeLater(promised: Promise<Frames | undefined>, looks: number): void {
    promised.then(
      (frames) => {
        if (frames !== undefined && looks === this.looks) this.offer(this, frames, true);
      },
      () => undefined,
    );
  }

  /** Frames that are still being made are not sent any more. */
  end(): void {
    this.looks += 1;
  }
}

export class MarketStream {
  private readonly watch: Watch;
  private readonly figures: SocketFigures;
  private readonly socket: OpenSocket;
  private readonly sendAtOnce: Send = (frame) => this.socket.sendFrame(frame);
  private readonly sendWithOthers: Send = (frame) => this.socket.sendWithOthers(frame);
  /** By feed, then by instrument. */
  private readonly feeds = new Map<string, Map<Instrument['id'], Followed>>();
  /** The newest frames that the client has no room for. */
  private readonly pending = new Map<Followed, Frames>();
  private count = 0;
  private isHeld = false;

  constructor(watch: Watch, figures: SocketFigures, socket: OpenSocket) {
    this.watch = watch;
    this.figures = figures;
    this.socket = socket;
  }

  /** How many subscriptions there are: instruments, once for each feed. */
  get size(): number {
    return this.count;
  }

  has(feed: string, instrument: Instrument): boolean {
    return this.feeds.get(feed)?.has(instrument.id) === true;
  }

  /**
   * Follows an instrument that it does not follow yet; its first frame comes soon. False, and nothing is followed, when
   * all sockets together follow too many.
   */
  follow(feed: string, { id }: Instrument, make: MakeFrames, shown: Shown = 'quote'): boolean {
    const followed = new Followed(make, shown, this.offer);
    if (!this.watch.watch(id, followed.see)) return false;
    const list = this.feeds.get(feed) ?? new Map<Instrument['id'], Followed>();
    this.feeds.set(feed, list.set(id, followed));
    this.count += 1;
    this.figures.subscriptions += 1;
    return true;
  }

  /** The instruments of a feed are followed no more: these, or all. */
  leave(feed: string, ids: Iterable<Instrument['id']> | undefined): void {
    const list = this.feeds.get(feed);
    if (list === undefined) return;
    for (const id of ids ?? [...list.keys()]) {
      const followed = list.get(id);
      if (followed === undefined) continue;
      list.delete(id);
      this.count -= 1;
      this.figures.subscriptions -= 1;
      followed.end();
      this.pending.delete(followed);
      this.watch.unwatch(id, followed.see);
    }
  }

  /** Sends nothing until `goOn`: the newest frames wait. */
  hold(): void {
    this.isHeld = true;
  }

  goOn(): void {
    this.isHeld = false;
    this.drained();
  }

  /** The client has taken all that was sent. */
  drained(): void {
    if (this.isHeld) return;
    for (const [followed, frames] of this.pending) {
      if (!hasRoom(this.socket)) return;
      this.pending.delete(followed);
      followed.sendBy(this.sendAtOnce, frames);
    }
  }

  close(): void {
    for (const feed of this.feeds.keys()) this.leave(feed, undefined);
  }

  /** Sends frames, or lets them wait in the place of older ones. */
  private readonly offer: Offer = (followed, frames, isLate) => {
    if (!this.isHeld && this.pending.size === 0 && hasRoom(this.socket)) {
      followed.sendBy(isLate ? this.sendAtOnce : this.sendWithOthers, frames);
      return;
    }
    if (this.pending.has(followed)) this.figures.conflated += 1;
    this.pending.set(followed, frames);
  };
}
