/**
 * The subscriptions of one socket to one kind of frame. References are counted: a client may subscribe to a token
 * several times and unsubscribe once. Latest wins: a client that reads slowly gets the newest look at each instrument.
 */

import type { InstrumentId } from '../../base/ids.ts';
import type { Sight, Watch } from '../sockets/market-watch.ts';
import type { OpenSocket } from '../sockets/open-socket.ts';
import { hasRoom } from '../sockets/room.ts';
import type { SocketFigures } from '../sockets/socket-figures.ts';
import type { TextFrame } from '../sockets/text-frame.ts';

/** Instruments that one socket may subscribe to; more are not taken, in silence. */
const MOST_INSTRUMENTS = 5_000;

export interface FeedParts {
  readonly socket: OpenSocket;
  readonly watch: Watch;
  readonly figures: SocketFigures;
  /** The frame of a look, the same function for all sockets; `undefined` where the instrument has none. */
  readonly make: (sight: Sight) => TextFrame | undefined;
}

export class Feed {
  private readonly parts: FeedParts;
  /** How often each instrument is subscribed to. */
  private readonly counts = new Map<InstrumentId, number>();
  /** Looks that the client could not be sent yet. */
  private readonly behind = new Map<InstrumentId, Sight>();
  private isOpen = false;

  constructor(parts: FeedParts) {
    this.parts = parts;
  }

  /** Begins to send. Looks that came before have waited for it. */
  open(): void {
    this.isOpen = true;
    this.catchUp();
  }

  /** Subscribes; the answer is a whole frame, also when the instrument is subscribed to already. */
  add(id: InstrumentId): void {
    const count = this.counts.get(id) ?? 0;
    if (count === 0 && this.counts.size >= MOST_INSTRUMENTS) return;
    if (!this.parts.watch.watch(id, this.onSight)) return;
    if (count === 0) this.parts.figures.subscriptions += 1;
    this.counts.set(id, count + 1);
  }

  remove(id: InstrumentId): void {
    const count = this.counts.get(id);
    if (count === undefined) return;
    if (count > 1) this.counts.set(id, count - 1);
    else this.drop(id);
  }

  end(): void {
    for (const id of this.counts.keys()) this.drop(id);
  }

  /** Sends the looks that wait, as far as the client takes them. */
  catchUp(): void {
    const { socket } = this.parts;
    if (!this.isOpen) return;
    for (const [id, sight] of this.behind) {
      if (!hasRoom(socket)) return;
      this.behind.delete(id);
      const frame = sight.shared(this.parts.make);
      if (frame !== undefined) socket.sendFrame(frame);
    }
  }

  private readonly onSight = (sight: Sight): void => {
    const { socket, figures, make } = this.parts;
    if (this.isOpen && this.behind.size === 0 && hasRoom(socket)) {
      const frame = sight.shared(make);
      if (frame !== undefined) socket.sendWithOthers(frame);
      return;
    }
    const { id } = sight.instrument;
    // The newest look takes the place of the one that waits, in the line of instruments.
    if (this.behind.has(id)) figures.conflated += 1;
    this.behind.set(id, sight);
    this.catchUp();
  };

  private drop(id: InstrumentId): void {
    this.counts.delete(id);
    this.behind.delete(id);
    this.parts.figures.subscriptions -= 1;
    this.parts.watch.unwatch(id, this.onSight);
  }
}
