/**
 * A WebSocket of a client as its dialect sees it, and a dialect as the base sees it. The base (`sockets.ts`) opens and
 * ends sockets, counts them, pings them and bounds their memory; a dialect gives the texts their meaning.
 */

import type { IncomingMessage } from 'node:http';
import type { AccountId } from '../../base/ids.ts';
import type { Failure } from '../fields/envelope.ts';
import type { TextListener } from './inbound.ts';
import type { TextFrame } from './text-frame.ts';

/** One open WebSocket. Its methods do nothing once it is closing. */
export interface OpenSocket {
  /** The address of the client, in its one form. */
  readonly address: string;
  /** Bytes that were sent and that the client has not taken yet, those that are held back among them. */
  readonly waiting: number;
  /** Sends one text. A socket whose client takes too little of what was sent is cut off. */
  send(text: string): void;
  /** As `send`, of a frame that was made once for many sockets. */
  sendFrame(frame: TextFrame): void;
  /**
   * As `sendFrame`, of a look that is being handed out: it waits until the whole round of looks has been, so that its
   * frames leave in one write. All that is sent later leaves behind it.
   */
  sendWithOthers(frame: TextFrame): void;
  /** Begins to end the socket, with a close frame; nothing is sent after it. `reason`: at most 123 bytes. */
  close(code: number, reason: string): void;
  /** Ends the connection at once, without a close frame. */
  drop(): void;
  /** The socket counts as a connection of that account from now on; false when the account has no room for it. */
  belongTo(account: AccountId): boolean;
  /**
   * The texts of the client, each whole and in order, in turns of the account that the socket belongs to, or of its
   * address. The next text comes when the work that the listener gave for the one before is done. One listener.
   */
  onText(listener: TextListener): void;
  /** Called whenever the client has taken all that was sent, after some of it had to wait. One listener. */
  onDrain(listener: () => void): void;
  /** Called once, when the socket has begun to end, whoever ends it. Any number of listeners. */
  onClose(listener: () => void): void;
}

/** The meaning of the texts of some paths. */
export interface Dialect {
  /** Exact paths, without a query. */
  readonly paths: readonly string[];
  /** The failure that refuses the upgrade, as of a foreign origin; none when absent. */
  refusal?(request: IncomingMessage): Failure | undefined;
  /** Takes a socket that has just opened. `url`: the target of its request; the host of it means nothing. */
  open(socket: OpenSocket, url: URL): void;
  /** The service ends: its sockets are closed right after this. */
  ending?(): void;
  /** Looks at once at all that it looks at now and then. Resolves when that was sent. */
  settle?(): Promise<void>;
}

/** Why a socket is closed, by the code that its client sees. 1000 to 1015 as in RFC 6455, 4000 to 4999 our own. */
export const CLOSE = {
  serviceEnds: 1001,
  binary: 1003,
  ourFailure: 1011,
  tryLater: 1013,
  tooSlow: 4008,
  notLoggedIn: 4401,
  noLogin: 4408,
  tooManySockets: 4409,
  tooLarge: 4413,
  tooManyFrames: 4429,
} as const;
