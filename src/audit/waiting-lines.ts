import { END_OF_LINE } from './line.ts';

/** Room that the first lines find; more is made when they need it, and stays. In bytes. */
const FIRST_ROOM = 64 * 1024;

/** Bodies of lines that wait for the records of the journal that they name, in order, as bytes: see `bodiesOf`. */
export class WaitingLines {
  private room = Buffer.allocUnsafeSlow(FIRST_ROOM);
  /** Of each line: where it ends, and the record that it waits for; 0 for none. */
  private ends: number[] = [];
  private seqs: number[] = [];

  /** `body` is ASCII. */
  add(body: string, seq: number): void {
    const start = this.ends.at(-1) ?? 0;
    const end = start + body.length + 1;
    this.ensure(end);
    this.room.write(body, start, 'latin1');
    this.room[end - 1] = END_OF_LINE;
    this.ends.push(end);
    this.seqs.push(seq);
  }

  /** Takes the lines away that stand before the first which names a record after `seq`; `undefined` when there are none. */
  take(seq: number): Uint8Array<ArrayBuffer> | undefined {
    const late = this.seqs.findIndex((needed) => needed > seq);
    const count = late < 0 ? this.seqs.length : late;
    if (count === 0) return undefined;
    const end = this.ends[count - 1] ?? 0;
    const taken = new Uint8Array(this.room.subarray(0, end));
    this.room.copyWithin(0, end, this.ends.at(-1));
    this.ends = this.ends.slice(count).map((other) => other - end);
    this.seqs = this.seqs.slice(count);
    return taken;
  }

  private ensure(bytes: number): void {
    if (bytes <= this.room.length) return;
    const more = Buffer.allocUnsafeSlow(Math.max(bytes, this.room.length * 2));
    this.room.copy(more);
    this.room = more;
  }
}
