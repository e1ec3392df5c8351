/**
 * The state of a follower: it folds the records of the lane, and each of them goes to the audit trail too, and its
 * command to the rehearsal.
 */
import type { Subscriber } from '../../engine/feed/durable-feed.ts';
import type { Live } from '../../engine/live.ts';
import type { JournalRecord } from '../../journal/record.ts';
import type { Replica } from '../../journal/replica.ts';
import type { Rehearsal } from './rehearsal.ts';

export class FollowedLive implements Replica {
  readonly live: Live;
  private readonly trail: Pick<Subscriber, 'take'>;
  private readonly rehearsal: Pick<Rehearsal, 'note'>;

  constructor(live: Live, trail: Pick<Subscriber, 'take'>, rehearsal: Pick<Rehearsal, 'note'>) {
    this.live = live;
    this.trail = trail;
    this.rehearsal = rehearsal;
  }

  get seq(): number {
    return this.live.seq;
  }

  get at(): Live['at'] {
    return this.live.at;
  }

  fold(record: JournalRecord): void {
    this.live.fold(record);
    void this.trail.take([record]);
    this.rehearsal.note(record.command);
  }

  lines(): Iterable<string> {
    return this.live.lines();
  }

  hash(): string {
    return this.live.hash();
  }
}
