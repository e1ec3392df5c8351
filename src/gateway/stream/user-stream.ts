/**
 * The events of one socket's user. Live, it watches the account like every other socket. A socket that asks for older
 * events, or reads so slowly that too many wait, has a place of its own in the durable feed, which reads the journal at
 * the pace of the socket and keeps no queue; at the head it joins the others again. Each event is sent once, in order.
 */

import type { AccountId } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import type { DurableRecord } from '../../engine/feed/durable-record.ts';
import { formatStreamTime } from '../fields/times.ts';
import { CLOSE, type OpenSocket } from '../sockets/open-socket.ts';
import { hasRoom } from '../sockets/room.ts';
import type { SocketClock } from '../sockets/socket-clock.ts';
import type { SocketFigures } from '../sockets/socket-figures.ts';
import type { AccountChange, AccountEvent } from './account-change.ts';
import type { AccountEvents, EventFeed } from './account-events.ts';
import { CHANNEL_OF, type UserChannel } from './channels.ts';
import { isAfter, type Place, placeText, recordBefore, WHOLE } from './place.ts';
import { type AccountOfOrder, changesOf } from './record-changes.ts';
import type { StreamRows } from './stream-rows.ts';

/** The most records that a socket may ask for again; whoever asks for more reads the books. */
export const MOST_RECORDS_BACK = 250_000;
/** Events whose rows are made in one turn of the event loop. */
const EVENTS_AT_ONCE = 100;
/** How long rows wait that could not be read. */
const AGAIN_MS = 100;
/** The most events that wait for a live socket to read: more are read from the journal again. */
const MOST_QUEUED = 2_000;
/** A socket whose client takes nothing for this time, while events wait, is closed. */
const STALL_MS = 10_000;

export interface UserStreamParts {
  readonly accountEvents: AccountEvents;
  readonly feed: EventFeed;
  readonly accountOf: AccountOfOrder;
  readonly rows: StreamRows;
  readonly clock: SocketClock;
  readonly figures: Pick<SocketFigures, 'delays'>;
}

/** The answer to a subscription. */
export interface Begun {
  /** Events after this place follow. */
  readonly place: Place;
  /** The place that was asked for is too long ago. */
  readonly isGap: boolean;
}

interface Waiting extends Place {
  readonly at: EpochMs;
  readonly event: AccountEvent;
  /** When a live event was known to be durable, in milliseconds on the clock of sockets. */
  readonly durableAt: number | undefined;
}

export class UserStream {
  private readonly parts: UserStreamParts;
  private readonly socket: OpenSocket;
  private readonly account: AccountId;
  private readonly wanted: ReadonlySet<AccountId>;
  /** The last event that each channel was sent, or where it began: no event of it before that is sent any more. */
  private readonly had = new Map<UserChannel, Place>();
  /** Events that are to be sent, and in front of them those whose rows are being made. */
  private queue: Waiting[] = [];
  private making: readonly Waiting[] = [];
  /** Ends the place in the feed, or the watching of the account. */
  private leave: (() => void) | undefined;
  /** While this is behind: the last record that it was handed. */
  private handed: number | undefined;
  /** Asks the feed for more, once all is sent. */
  private askMore: (() => void) | undefined;
  private stopStall: (() => void) | undefined;
  /** Counts the beginnings: rows that an earlier one still makes are not sent. */
  private run = 0;
  /** True from when too many events of a live socket wait until it has a place of its own: it takes no others. */
  private isFalling = false;

  constructor(parts: UserStreamParts, socket: OpenSocket, account: AccountId) {
    this.parts = parts;
    this.socket = socket;
    this.account = account;
    this.wanted = new Set([account]);
  }

  /** Takes channels in, from a place or from now on. They get nothing before `goOn`. */
  subscribe(channels: readonly UserChannel[], since: Place | undefined): Begun {
    const head: Place = { seq: this.parts.accountEvents.seq, index: WHOLE };
    const isGap = since !== undefined && head.seq - since.seq > MOST_RECORDS_BACK;
    const place = since === undefined || isGap ? head : since;
    for (const channel of channels) if (since !== undefined || !this.had.has(channel)) this.had.set(channel, place);
    return { place, isGap };
  }

