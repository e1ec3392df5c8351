/** A write has room for this number of bytes at least, so that one room serves most writes. */
const LEAST_ROOM = 64 * 1024;

/** The frames that one socket holds back, to leave in one write. */
export class HeldFrames {
  private readonly frames: Buffer[] = [];
  private count = 0;

  /** The bytes of all frames. */
  get bytes(): number {
    return this.count;
  }

  add(frame: Buffer): void {
    this.frames.push(frame);
    this.count += frame.length;
  }

  /** Room for all frames: the one that is there when it is large enough. */
  roomFor(room: Buffer | undefined): Buffer {
    return room !== undefined && room.length >= this.count
      ? room
      : Buffer.allocUnsafeSlow(Math.max(this.count, LEAST_ROOM));
  }

  /** All frames one after the other, as they lie in the beginning of a room. */
  joinIn(room: Buffer): Buffer {
    let at = 0;
    for (const frame of this.frames) {
      room.set(frame, at);
      at += frame.length;
    }
    return room.subarray(0, at);
  }

  clear(): void {
    this.frames.length = 0;
    this.count = 0;
  }
}
