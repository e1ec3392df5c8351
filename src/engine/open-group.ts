import type { EpochMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import { encodeGroup, encodeRecord, RECORD_END } from '../journal/codec.ts';
import type { Group } from '../journal/journal.ts';

/** Room that the first records find; more is made when they need it, and stays. In bytes. */
const FIRST_ROOM = 64 * 1024;
/** What a unit of a text takes in UTF-8 at most. In bytes. */
const MOST_UNIT_BYTES = 3;
const END_BYTE = RECORD_END.charCodeAt(0);

/** The records that are applied and wait for the next commit, as bytes from the beginning: a text of all would have to be copied together again. */
export class OpenGroup {
  private firstSeq = 0;
  private count = 0;
  private room = Buffer.allocUnsafeSlow(FIRST_ROOM);
  private length = 0;

  /** How many records it has. */
  get size(): number {
    return this.count;
  }

  add(seq: number, at: EpochMs, command: Command, events: readonly Event[]): void {
    if (this.count === 0) this.firstSeq = seq;
    const text = encodeRecord(seq, at, command, events);
    this.ensure(this.length + text.length * MOST_UNIT_BYTES + 1);
    this.length += this.room.write(text, this.length, 'utf8');
    this.room[this.length] = END_BYTE;
    this.length += 1;
    this.count += 1;
  }

  /** The group as it is; this one is empty afterwards. */
  take(): Group {
    const group = encodeGroup(this.firstSeq, this.count, Buffer.copyBytesFrom(this.room, 0, this.length));
    this.count = 0;
    this.length = 0;
    return group;
  }

  private ensure(bytes: number): void {
    if (bytes <= this.room.length) return;
    const more = Buffer.allocUnsafeSlow(Math.max(bytes, this.room.length * 2));
    this.room.copy(more, 0, 0, this.length);
    this.room = more;
  }
}
