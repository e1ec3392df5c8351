import type { Failure } from './fields/envelope.ts';
import type { Room } from './http/answer-memory.ts';

/** A whole response body of a success, or why there is none. */
export type Answer = string | LongAnswer | Failure;

/**
 * Items of a list as JSON: a text with commas between them, or bytes with a comma in front of each, which are sent as
 * they are and never changed.
 */
export type Items = string | Buffer;

/**
 * A success whose data are a list that is made piece by piece, in turns of its client. Its memory was counted before.
 */
export class LongAnswer {
  readonly room: Room;
  readonly pieces: Buffer[];
  private bytes: number;
  private isEmpty = true;

  /** `head`: the text in front of the list. */
  constructor(room: Room, head: string) {
    const first = Buffer.from(`${head}[`);
    this.room = room;
    this.pieces = [first];
    this.bytes = first.length;
  }

  get length(): number {
    return this.bytes;
  }

  /** Adds items. */
  add(items: Items): void {
    if (items.length === 0) return;
    if (typeof items !== 'string') this.push(this.isEmpty ? items.subarray(1) : items);
    else this.push(Buffer.from(this.isEmpty ? items : `,${items}`));
    this.isEmpty = false;
    if (this.bytes > this.room.bytes) this.room.become(this.bytes);
  }

  /** Nothing follows but `tail`, the text between the list and the end of the body. */
  end(tail: string): this {
    this.push(Buffer.from(`]${tail}}`));
    this.room.become(this.bytes);
    return this;
  }

  private push(piece: Buffer): void {
    this.pieces.push(piece);
    this.bytes += piece.length;
  }
}
