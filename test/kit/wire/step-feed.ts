import type { NotSubscribed, Subscribed, Subscriber } from '../../../src/engine/feed/durable-feed.ts';
import type { DurableRecord } from '../../../src/engine/feed/durable-record.ts';
import type { EventFeed } from '../../../src/gateway/stream/account-events.ts';

interface Place {
  readonly subscriber: Subscriber;
  seq: number;
  isBusy: boolean;
}

/** The durable feed over a list in memory: a record is durable as it is added. */
export class StepFeed implements EventFeed {
  private readonly records: DurableRecord[] = [];
  private readonly places = new Set<Place>();

  get last(): number {
    return this.records.length;
  }

  add(record: DurableRecord): void {
    this.records.push(record);
    for (const place of this.places) this.goOn(place);
  }

  subscribe(since: number, subscriber: Subscriber): Subscribed {
    const why: NotSubscribed | undefined = since > this.last ? 'AfterHead' : since >= 0 ? undefined : 'BeforeBegin';
    if (why !== undefined) return { ok: false, why, begin: 0, head: this.last };
    const place = { subscriber, seq: since, isBusy: false };
    this.places.add(place);
    // The real one reads the journal in a later turn.
    if (since < this.last) setImmediate(() => this.goOn(place));
    const close = (): void => {
      this.places.delete(place);
    };
    return {
      ok: true,
      subscription: {
        get seq() {
          return place.seq;
        },
        close,
      },
    };
  }

  private goOn(place: Place): void {
    while (this.places.has(place) && !place.isBusy && place.seq < this.last) {
      const some = this.records.slice(place.seq, place.seq + 16);
      place.seq += some.length;
      const taking = place.subscriber.take(some);
      if (taking === undefined) continue;
      place.isBusy = true;
      void taking.then(() => {
        place.isBusy = false;
        this.goOn(place);
      });
    }
  }
}
