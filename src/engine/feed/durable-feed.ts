/**
 * The way out of the engine: every record, in order, after it is durable, to any number of subscribers. A subscriber is
 * a place in the sequence of records. At the head it gets each group as it becomes durable; a slow one finds older
 * records in a short shared memory, and before that in the journal. So no subscriber has a queue of its own, and a slow
 * one delays nobody.
 */

import { assert } from '../../base/assert.ts';
import { errorOf } from '../../base/system-fault.ts';
import type { Head } from '../../journal/journal.ts';
import type { JournalRecord } from '../../journal/record.ts';
import type { DurableRecord, UnrecordedDecision } from './durable-record.ts';
import { type History, HistoryReader, type ReadLimits } from './history-reader.ts';
import { closeReader, type InTurn, ReadingTurns } from './reading-turns.ts';
import { RecentRecords } from './recent-records.ts';

/** Takes records. A method that throws, or a promise that is rejected, ends the process. */
export interface Subscriber {
  /**
   * Takes the records that follow the last one that it was handed: at least one, each once. More come when the promise
   * resolves, or at once when there is none. It has to be quick: longer work is done later, and promised.
   */
  take(records: readonly DurableRecord[]): void | Promise<void>;
  /**
   * A command that somebody asked for was decided and changed nothing. Records that were decided before may not be
   * durable yet.
   */
  unrecorded?(decision: UnrecordedDecision): void;
  /** The journal cannot be read where the subscriber stands. The subscription has ended. */
  lost(error: Error): void;
}

/** The place of a subscriber. */
export interface Subscription {
  /** The last record that was handed over: `since` for the next subscription. */
  readonly seq: number;
  /** Nothing is handed over any more. */
  close(): void;
}

/**
 * Why there is no subscription: the number is after the head, it is before the first record that is kept, or it is not
 * the number of a record.
 */
export type NotSubscribed = 'AfterHead' | 'BeforeBegin' | 'NotANumber';

/** The answer to a subscriber. `since` has to be one of the numbers from `begin` to `head`. */
export type Subscribed =
  | { readonly ok: true; readonly subscription: Subscription }
  | { readonly ok: false; readonly why: NotSubscribed; readonly begin: number; readonly head: number };

export interface FeedParts {
  readonly journal: History;
  /** Ends the process: a subscriber failed. */
  readonly failStop: (error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  /** Does work in a later turn of the event loop. */
  readonly defer: (work: () => void) => void;
}

/** The bound of the memory for slow subscribers, in bytes of the journal. */
const MOST_RECENT_BYTES = 4 * 1024 * 1024;
/** Subscribers that may have files of the journal open at once. */
const MOST_READERS = 4;
/** History is read for this long in a turn of the event loop, for one subscriber. In milliseconds. */
const SLICE_MS = 1;
/** Records in flight that one question looks at. */
const MOST_LOOKED_AT = 256;
/** At most this number of records is handed over at once, or the records of one group. */
const MOST_AT_ONCE = 256;

/** A subscriber and its place. */
interface Place extends InTurn {
  readonly subscriber: Subscriber;
  seq: number;
  isBusy: boolean;
  isOpen: boolean;
}

/**
 * Hands out durable records. The engine reports its decisions, and the last record that is durable. Source: reliability
 * P1, P3.
 */
export class DurableFeed {
  private readonly parts: FeedParts;
  private readonly places = new Set<Place>();
  private readonly recent = new RecentRecords(MOST_RECENT_BYTES);
  private readonly turns = new ReadingTurns<Place>(MOST_READERS);
  /** Records that were decided and are not durable. The engine bounds them. */
  private inFlight: DurableRecord[] = [];
  private head: number;
  private isReading = false;

  constructor(parts: FeedParts) {
    this.parts = parts;
    this.head = parts.journal.head().seq;
  }

