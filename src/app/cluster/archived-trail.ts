/**
 * The audit trail of a member of a cluster. A record goes to the trail only when the files of this member have it, so
 * the trail never says more than they do; the lane, which makes records durable, is ahead of them.
 */

import type { Subscriber } from '../../engine/feed/durable-feed.ts';
import type { DurableRecord, UnrecordedDecision } from '../../engine/feed/durable-record.ts';

/** Hands records over in portions, so that no turn of the loop is long. */
const AT_A_TIME = 2_000;
/** Records that the files have and the trail has not: a follower reads no more while there are this many. */
const MOST_READY = 20_000;

export interface ArchivedTrailParts {
  /** The last record that the files have. */
  readonly archived: () => number;
  /** False while the trail is behind with its own work. Always true when absent. */
  readonly hasRoom?: () => boolean;
  /** Does work in a later turn of the event loop; the process's own when absent. */
  readonly defer?: (work: () => void) => void;
}

export class ArchivedTrail implements Subscriber {
  private readonly trail: Subscriber;
  private readonly parts: ArchivedTrailParts;
  private waiting: DurableRecord[] = [];
  /** True while the rest of a portion is to follow in the next turn. */
  private goesOn = false;

  constructor(trail: Subscriber, parts: ArchivedTrailParts) {
    this.trail = trail;
    this.parts = parts;
  }

  /**
   * True while the trail is far behind the files, as it may be when this member catches up. Records that wait for the
   * files are not counted: the archive has a bound of its own.
   */
  get isFull(): boolean {
    const { length } = this.waiting;
    return length >= MOST_READY && this.isArchived(MOST_READY - 1);
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

  /** Hands over what the files have by now: called now and then. Goes on in later turns while the trail has room. */
  handOverInTurns(): void {
    const { hasRoom = () => true, defer = setImmediate } = this.parts;
    if (this.goesOn) return;
    this.goesOn = this.handOver() && hasRoom();
    if (!this.goesOn) return;
    defer(() => {
      this.goesOn = false;
      if (hasRoom()) this.handOverInTurns();
    });
  }

  /** Hands over what the files have by now, `most` records at most. True when more of it is left. */
  handOver(most = AT_A_TIME): boolean {
    let count = 0;
    while (count < most && this.isArchived(count)) count += 1;
    if (count === 0) return false;
    void this.trail.take(this.waiting.slice(0, count));
    this.waiting = this.waiting.slice(count);
    return this.isArchived(0);
  }

  /** True when a record waits at this place of the list that the files have. */
  private isArchived(place: number): boolean {
    const record = this.waiting[place];
    return record !== undefined && record.seq <= this.parts.archived();
  }
}
