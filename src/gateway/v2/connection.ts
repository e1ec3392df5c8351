/** One socket of a user who is logged in, in the V2 dialect. */

import type { InstrumentId } from '../../base/ids.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { DialectParts } from '../sockets/dialect-parts.ts';
import type { TextWork } from '../sockets/inbound.ts';
import { CLOSE, type OpenSocket } from '../sockets/open-socket.ts';
import type { TextFrame } from '../sockets/text-frame.ts';
import { Feed, type FeedParts } from './feed.ts';
import { instrumentOf, type Wish, wishOf } from './wish.ts';

/**
 * For this time after the first frame orders and positions are held back: one client drops everything for half a
 * second. In milliseconds. Source: docs/stream.md.
 */
const HOLD_MS = 600;
/** More frames of orders and positions than this are not held: the client has to come again. */
const MOST_HELD = 10_000;

/** The frames of looks, the same functions for all sockets of a kind. */
export interface FrameMakers {
  readonly market: FeedParts['make'];
  readonly greeks: FeedParts['make'];
}

export class Connection {
  private readonly socket: OpenSocket;
  private readonly parts: DialectParts;
  private readonly market: Feed;
  private readonly greeks: Feed;
  /** Frames of orders and positions that are held back; `undefined` once they are sent as they come. */
  private held: TextFrame[] | undefined = [];
  private heldCount = 0;

  constructor(socket: OpenSocket, parts: DialectParts, makers: FrameMakers) {
    this.socket = socket;
    this.parts = parts;
    const { marketWatch: watch, figures } = parts;
    this.market = new Feed({ socket, watch, figures, make: makers.market });
    this.greeks = new Feed({ socket, watch, figures, make: makers.greeks });
    socket.onText((text) => this.onText(text));
    socket.onDrain(() => this.catchUp());
    socket.onClose(() => this.end());
  }

  /** The first frame has been sent: prices follow in writes of their own, orders and positions a little later. */
  begin(): void {
    const { clock } = this.parts;
    clock.laterTurn(() => {
      this.market.open();
      this.greeks.open();
    });
    clock.after(HOLD_MS, () => this.release());
  }

  /** Takes frames of orders and positions. */
  readonly take = (frame: TextFrame): void => {
    if (this.held === undefined) {
      this.socket.sendFrame(frame);
      return;
    }
    this.heldCount += frame.count;
    if (this.heldCount <= MOST_HELD) this.held.push(frame);
    else this.socket.close(CLOSE.tooSlow, 'more orders came than can be held');
  };

  private release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const frame of held) this.socket.sendFrame(frame);
  }

  private *onText(text: string): TextWork {
    const wish = wishOf(text);
    if (wish === undefined) return;
    for (const token of wish.tokens) {
      const id = instrumentOf(token);
      if (id !== undefined) this.carryOut(wish.action, id);
      yield;
    }
  }

  private carryOut(action: Wish['action'], id: InstrumentId): void {
    switch (action) {
      case 'subscribe':
        if (this.listed(id) !== undefined) this.market.add(id);
        return;
      case 'unsubscribe':
        return this.market.remove(id);
      case 'subscribe-option-greeks':
        if (this.listed(id)?.kind === 'option') this.greeks.add(id);
        return;
      default:
        return this.greeks.remove(id);
    }
  }

  private listed(id: InstrumentId): Instrument | undefined {
    const { instruments, engine } = this.parts;
    return instruments.listed(id, engine.now());
  }

  private catchUp(): void {
    this.market.catchUp();
    this.greeks.catchUp();
  }

  private end(): void {
    this.held = [];
    this.market.end();
    this.greeks.end();
  }
}
