/**
 * The audit trail of a member of a cluster. A record goes to the trail only when the files of this member have it, so
 * the trail never says more than they do; the lane, which makes records durable, is ahead of them.
 */

import type { Subscriber } from '../../engine/feed/durable-feed.ts';
import type { DurableRecord, UnrecordedDecision } from '../../engine/feed/durable-record.ts';

/** Hands records over in portions, so that no turn of the loop is long. */
const AT_A_TIME = 2_000;

export class ArchivedTrail implements Subscriber {
  private readonly trail: Subscriber;
  private readonly archived: () => number;
  private waiting: DurableRecord[] = [];

  /** `archived`: the last record that the files have. */
  constructor(trail: Subscriber, archived: () => number) {
    this.trail = trail;
    this.archived = archived;
  }

  take(records: readonly DurableRecord[]): void {
    for (const record of records) this.waiting.push(record);
  }

  unrecorded(decision: UnrecordedDecision): void {
    this.trail.unrecorded?.(decision);
  }

  lost(error: Error): void {
    this.trail.lost(error);
  }

  /** Hands over what the files have by now: called now and then. True when more of it is left. */
  handOver(most = AT_A_TIME): boolean {
    const end = this.archived();
    let count = 0;
    while (count < most && count < this.waiting.length && (this.waiting[count]?.seq ?? end) <= end) count += 1;
    if (count === 0) return false;
    void this.trail.take(this.waiting.slice(0, count));
    this.waiting = this.waiting.slice(count);
    return (this.waiting[0]?.seq ?? Number.POSITIVE_INFINITY) <= end;
  }
}
