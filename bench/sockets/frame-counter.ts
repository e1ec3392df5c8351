/** FIN and the opcode of a ping, as the first byte of a frame. */
const PING = 0x89;
const LENGTH = 0x7f;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;

/** Counts the frames of a service on one connection by their heads alone, whatever pieces their bytes come in. */
export class FrameCounter {
  frames = 0;
  /** Of the texts, without their heads. */
  bytes = 0;
  pings = 0;
  /** Bytes of a text that are still to come. */
  private rest = 0;
  /** The beginning of a head whose end is still to come. */
  private head: Buffer | undefined;

  take(chunk: Buffer): void {
    let bytes = chunk;
    if (this.head !== undefined) {
      bytes = Buffer.concat([this.head, chunk]);
      this.head = undefined;
    }
    let at = 0;
    while (at < bytes.length) {
      if (this.rest > 0) {
        const step = Math.min(this.rest, bytes.length - at);
        this.rest -= step;
        at += step;
        continue;
      }
      const next = this.begin(bytes, at);
      if (next === undefined) {
        this.head = Buffer.from(bytes.subarray(at));
        return;
      }
      at = next;
    }
  }

  /** Reads the head of a frame. Gives the place after it; `undefined` where a part of it is still to come. */
  private begin(bytes: Buffer, at: number): number | undefined {
    const short = (bytes[at + 1] ?? 0) & LENGTH;
    const size = short === TWO_BYTES ? 4 : short === EIGHT_BYTES ? 10 : 2;
    if (at + size > bytes.length) return undefined;
    if (short === TWO_BYTES) this.rest = bytes.readUInt16BE(at + 2);
    else if (short === EIGHT_BYTES) this.rest = Number(bytes.readBigUInt64BE(at + 2));
    else this.rest = short;
    if (bytes[at] === PING) this.pings += 1;
    else {
      this.frames += 1;
      this.bytes += this.rest;
    }
    return at + size;
  }
}
