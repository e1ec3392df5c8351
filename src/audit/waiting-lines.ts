import { TextBytes } from '../journal/text-bytes.ts';
import { END_OF_LINE } from './line.ts';

/** Bodies of lines that wait for the records of the journal that they name, in order, as bytes: see `bodiesOf`. */
export class WaitingLines {
  private readonly bytes = new TextBytes();
  /** Of each line: where it ends, and the record that it waits for; 0 for none. */
  private ends: number[] = [];
  private seqs: number[] = [];

  /** Bytes of the lines that wait. */
  get length(): number {
    return this.bytes.length;
  }

  /** `body` is ASCII. */
  add(body: string, seq: number): void {
    this.bytes.add(body, 'latin1', END_OF_LINE);
    this.ends.push(this.bytes.length);
    this.seqs.push(seq);
  }

  /** Takes the lines away that stand before the first which names a record after `seq`; `undefined` when there are none. */
  take(seq: number): Uint8Array<ArrayBuffer> | undefined {
    const late = this.seqs.findIndex((needed) => needed > seq);
    const count = late < 0 ? this.seqs.length : late;
    if (count === 0) return undefined;
    const end = this.ends[count - 1] ?? 0;
    this.ends = this.ends.slice(count).map((other) => other - end);
    this.seqs = this.seqs.slice(count);
    return this.bytes.take(end);
  }

  /** Gets the memory back of lines that were taken and that nobody reads any more. */
  giveBack(room: ArrayBuffer): void {
    this.bytes.giveBack(room);
  }
}
