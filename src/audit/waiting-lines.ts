/**
 * Lines of the audit trail on their way to the disk. Lines of records come when the records are durable. A line of
 * something else comes when it happens, and takes its place after the record that was the last decided one by then.
 */

import { TextBytes } from '../journal/text-bytes.ts';
import { END_OF_LINE } from './trail-line.ts';

/** A line without a record, and the record after which it belongs. */
interface Held {
  readonly body: string;
  readonly after: number;
}

/** Bodies of lines on their way to the disk, as bytes: see `bodiesOf`. */
export class WaitingLines {
  private readonly bytes = new TextBytes();
  private held: Held[] = [];
  private heldBytes = 0;
  /** The last record that came. */
  private seq: number;

  /** `seq`: the last record before those that come. */
  constructor(seq: number) {
    this.seq = seq;
  }

  /** Bytes of the lines that wait. */
  get length(): number {
    return this.bytes.length + this.heldBytes;
  }

  /**
   * A record is durable: the next one after the last that came. `body`, in ASCII, is its line; absent when it has none.
   */
  record(seq: number, body: string | undefined): void {
    if (body !== undefined) this.put(body);
    this.seq = seq;
    if (this.held.length > 0) this.release();
  }

  /** Something happened while the record `after` was the last decided one. `body` is ASCII. */
  note(body: string, after: number): void {
    if (after <= this.seq) {
      this.put(body);
      return;
    }
    this.held.push({ body, after });
    this.heldBytes += body.length + 1;
  }

  /** Takes the lines that have their place; `undefined` when there are none. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    const { length } = this.bytes;
    return length === 0 ? undefined : this.bytes.take(length);
  }

  /** Takes back the memory of lines that were taken and that nobody reads any more. */
  giveBack(room: ArrayBuffer): void {
    this.bytes.giveBack(room);
  }

  private release(): void {
    const late = this.held.findIndex(({ after }) => after > this.seq);
    const count = late < 0 ? this.held.length : late;
    for (const { body } of this.held.splice(0, count)) {
      this.heldBytes -= body.length + 1;
      this.put(body);
    }
  }

  private put(body: string): void {
    this.bytes.add(body, 'latin1', END_OF_LINE);
  }
}
