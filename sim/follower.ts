import { assert } from '../src/base/assert.ts';
import type { DurableFeed, Subscriber, Subscription } from '../src/engine/feed/durable-feed.ts';
import type { DurableRecord } from '../src/engine/feed/durable-record.ts';
import { encodeRecord } from '../src/journal/codec.ts';
import type { StoredGroup } from '../src/journal/journal.ts';

/**
 * Follows the records of a service over all of its lives: in each it subscribes with the last number that it has. It
 * has to be handed every record that the journal has in the end, once, in order, as the journal has it, and after the
 * disk holds it.
 */
export class Follower implements Subscriber {
  private readonly texts: string[] = [];
  private readonly durableSeq: () => number;
  /** Has it go on later; absent for one that takes no time. */
  private readonly pause: ((goOn: () => void) => void) | undefined;
  private subscription: Subscription | undefined;

  constructor(durableSeq: () => number, pause?: (goOn: () => void) => void) {
    this.durableSeq = durableSeq;
    this.pause = pause;
  }

  /** The last record that it has. */
  get seq(): number {
    return this.texts.length;
  }

  join(feed: DurableFeed): void {
    const answer = feed.subscribe(this.seq, this);
    assert(answer.ok, `the journal still has record ${this.seq}, which a follower was handed`);
    this.subscription = answer.subscription;
  }

  take(records: readonly DurableRecord[]): void | Promise<void> {
    for (const { seq, at, command, events } of records) {
      assert(seq === this.seq + 1, `a follower is handed record ${seq} after record ${this.seq}`);
      const durable = this.durableSeq();
      if (seq > durable) throw new Error(`a follower is handed record ${seq}, the disk holds ${durable}`);
      this.texts.push(encodeRecord(seq, at, command, events));
    }
    assert(this.subscription === undefined || this.subscription.seq === this.seq, 'its place is behind what it has');
    return this.pause === undefined ? undefined : new Promise(this.pause);
  }

  lost(error: Error): void {
    throw error;
  }

  /** Compares what it has with the whole journal. */
  check(groups: Iterable<StoredGroup>): void {
    let at = 0;
    for (const { body } of groups) {
      for (const text of Buffer.from(body).toString('utf8').split('\n')) {
        if (text === '') continue;
        assert(text === this.texts[at], `record ${at + 1} is what a follower was handed`);
        at += 1;
      }
    }
    assert(at === this.seq, `a follower has ${this.seq} of ${at} records`);
  }
}
