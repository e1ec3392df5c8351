import type { EpochMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import { encodeRecord } from '../journal/codec.ts';
import type { Group } from '../journal/journal.ts';
import { RECORD_VERSION } from '../journal/record.ts';

/** The records that are applied and wait for the next commit. */
export class OpenGroup {
  private firstSeq = 0;
  private count = 0;
  private body = '';

  /** How many records it has. */
  get size(): number {
    return this.count;
  }

  add(seq: number, at: EpochMs, command: Command, events: readonly Event[]): void {
    if (this.count === 0) this.firstSeq = seq;
    this.body += encodeRecord(seq, at, command, events);
    this.count += 1;
  }

  /** The group as it is; this one is empty afterwards. */
  take(): Group {
    const group = { version: RECORD_VERSION, firstSeq: this.firstSeq, count: this.count, body: this.body };
    this.count = 0;
    this.body = '';
    return group;
  }
}
