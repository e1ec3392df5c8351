/** Room that the first texts find; more is made when they need it, and stays. In bytes. */
const FIRST_ROOM = 64 * 1024;
/** What a unit of a text takes at most, in bytes, by how it is written. */
const MOST_UNIT_BYTES = { utf8: 3, latin1: 1 } as const;

/** Texts one behind the other, as bytes from the beginning: a text of all would have to be copied together again. */
export class TextBytes {
  private room: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(FIRST_ROOM);
  private end = 0;
  /** A room that was taken and came back: fresh memory for each would cost more than what is put into it. */
  private spare: Buffer<ArrayBuffer> | undefined;

  /** In bytes. */
  get length(): number {
    return this.end;
  }

  /** Adds a text and, behind it, its end. */
  add(text: string, encoding: keyof typeof MOST_UNIT_BYTES, endByte: number): void {
    this.ensure(this.end + text.length * MOST_UNIT_BYTES[encoding] + 1);
    this.end += this.room.write(text, this.end, encoding);
    this.room[this.end] = endByte;
    this.end += 1;
  }

  /** Takes the first `length` bytes away, with the room that they are in. */
  take(length: number): Uint8Array<ArrayBuffer> {
    const { room, spare } = this;
    const rest = this.end - length;
    this.room =
      spare !== undefined && spare.length >= rest ? spare : Buffer.allocUnsafeSlow(Math.max(FIRST_ROOM, rest));
    this.spare = undefined;
    room.copy(this.room, 0, length, this.end);
    this.end = rest;
    return room.subarray(0, length);
  }

  /** Gets a room back that was taken and that nobody reads any more. */
  giveBack(room: ArrayBuffer): void {
    this.spare = Buffer.from(room);
  }

  /** Takes everything away. What is given is overwritten by what is added next. */
  takeAll(): Uint8Array<ArrayBuffer> {
    const taken = this.room.subarray(0, this.end);
    this.end = 0;
    return taken;
  }

  private ensure(bytes: number): void {
    if (bytes <= this.room.length) return;
    const more = Buffer.allocUnsafeSlow(Math.max(bytes, this.room.length * 2));
    this.room.copy(more, 0, 0, this.end);
    this.room = more;
  }
}