  /**
   * Hands out every record after `since`; 0 is before all of them. The first may be handed over before this returns.
   */
  subscribe(since: number, subscriber: Subscriber): Subscribed {
    const why = this.faultOf(since);
    if (why !== undefined) return { ok: false, why, begin: this.parts.journal.begin(), head: this.head };
    const place: Place = { subscriber, seq: since, isBusy: false, isOpen: true, reader: undefined };
    this.places.add(place);
    this.goOn(place);
    const close = (): void => this.end(place);
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

  /** The last record that is durable: the last one that subscribers at the head were handed. */
  get last(): number {
    return this.head;
  }

  /**
   * Whether a record that was decided and is not durable is one of `those`: also true, without a look at them, when
   * there are very many.
   */
  hasInFlight(those: (record: JournalRecord) => boolean): boolean {
    return this.inFlight.length > MOST_LOOKED_AT || this.inFlight.some(those);
  }

  /** A record was decided. It is handed out when it is durable. */
  decided(record: DurableRecord): void {
    this.inFlight.push(record);
  }

  /** A command was decided that has no record. */
  unrecorded(decision: UnrecordedDecision): void {
    for (const { subscriber } of this.places) this.guarded(() => subscriber.unrecorded?.(decision));
  }

  /** Everything up to `head` is durable now. `bytes`: the size of that group in the journal. */
  advance({ seq }: Head, bytes: number): void {
    const before = this.head;
    const records = this.inFlight.splice(0, seq - before);
    assert(records.length === seq - before && records.at(-1)?.seq === seq, 'every durable record was decided');
    this.head = seq;
    let needed = Number.POSITIVE_INFINITY;
    for (const place of this.places) {
      if (place.seq === before && !place.isBusy) this.hand(place, records);
      if (place.seq < seq) needed = Math.min(needed, place.seq + 1);
    }
    this.recent.add({ records, bytes }, needed);
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const place of this.places) this.end(place);
  }

  private faultOf(since: number): NotSubscribed | undefined {
    if (!Number.isSafeInteger(since)) return 'NotANumber';
    if (since > this.head) return 'AfterHead';
    return since < this.parts.journal.begin() ? 'BeforeBegin' : undefined;
  }

  private end(place: Place): void {
    place.isOpen = false;
    this.places.delete(place);
    this.turns.leave(place);
  }

  private hand(place: Place, records: readonly DurableRecord[]): void {
    place.seq = records.at(-1)?.seq ?? place.seq;
    this.guarded(() => {
      const taking = place.subscriber.take(records);
      if (taking === undefined) return;
      place.isBusy = true;
      taking.then(() => this.guarded(() => this.taken(place)), this.parts.failStop);
    });
  }

  private taken(place: Place): void {
    place.isBusy = false;
    this.goOn(place);
  }

  /** Hands over records from memory; older ones are read from the journal, in turns. */
  private goOn(place: Place): void {
    while (place.isOpen && !place.isBusy && place.seq < this.head) {
      const records = this.recent.after(place.seq, MOST_AT_ONCE);
      if (records === undefined) {
        this.turns.enter(place);
        this.schedule();
        return;
      }
      // A reader stands where the place stood.
      this.turns.leave(place);
      this.hand(place, records);
    }
    if (place.seq === this.head) this.turns.leave(place);
  }

  private schedule(): void {
    if (this.isReading) return;
    this.isReading = true;
    this.parts.defer(() => {
      this.isReading = false;
      const place = this.turns.next();
      if (place !== undefined) this.read(place);
      if (this.turns.isWanted) this.schedule();
    });
  }

  private read(place: Place): void {
    const { journal, elapsed } = this.parts;
    const limits: ReadLimits = { elapsed, sliceMs: SLICE_MS, mostRecords: MOST_AT_ONCE, upTo: this.head };
    let records: readonly DurableRecord[];
    try {
      place.reader ??= new HistoryReader(journal, place.seq);
      records = place.reader.read(limits);
    } catch (error) {
      this.end(place);
      this.guarded(() => place.subscriber.lost(errorOf(error)));
      return;
    }
    if (place.reader.isDone) closeReader(place);
    if (records.length > 0) this.hand(place, records);
    this.goOn(place);
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.parts.failStop(error);
    }
  }
}