  unsubscribe(channels: readonly UserChannel[]): void {
    for (const channel of channels) this.had.delete(channel);
    if (this.had.size === 0) this.stop();
  }

  /** Sends the events after a place where channels began, and goes on. */
  goOn({ place }: Begun): void {
    if (this.leave === undefined || recordBefore(place) < this.reached()) this.beginAfter(recordBefore(place));
  }

  /** The client has taken all that was sent. */
  drained(): void {
    this.stopStall?.();
    this.stopStall = undefined;
    this.send();
  }

  /** Whether the client follows a channel of its user. */
  get hasChannels(): boolean {
    return this.had.size > 0;
  }

  /** Sends a gap of all channels: the client reads the books again, and events after the present one follow. */
  gapNow(): void {
    const { had } = this;
    if (!this.hasChannels) return;
    this.stop();
    const place: Place = { seq: this.parts.accountEvents.seq, index: WHOLE };
    const channels = [...had.keys()];
    for (const channel of channels) had.set(channel, place);
    this.socket.send(gapText(channels, place));
    this.goLive();
  }

  close(): void {
    this.had.clear();
    this.stop();
    this.drained();
  }

  /** The last record whose events were all sent. */
  private reached(): number {
    const next = this.making[0] ?? this.queue[0];
    return next === undefined ? (this.handed ?? this.parts.accountEvents.seq) : next.seq - 1;
  }

  private stop(): void {
    this.run += 1;
    this.leave?.();
    this.leave = undefined;
    this.handed = undefined;
    this.isFalling = false;
    this.askMore = undefined;
    this.queue = [];
    this.making = [];
  }

  /** Begins with the events after a record. */
  private beginAfter(seq: number): void {
    const { accountEvents, feed } = this.parts;
    this.stop();
    if (seq >= accountEvents.seq) {
      this.goLive();
      return;
    }
    const { run } = this;
    this.handed = seq;
    const answer = feed.subscribe(seq, {
      take: (records) => (run === this.run ? this.take(records) : undefined),
      lost: () => this.socket.close(CLOSE.ourFailure, 'the journal cannot be read'),
    });
    if (!answer.ok) {
      this.gap({ seq: accountEvents.seq, index: WHOLE });
      this.goLive();
    } else if (this.leave === undefined && run === this.run) this.leave = () => answer.subscription.close();
    else answer.subscription.close();
  }

  private goLive(): void {
    this.handed = undefined;
    this.leave = this.parts.accountEvents.watch(this.account, (change) => {
      if (this.isFalling) return;
      this.enqueue(change, this.parts.clock.elapsed());
      if (this.queue.length > MOST_QUEUED) this.fallBehind();
      else this.send();
    });
  }

  /**
   * Events are read from the journal again when there is room for them. In a later turn: the record that is handed out
   * now is one of them, and counts as handed out only afterwards.
   */
  private fallBehind(): void {
    this.isFalling = true;
    const { run } = this;
    const after = this.reached();
    this.parts.clock.laterTurn(() => {
      if (run === this.run) this.beginAfter(after);
    });
  }

  /** Takes records out of the journal. At the head it joins those who watch the account. */
  private take(records: readonly DurableRecord[]): undefined | Promise<void> {
    const { accountEvents, accountOf } = this.parts;
    for (const record of records) {
      for (const change of changesOf(record, this.wanted, accountOf)) this.enqueue(change);
      this.handed = record.seq;
    }
    const behind = accountEvents.seq - (this.handed ?? 0);
    if (behind === 0) {
      this.leave?.();
      this.goLive();
      this.send();
      return undefined;
    }
    if (behind > MOST_RECORDS_BACK) this.socket.close(CLOSE.tooSlow, 'events come faster than they are read');
    const sent = new Promise<void>((resolve) => {
      this.askMore = resolve;
    });
    this.send();
    return sent;
  }

