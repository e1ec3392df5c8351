import type { EpochMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import { encodeGroup, encodeRecord, RECORD_END } from '../journal/codec.ts';
import type { Group } from '../journal/journal.ts';
import { TextBytes } from '../journal/text-bytes.ts';

const END_BYTE = RECORD_END.charCodeAt(0);

/** The records that are applied and wait for the next commit. */
export class OpenGroup {
  private readonly bytes = new TextBytes();
  private firstSeq = 0;
  private count = 0;

  /** How many records it has. */
  get size(): number {
    return this.count;
  }

  add(seq: number, at: EpochMs, command: Command, events: readonly Event[]): void {
    if (this.count === 0) this.firstSeq = seq;
    this.bytes.add(encodeRecord(seq, at, command, events), 'utf8', END_BYTE);
    this.count += 1;
  }

  /** Takes the group as it is; this one is empty afterwards. Its body is valid until a record is added. */
  take(): Group {
    const group = encodeGroup(this.firstSeq, this.count, this.bytes.takeAll());
    this.count = 0;
    return group;
  }
}
