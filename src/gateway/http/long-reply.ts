import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { Turns } from '../turns.ts';
import type { Room } from './answer-memory.ts';

/** As much as is handed to the system in one piece of work: to copy it takes a small part of a millisecond. */
const PIECE_BYTES = 128 * 1024;

/** A success that is too long to be sent in one turn of the event loop. */
export interface LongReply {
  readonly type: string;
  readonly pieces: readonly Buffer[];
  /** Bytes of all pieces. */
  readonly length: number;
  /** The memory that it takes until its client has read it. */
  readonly room: Room;
  /** Names and values in turn, beside those of every response. */
  readonly headers?: readonly string[];
  /** How long stores may keep it, in the words of `Cache-Control`; nowhere when absent. */
  readonly cache?: string;
}

/**
 * Sends long replies piece by piece, each in a turn of its client and when the piece before it has left: only the
 * system holds bytes that are not read.
 */
export class LongSends {
  private readonly turns: Turns;

  constructor(turns: Turns) {
    this.turns = turns;
  }

  /**
   * Writes the body to a stream of the connection. `done` is called when all of it was taken, never when the connection
   * ends before.
   */
  send(stream: Writable, socket: Socket, { pieces, room }: LongReply, done: () => void): void {
    const rest = smallPiecesOf(pieces);
    room.waitFor(socket);
    const goOn = (): void => this.turns.take(room.client, step);
    const step = (): void => {
      if (socket.destroyed) return;
      const next = rest.next();
      if (next.done) {
        room.giveBack();
        done();
      } else if (stream.write(next.value)) goOn();
      else stream.once('drain', goOn);
    };
    goOn();
  }
}

function* smallPiecesOf(pieces: readonly Buffer[]): Generator<Buffer, undefined> {
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += PIECE_BYTES) yield piece.subarray(from, from + PIECE_BYTES);
  }
}
