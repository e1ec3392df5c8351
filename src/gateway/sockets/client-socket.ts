/**
 * One WebSocket of a client: its texts in both directions, its pings, its bounds and its end. The protocol itself is
 * that of the package `ws`; texts are written as frames past it, since a frame may be made once for many sockets.
 */

import type { Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { AccountId } from '../../base/ids.ts';
import { SECOND_MS } from '../../base/time.ts';
import type { CountedConnection } from '../http/connections/connection-gate.ts';
import type { Turns } from '../turns.ts';
import { HeldFrames } from './held-frames.ts';
import { Inbound, type TextListener } from './inbound.ts';
import { CLOSE, type OpenSocket } from './open-socket.ts';
import type { Outbound } from './outbound.ts';
import type { SocketClock } from './socket-clock.ts';
import type { CutReason, SocketFigures } from './socket-figures.ts';
import type { SocketLimits } from './socket-limits.ts';
import { type TextFrame, textFrame } from './text-frame.ts';

/** The code of `ws` for a text above the bound. */
const TOO_LARGE_BY_RFC = 1009;
/** The names of its errors. */
const BY_PACKAGE = 'WS_ERR_';
const TOO_LARGE_BY_PACKAGE = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';

/** As `ws` has it, but a text above the bound closes the socket with our own code. */
export class ProtocolSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    if (code === TOO_LARGE_BY_RFC) super.close(CLOSE.tooLarge, 'the frame is too large');
    else super.close(code, reason);
  }
}

/** The parts that all sockets share. */
export interface SharedParts {
  readonly turns: Turns;
  readonly clock: SocketClock;
  readonly limits: SocketLimits;
  readonly figures: SocketFigures;
  readonly outbound: Outbound;
  /** The socket has ended, and its connection with it. */
  forget(socket: ClientSocket): void;
}

export class ClientSocket implements OpenSocket {
  readonly address: string;
  readonly stream: Socket;
  readonly held = new HeldFrames();
  private readonly protocol: WebSocket;
  private readonly counted: CountedConnection;
  private readonly parts: SharedParts;
  private readonly closeListeners: (() => void)[] = [];
  private readonly inbound: Inbound;
  private account: AccountId | undefined;
  private drainListener: () => void = () => undefined;
  /** When the client was last known to live: by the upgrade, then by its answers to pings. */
  private answeredAt: number;
  private pingedAt: number | undefined;
  private endingSince: number | undefined;
  /** Frames that the client may send now. */
  private frames: number;
  private framesAt: number;

  constructor(protocol: WebSocket, stream: Socket, address: string, counted: CountedConnection, parts: SharedParts) {
    this.protocol = protocol;
    this.stream = stream;
    this.address = address;
    this.counted = counted;
    this.parts = parts;
    this.inbound = new Inbound({
      turns: parts.turns,
      client: () => this.account ?? address,
      pause: () => protocol.pause(),
      resume: () => protocol.resume(),
    });
    this.answeredAt = parts.clock.elapsed();
    this.framesAt = this.answeredAt;
    this.frames = parts.limits.framesAtOnce;
    protocol.on('message', (data: Buffer, isBinary) => this.onMessage(data, isBinary));
    protocol.on('ping', () => this.allowsFrame());
    protocol.on('pong', () => this.onPong());
    protocol.on('error', (error) => this.onBroken(error));
    protocol.on('close', () => this.onEnded());
    stream.on('drain', () => this.onStreamDrain());
  }

  get waiting(): number {
    return this.stream.writableLength + this.held.bytes;
  }

  send(text: string): void {
    if (this.endingSince === undefined) this.sendFrame(textFrame(text));
  }

  sendFrame(frame: TextFrame): void {
    if (this.counts(frame)) this.parts.outbound.write(this, frame.bytes);
  }

  sendWithOthers(frame: TextFrame): void {
    if (this.counts(frame)) this.parts.outbound.hold(this, frame.bytes);
  }

  /** Counts what is to be sent; false when it is not, since the socket is ending. */
  private counts({ bytes, count }: TextFrame): boolean {
    if (this.endingSince !== undefined || this.protocol.readyState !== WebSocket.OPEN) return false;
    const { figures } = this.parts;
    figures.frames += count;
    figures.bytes += bytes.length;
    return true;
  }

