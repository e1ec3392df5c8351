/**
 * The events that are the same for everybody: the time of the market with the phase of each exchange, and the state of
 * the service. They are made once for all sockets.
 */

import { SECOND_MS } from '../../base/time.ts';
import type { GatewayParts } from '../deps.ts';
import { MARKET_STATUS, marketStatusOf } from '../endpoints/market/market-status.ts';
import { compileWriter } from '../fields/writer.ts';
import type { OpenSocket } from '../sockets/open-socket.ts';
import { hasRoom } from '../sockets/room.ts';
import type { SocketClock } from '../sockets/socket-clock.ts';
import { type TextFrame, textFrame } from '../sockets/text-frame.ts';

/** How often the exchanges are looked at, and how often their status is sent although no phase has changed. */
const LOOK_MS = 250;
const REPEAT_MS = 5 * SECOND_MS;
/** The same for a market that runs faster than the wall: minutes of it pass in a second. */
const FAST_REPEAT_MS = SECOND_MS;
/**
 * Sockets that are sent the time in one turn of the event loop. Their bytes leave as the turn ends, about 10
 * microseconds each: together 2 milliseconds.
 */
const SOCKETS_AT_ONCE = 200;

const writeStatus = compileWriter(MARKET_STATUS);
const writePhases = compileWriter(MARKET_STATUS.properties.exchanges);

export interface CommonParts extends Pick<GatewayParts, 'engine' | 'market'> {
  readonly clock: SocketClock;
}

/** The status of the exchanges as a frame, with the parts of it whose change is sent at once. */
interface ClockFrame {
  readonly text: string;
  readonly sentAtOnce: string;
  readonly repeatMs: number;
}

/**
 * Sends the time of the market to sockets: at each change of a phase or of the speed, at each step of a clock that
 * stands still, and every few seconds.
 */
export class ClockEvents {
  private readonly parts: CommonParts;
  private readonly sockets = new Set<OpenSocket>();
  /** The sockets that are to be sent the newest time. */
  private readonly due = new Set<OpenSocket>();
  private newest: TextFrame | undefined;
  private lastSent = '';
  private sentAt = 0;
  private stopLooking: (() => void) | undefined;

  constructor(parts: CommonParts) {
    this.parts = parts;
  }

  /** The first event comes at once. */
  add(socket: OpenSocket): void {
    this.sockets.add(socket);
    this.stopLooking ??= this.parts.clock.every(LOOK_MS, () => this.look());
    this.withFrame(({ text }) => {
      if (!this.sockets.has(socket)) return;
      // The one that is on its way is older.
      this.due.delete(socket);
      socket.send(text);
    });
  }

  delete(socket: OpenSocket): void {
    this.sockets.delete(socket);
    this.due.delete(socket);
    if (this.sockets.size > 0) return;
    this.stopLooking?.();
    this.stopLooking = undefined;
  }

  /** Sends the time if it has news, or is due again. */
  look(): void {
    this.withFrame(({ text, sentAtOnce, repeatMs }) => {
      const now = this.parts.clock.elapsed();
      if (sentAtOnce === this.lastSent && now - this.sentAt < repeatMs) return;
      this.lastSent = sentAtOnce;
      this.sentAt = now;
      this.newest = textFrame(text);
      const isSending = this.due.size > 0;
      for (const socket of this.sockets) this.due.add(socket);
      if (!isSending) this.sendSome();
    });
  }

  /** Sends the newest time to the next sockets. The one after it says all that a slow client does not get here. */
  private sendSome(): void {
    let left = SOCKETS_AT_ONCE;
    for (const socket of this.due) {
      this.due.delete(socket);
      if (this.newest !== undefined && hasRoom(socket)) socket.sendFrame(this.newest);
      left -= 1;
      if (left === 0) break;
    }
    if (this.due.size > 0) this.parts.clock.laterTurn(() => this.sendSome());
  }

  private withFrame(use: (frame: ClockFrame) => void): void {
    const { engine } = this.parts;
    const made = engine.read((state): ClockFrame => {
      const status = marketStatusOf(this.parts, state);
      const { speed, marketTime, exchanges } = status;
      // A step may begin and end between two looks: its time alone shows that it was.
      const stands = speed === '0' ? marketTime : '';
      return {
        text: `{"type":"clock","data":${writeStatus(status)}}`,
        sentAtOnce: `${speed} ${stands} ${writePhases(exchanges)}`,
        repeatMs: speed === 'max' || Number(speed) > 1 ? FAST_REPEAT_MS : REPEAT_MS,
      };
    });
    // Where too many answers wait for the disk, the next look brings the frame.
    if (made instanceof Promise) made.then(use, () => undefined);
    else use(made);
  }
}

/** Sends the state of the service to sockets: at once, and when it is about to end. */
export class StatusEvents {
  private readonly sockets = new Set<OpenSocket>();

  add(socket: OpenSocket): void {
    this.sockets.add(socket);
    socket.send(statusText('open'));
  }

  delete(socket: OpenSocket): void {
    this.sockets.delete(socket);
  }

  /** The service takes no more commands, and its sockets are about to be closed. */
  drain(): void {
    const frame = textFrame(statusText('draining'));
    for (const socket of this.sockets) socket.sendFrame(frame);
  }
}

function statusText(state: 'open' | 'draining'): string {
  return `{"type":"status","data":{"state":"${state}"}}`;
}