  private enqueue({ seq, at, events }: AccountChange, durableAt?: number): void {
    for (const [index, event] of events.entries()) {
      const waiting: Waiting = { seq, index, at, event, durableAt };
      if (event.type === 'day' || this.isWanted(waiting, CHANNEL_OF[event.type])) this.queue.push(waiting);
    }
  }

  private isWanted(place: Place, channel: UserChannel): boolean {
    const had = this.had.get(channel);
    return had !== undefined && isAfter(place, had);
  }

  /** Sends the next events, unless others are on their way or the client has much to read. */
  private send(): void {
    if (this.making.length > 0) return;
    if (this.queue.length === 0) {
      this.goOnReading();
      return;
    }
    if (!this.findsRoom()) return;
    this.making = this.queue.slice(0, EVENTS_AT_ONCE);
    this.queue = this.queue.slice(EVENTS_AT_ONCE);
    const { run } = this;
    const texts = this.parts.rows.textsOf(this.making.map(({ event }) => event));
    if (!(texts instanceof Promise)) this.write(texts);
    else {
      texts.then(
        (durable) => {
          if (run === this.run) this.write(durable);
        },
        () => {
          if (run === this.run) this.tryAgain();
        },
      );
    }
  }

  private write(texts: readonly string[]): void {
    const { making, run } = this;
    const { clock, figures } = this.parts;
    for (const [place, text] of texts.entries()) {
      const waiting = making[place];
      if (waiting !== undefined) this.writeOne(waiting, text);
    }
    const live = making.flatMap(({ durableAt }) => durableAt ?? []);
    if (live.length > 0) figures.delays.written(live, () => clock.elapsed());
    this.making = [];
    if (this.queue.length === 0) this.goOnReading();
    else {
      clock.laterTurn(() => {
        if (run === this.run) this.send();
      });
    }
  }

  private writeOne(waiting: Waiting, text: string): void {
    const { seq, index, at, event } = waiting;
    if (event.type === 'day') {
      this.gap({ seq, index: WHOLE });
      return;
    }
    const channel = CHANNEL_OF[event.type];
    if (!this.isWanted(waiting, channel)) return;
    this.had.set(channel, { seq, index });
    if (text === '') return;
    const head = `"seq":"${placeText({ seq, index })}","at":"${formatStreamTime(at)}"`;
    const frame = `{"type":"${event.type}",${head},"data":${text}}`;
    this.socket.send(frame);
    if (event.type === 'order' && this.parts.rows.isDoubled(event.order)) this.socket.send(frame);
  }

  /** The rows could not be read: more answers wait for the disk than there is room for. */
  private tryAgain(): void {
    const { run } = this;
    this.queue = [...this.making, ...this.queue];
    this.making = [];
    this.parts.clock.after(AGAIN_MS, () => {
      if (run === this.run) this.send();
    });
  }

  /** The client's books are those of another day, or its events are too long ago: it has to read them again. */
  private gap(place: Place): void {
    const channels = [...this.had].filter(([, had]) => isAfter(place, had)).map(([channel]) => channel);
    if (channels.length === 0) return;
    for (const channel of channels) this.had.set(channel, place);
    this.socket.send(gapText(channels, place));
  }

  /** Asks the feed for more when the client has room for it. */
  private goOnReading(): void {
    const { askMore } = this;
    if (askMore === undefined || !this.findsRoom()) return;
    this.askMore = undefined;
    this.parts.clock.laterTurn(askMore);
  }

  private findsRoom(): boolean {
    if (hasRoom(this.socket)) return true;
    if (this.stopStall === undefined) this.watchForStall();
    return false;
  }

  /** Closes the socket when its client takes nothing for a time. One that takes a part is given that time again. */
  private watchForStall(): void {
    const { socket } = this;
    const before = socket.waiting;
    this.stopStall = this.parts.clock.after(STALL_MS, () => {
      if (socket.waiting < before) this.watchForStall();
      else socket.close(CLOSE.tooSlow, 'events wait too long to be read');
    });
  }
}

/** The frame that says from where on the channels have to be read again. */
export function gapText(channels: readonly UserChannel[], place: Place): string {
  return `{"type":"gap","channels":${JSON.stringify(channels)},"seq":"${placeText(place)}"}`;
}
