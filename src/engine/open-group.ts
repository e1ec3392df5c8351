import type { EpochMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import { encodeGroup, encodeRecord } from '../journal/codec.ts';
import type { Group } from '../journal/journal.ts';

/** The records that are applied and wait for the next commit. */
export class OpenGroup {
  private firstSeq = 0;
  private count = 0;
  private text = '';

  /** How many records it has. */
  get size(): number {
    return this.count;
  }

  add(seq: number, at: EpochMs, command: Command, events: readonly Event[]): void {
    if (this.count === 0) this.firstSeq = seq;
    this.text += encodeRecord(seq, at, command, events);
    this.count += 1;
  }

  /** The group as it is; this one is empty afterwards. */
  take(): Group {
    const group = encodeGroup(this.firstSeq, this.count, this.text);
    this.count = 0;
    this.text = '';
    return group;
  }
}
