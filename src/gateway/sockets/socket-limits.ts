/** The bounds of WebSockets. Times in milliseconds. */

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

export interface SocketLimits {
  /** A socket is pinged this long after its last answer. */
  readonly pingEveryMs: number;
  /** A socket that does not answer a ping within this time is cut off. */
  readonly pongWithinMs: number;
  /** A client that does not answer a close frame within this time is cut off. */
  readonly closeWithinMs: number;
  /** A longer text of a client closes its socket. In bytes. */
  readonly textBytes: number;
  /** The most that one socket may have waiting for its client, and all sockets together. In bytes. */
  readonly waitingBytes: number;
  readonly waitingBytesOfAll: number;
  /** Frames of a client: this number in a second for ever, and this number at once after a rest. More close it. */
  readonly framesPerSecond: number;
  readonly framesAtOnce: number;
  /** Instruments that are watched over all sockets. */
  readonly instruments: number;
}

/** Some clients subscribe to hundreds of instruments with one frame each. Source: docs/stream.md. */
export const SOCKET_LIMITS: SocketLimits = {
  pingEveryMs: 25_000,
  pongWithinMs: 10_000,
  closeWithinMs: 2_000,
  textBytes: 64 * KIBIBYTE,
  waitingBytes: MEBIBYTE,
  waitingBytesOfAll: 64 * MEBIBYTE,
  framesPerSecond: 100,
  framesAtOnce: 5_000,
  instruments: 20_000,
};
