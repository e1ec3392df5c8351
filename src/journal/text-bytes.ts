/** Room that the first texts find; more is made when they need it, and stays. In bytes. */
const FIRST_ROOM = 64 * 1024;
/** Room that comes back larger than this, as after a burst, is not kept. In bytes. */
const MOST_SPARE = 4 * 1024 * 1024;
/** The most bytes that a unit of a text takes, by how it is written. */
const MOST_UNIT_BYTES = { utf8: 3, latin1: 1 } as const;

/** Texts one after the other, as bytes from the beginning: one long string would have to be copied together again. */
export class TextBytes {
  private room: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(FIRST_ROOM);
  private end = 0;
  /**
   * Room that stands by for the next taking, since fresh memory costs more than filling it: memory that came back, or
   * nothing but the room itself.
   */
  private spare = this.room;

  /** In bytes. */
  get length(): number {
    return this.end;
  }

  /** Adds a text and its end byte. */
  add(text: string, encoding: keyof typeof MOST_UNIT_BYTES, endByte: number): void {
    this.ensure(this.end + text.length * MOST_UNIT_BYTES[encoding] + 1);
    this.end += this.room.write(text, this.end, encoding);
    this.room[this.end] = endByte;
    this.end += 1;
  }

  /** Takes the first `length` bytes away: together with their memory when other memory is ready, else as a copy. */
  take(length: number): Uint8Array<ArrayBuffer> {
    const { room, end } = this;
    const next = this.spare.length < end - length ? room : this.spare;
    const taken = next === room ? new Uint8Array(room.subarray(0, length)) : room.subarray(0, length);
    room.copy(next, 0, length, end);
    this.room = next;
    this.end = end - length;
    return taken;
  }

  /** Takes back memory whose bytes nobody reads any more. It is kept when its size is useful. */
  giveBack(memory: ArrayBuffer): void {
    if (memory.byteLength >= FIRST_ROOM && memory.byteLength <= MOST_SPARE) this.spare = Buffer.from(memory);
  }

  /** Takes everything away. The next bytes that are added overwrite those that were given. */
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
