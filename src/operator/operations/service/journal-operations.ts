/**
 * How operators read the journal: the last records, or those before a record, as rows without their contents. The feed
 * hands the records out, from its memory or from the disk in slices of the event loop.
 */
import { formatIstMoment } from '../../../base/time.ts';
import type { Command } from '../../../core/command.ts';
import type { Event } from '../../../core/event.ts';
import type { State } from '../../../core/state.ts';
import type { DurableFeed, Subscriber, Subscription } from '../../../engine/feed/durable-feed.ts';
import type { DurableRecord } from '../../../engine/feed/durable-record.ts';
import type { EnginePort } from '../../../engine/port.ts';

export interface JournalDeskParts {
  readonly engine: Pick<EnginePort, 'read'>;
  readonly feed: () => Pick<DurableFeed, 'subscribe'>;
  /** The last durable record. */
  readonly lastSeq: () => number;
}

/** A record as an operator sees it: names and numbers, and nothing of what it holds. */
export interface RecordRow {
  readonly seq: number;
  /** In IST. */
  readonly at: string;
  readonly command: Command['type'];
  readonly user?: string;
  readonly order?: number;
  readonly by?: string;
  readonly why?: string;
  /** The kinds of its events in their order; equal ones that follow each other are counted: `Traded x 3`. */
  readonly events: readonly string[];
}

/** The most kinds of events of a record that are named. */
const MOST_NAMED = 8;

export class JournalOperations {
  private readonly parts: JournalDeskParts;

  constructor(parts: JournalDeskParts) {
    this.parts = parts;
  }

  /** At most `most` records, the newest first: the last ones, or those before a record. */
  async records(most: number, before = Number.POSITIVE_INFINITY): Promise<readonly RecordRow[]> {
    const last = Math.min(before - 1, this.parts.lastSeq());
    if (last < 1) return [];
    const records = await this.between(Math.max(0, last - most), last);
    return this.parts.engine.read((state) => records.map((record) => rowOf(record, state)).reverse());
  }

  /** The records after `since`, up to `last`; fewer when the journal begins later. */
  private between(since: number, last: number): Promise<readonly DurableRecord[]> {
    const feed = this.parts.feed();
    return new Promise((resolve, reject) => {
      const collector = new Collector(last, resolve, reject);
      const answer = feed.subscribe(since, collector);
      if (answer.ok) collector.follow(answer.subscription);
      else if (answer.why === 'BeforeBegin' && answer.begin < last)
        this.between(answer.begin, last).then(resolve, reject);
      else resolve([]);
    });
  }
}

/** Takes records up to one of them, and ends its subscription then. */
class Collector implements Subscriber {
  private readonly last: number;
  private readonly done: (records: readonly DurableRecord[]) => void;
  readonly lost: (error: Error) => void;
  private readonly records: DurableRecord[] = [];
  private subscription: Subscription | undefined;
  private isDone = false;

  constructor(last: number, done: (records: readonly DurableRecord[]) => void, lost: (error: Error) => void) {
    this.last = last;
    this.done = done;
    this.lost = lost;
  }

  /** The first records may have come before the subscription is known. */
  follow(subscription: Subscription): void {
    this.subscription = subscription;
    if (this.isDone) subscription.close();
  }

  take(records: readonly DurableRecord[]): void {
    if (this.isDone) return;
    for (const record of records) if (record.seq <= this.last) this.records.push(record);
    if ((records.at(-1)?.seq ?? 0) < this.last) return;
    this.isDone = true;
    this.subscription?.close();
    this.done(this.records);
  }
}

function rowOf({ seq, at, command, events }: DurableRecord, state: State): RecordRow {
  const { account, order, by, why } = command as {
    readonly account?: number;
    readonly order?: number;
    readonly by?: string;
    readonly why?: string;
  };
  const user = account === undefined ? undefined : state.accounts.at(account)?.userId;
  const placed = order ?? events.find((event) => event.type === 'OrderReceived')?.order;
  return {
    seq,
    at: formatIstMoment(at),
    command: command.type,
    ...(user !== undefined && { user }),
    ...(placed !== undefined && { order: placed }),
    ...(by !== undefined && { by }),
    ...(why !== undefined && { why }),
    events: kindsOf(events),
  };
}

function kindsOf(events: readonly Event[]): string[] {
  const runs: { readonly type: string; count: number }[] = [];
  for (const { type } of events) {
    const run = runs.at(-1);
    if (run?.type === type) run.count += 1;
    else if (runs.length === MOST_NAMED) break;
    else runs.push({ type, count: 1 });
  }
  return runs.map(({ type, count }) => (count === 1 ? type : `${type} x ${count}`));
}