  close(code: number, reason: string): void {
    if (this.endingSince !== undefined) return;
    this.parts.outbound.letGo(this);
    this.protocol.close(code, reason);
    this.beginToEnd();
  }

  drop(): void {
    this.protocol.terminate();
    this.beginToEnd();
  }

  belongTo(account: AccountId): boolean {
    const hasRoom = this.counted.belongTo(account);
    if (hasRoom) this.account = account;
    return hasRoom;
  }

  onText(listener: TextListener): void {
    this.inbound.listener = listener;
  }

  onDrain(listener: () => void): void {
    this.drainListener = listener;
  }

  onClose(listener: () => void): void {
    this.closeListeners.push(listener);
  }

  endSlow(): void {
    this.endFor('slow', CLOSE.tooSlow, 'too much is waiting to be read');
  }

  /** Cuts the connection: a close frame would stand after all that waits. */
  endForMemory(): void {
    this.cut('memory');
  }

  /** Pings the client, or cuts it off when it owes an answer for too long. */
  look(now: number): void {
    const { pingEveryMs, pongWithinMs, closeWithinMs } = this.parts.limits;
    if (this.endingSince !== undefined) {
      if (now - this.endingSince >= closeWithinMs) this.cut('ending');
    } else if (this.pingedAt !== undefined) {
      // While it is not read because its texts wait, its answer may wait behind them.
      if (now - this.pingedAt >= pongWithinMs && !this.protocol.isPaused) this.cut('silent');
    } else if (now - this.answeredAt >= pingEveryMs) {
      this.pingedAt = now;
      this.protocol.ping();
    }
  }

  /** Ends the connection at once. */
  cut(reason: CutReason): void {
    this.parts.figures.cutOff[reason] += 1;
    this.protocol.terminate();
    this.beginToEnd();
  }

  private onMessage(data: Buffer, isBinary: boolean): void {
    if (this.endingSince !== undefined || !this.allowsFrame()) return;
    if (isBinary) {
      this.endFor('binary', CLOSE.binary, 'only texts are taken');
      return;
    }
    this.parts.figures.received += 1;
    this.inbound.take(data.toString());
  }

  /** Counts a frame of the client; false when it was one too many, and the socket is closing. */
  private allowsFrame(): boolean {
    const { clock, limits } = this.parts;
    const now = clock.elapsed();
    const earned = ((now - this.framesAt) / SECOND_MS) * limits.framesPerSecond;
    this.frames = Math.min(limits.framesAtOnce, this.frames + earned) - 1;
    this.framesAt = now;
    if (this.frames >= 0) return true;
    this.endFor('frames', CLOSE.tooManyFrames, 'too many frames in a second');
    return false;
  }

  private onPong(): void {
    if (!this.allowsFrame()) return;
    this.pingedAt = undefined;
    this.answeredAt = this.parts.clock.elapsed();
  }

  /** The client broke the protocol, which has closed the socket with a code by then, or its connection broke. */
  private onBroken(error: Error): void {
    const code = 'code' in error ? String(error.code) : '';
    if (code === TOO_LARGE_BY_PACKAGE) this.parts.figures.cutOff.tooLarge += 1;
    else if (code.startsWith(BY_PACKAGE)) this.parts.figures.cutOff.protocol += 1;
    this.beginToEnd();
  }

  private onStreamDrain(): void {
    if (this.endingSince === undefined) this.drainListener();
  }

  private endFor(reason: CutReason, code: number, words: string): void {
    if (this.endingSince !== undefined) return;
    this.parts.figures.cutOff[reason] += 1;
    this.close(code, words);
  }

  private beginToEnd(): void {
    if (this.endingSince !== undefined) return;
    this.endingSince = this.parts.clock.elapsed();
    this.parts.outbound.drop(this);
    this.inbound.end();
    for (const listener of this.closeListeners) listener();
  }

  private onEnded(): void {
    this.beginToEnd();
    this.parts.outbound.forget(this);
    this.parts.forget(this);
  }
}
