/**
 * The instruments that sockets watch. After each second of the market each of them is looked at once, however many
 * sockets watch it, in slices of the event loop; those that changed are handed to their watchers when all that the look
 * saw is durable.
 */

import type { InstrumentId, Tick } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Instrument, InstrumentDirectory } from '../../core/instrument.ts';
import type { MarketData, PriceBand } from '../../core/market.ts';
import type { State } from '../../core/state.ts';
import { type EnginePort, Unavailable } from '../../engine/port.ts';
import { type FullQuote, fullQuote } from '../../views/quote.ts';
import type { Views } from '../../views/views.ts';
import { ShownQuote } from './shown-quote.ts';
import type { SocketClock } from './socket-clock.ts';

/** How often it is seen whether the market has moved on to another second. In milliseconds. */
const BEAT_MS = 100;
/**
 * A slice of looks, or of handing them out, takes this long, not counting its last piece, and the next one follows
 * after the pause. An order that comes in a slice waits for its end: longer slices delay fewer orders, each by more. In
 * milliseconds.
 */
const SLICE_MS = 3;
const PAUSE_MS = 2;
/** Frames are held back for others of their round no longer than this. In milliseconds. */
const MOST_HELD_MS = 100;
/** An instrument that does not change is handed out again this often. In milliseconds. Source: docs/stream.md. */
const REPEAT_MS = 5_000;

/** One look at an instrument. */
export interface Sight {
  readonly instrument: Instrument;
  /** The second of the market that it shows, and its instant. */
  readonly tick: Tick;
  readonly at: EpochMs;
  readonly quote: FullQuote;
  /** The last record that the look saw. */
  readonly seq: number;
  /** The state of the book of users' orders: another number after each change; -1 where nobody has ordered. */
  readonly book: number;
  /** The price band as an operator has widened it today; `undefined` where none has. */
  readonly widened: PriceBand | undefined;
  /**
   * True when the quote is that of the look before. It is handed out again every few seconds, and when the book or
   * the widened band has changed.
   */
  readonly isRepeat: boolean;
  /**
   * The value that `make` makes of this look: made once while the look is handed out, for all who ask with the same
   * function.
   */
  shared<T>(make: (sight: Sight) => T): T;
}

/** Takes the looks at one instrument. It takes microseconds, and never throws. */
export type Watcher = (sight: Sight) => void;

export interface Watch {
  /**
   * Begins to watch; false, and nothing is watched, for an instrument that is not listed, and when too many are
   * watched. The first look is handed over soon, in a later turn of the event loop; then one after each second in which
   * the instrument changed, and one every few seconds without a change. A watcher is known by its identity.
   */
  watch(id: InstrumentId, watcher: Watcher): boolean;
  unwatch(id: InstrumentId, watcher: Watcher): void;
}

/** The frames that sockets hold back while looks are handed out. */
export interface HeldBack {
  /** Since when, in milliseconds on the clock of sockets; `undefined` while there are none. */
  readonly heldSince: number | undefined;
  /** Lets go those of one socket at least, and of more until that instant on the clock. True when none is left. */
  release(until: number): boolean;
}

export interface MarketWatchParts {
  readonly engine: EnginePort;
  readonly market: MarketData;
  readonly instruments: InstrumentDirectory;
  readonly clock: SocketClock;
  readonly heldBack: HeldBack;
  /** The most instruments that are watched. */
  readonly most: number;
  onFailure(error: unknown): void;
}

/** A watched instrument. */
interface Watched {
  readonly instrument: Instrument;
  readonly watchers: Set<Watcher>;
  /** Those of them for whom no look is on its way yet. */
  readonly fresh: Set<Watcher>;
  /** Looks that are on their way to all of them, new ones included. */
  toAll: number;
  readonly shown: ShownQuote;
  /** Of the look that was handed out last, beside its quote. */
  readonly last: Writable<Moment>;
  handedAt: number;
}

/** A look on its way to watchers. */
interface Handout {
  readonly watched: Watched;
  readonly sight: Look;
  readonly to: Iterator<Watcher>;
  /** Whether it is on its way to all watchers. */
  readonly isToAll: boolean;
}

/** All of a look but its instrument and its quote. */
type Moment = Pick<Sight, 'at' | 'tick' | 'seq' | 'book' | 'widened' | 'isRepeat'>;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The present of a slice of looks, and when it ends, on the monotonic clock. */
interface Slice extends Pick<Moment, 'at' | 'tick' | 'seq'> {
  readonly until: number;
}

class Look implements Sight {
  readonly instrument: Instrument;
  readonly tick: Tick;
  readonly at: EpochMs;
  readonly seq: number;
  readonly quote: FullQuote;
  readonly book: number;
  readonly widened: PriceBand | undefined;
  readonly isRepeat: boolean;
  /** Nearly every look is shown in one way, or in none. */
  private make: unknown;
  private made: unknown;
  private others: Map<unknown, unknown> | undefined;

  constructor(instrument: Instrument, quote: FullQuote, { at, tick, seq, book, widened, isRepeat }: Moment) {
    this.instrument = instrument;
    this.tick = tick;
    this.at = at;
    this.seq = seq;
    this.quote = quote;
    this.book = book;
    this.widened = widened;
    this.isRepeat = isRepeat;
  }

  shared<T>(make: (sight: Sight) => T): T {
    if (this.make === make) return this.made as T;
    if (this.make !== undefined) return this.other(make);
    const made = make(this);
    this.make = make;
    this.made = made;
    return made;
  }

  /** Everybody has it: whoever keeps a look for a slow client keeps no frame with it. */
  forget(): void {
    this.make = undefined;
    this.made = undefined;
    this.others = undefined;
  }

  private other<T>(make: (sight: Sight) => T): T {
    this.others ??= new Map();
    if (!this.others.has(make)) this.others.set(make, make(this));
    return this.others.get(make) as T;
  }
}

export class MarketWatch implements Watch {
  private readonly parts: MarketWatchParts;
  private readonly watched = new Map<InstrumentId, Watched>();
  /** Instruments with watchers that have been handed nothing yet. */
  private readonly urgent = new Set<Watched>();
  /** The instruments that were not looked at in this round yet. */
  private round: Iterator<Watched> | undefined;
  private tick = -1 as Tick;
  private ready: Handout[] = [];
  /** Slices whose looks wait for the disk. */
  private onDisk = 0;
  private isScheduled = false;
  private stopBeat: (() => void) | undefined;
  /** Callers of `settle`, until a full round has been handed out. */
  private settling: (() => void)[] = [];

  constructor(parts: MarketWatchParts) {
    this.parts = parts;
  }

  /** Instruments that are watched. */
  get count(): number {
    return this.watched.size;
  }

  watch(id: InstrumentId, watcher: Watcher): boolean {
    const watched = this.watched.get(id) ?? this.begin(id);
    if (watched === undefined) return false;
    watched.watchers.add(watcher);
    watched.fresh.add(watcher);
    this.urgent.add(watched);
    this.stopBeat ??= this.parts.clock.every(BEAT_MS, () => this.beat());
    this.schedule(0);
    return true;
  }

  unwatch(id: InstrumentId, watcher: Watcher): void {
    const watched = this.watched.get(id);
    if (watched === undefined) return;
    watched.watchers.delete(watcher);
    watched.fresh.delete(watcher);
    if (watched.watchers.size > 0) return;
    this.watched.delete(id);
    this.urgent.delete(watched);
    if (this.watched.size > 0) return;
    this.stopBeat?.();
    this.stopBeat = undefined;
  }

  /** Looks at everything at once, however late the next look would be. Resolves when that was handed out. */
  async settle(): Promise<void> {
    if (this.watched.size === 0) return;
    const { engine, market } = this.parts;
    this.tick = market.tickAt(engine.now());
    this.round = this.watched.values();
    await new Promise<void>((resolve) => {
      this.settling.push(resolve);
      this.schedule(0);
    });
  }

  private begin(id: InstrumentId): Watched | undefined {
    const instrument = this.watched.size < this.parts.most ? this.parts.instruments.get(id) : undefined;
    if (instrument === undefined) return undefined;
    const watched: Watched = {
      instrument,
      watchers: new Set(),
      fresh: new Set(),
      toAll: 0,
      shown: new ShownQuote(),
      last: { at: 0 as EpochMs, tick: -1 as Tick, seq: -1, book: -1, widened: undefined, isRepeat: false },
      handedAt: 0,
    };
    this.watched.set(id, watched);
    return watched;
  }

  /** Looks at all again although the market has not moved on. */
  lookAgain(): void {
    this.tick = -1 as Tick;
  }

  /** A round begins when the market has moved on and the round before has been through all. */
  private beat(): void {
    const { engine, market } = this.parts;
    const tick = market.tickAt(engine.now());
    if (tick === this.tick || this.round !== undefined) return;
    this.tick = tick;
    this.round = this.watched.values();
    this.schedule(0);
  }

  private schedule(pauseMs: number): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    const { clock } = this.parts;
    if (pauseMs === 0) clock.laterTurn(this.slice);
    // Frames leave as the turn of their slice ends, which may take as long as the slice: the pause begins after that.
    else clock.laterTurn(() => void clock.after(pauseMs, this.slice));
  }

  private readonly slice = (): void => {
    this.isScheduled = false;
    const { clock, heldBack } = this.parts;
    const now = clock.elapsed();
    const until = now + SLICE_MS;
    const isDue = heldBack.heldSince !== undefined && now - heldBack.heldSince >= MOST_HELD_MS;
    if (!isDue) this.advance(until);
    const isRoundOver = !this.hasMore && this.onDisk === 0;
    const areReleased = isDue || isRoundOver ? heldBack.release(until) : true;
    if (this.hasMore || !areReleased) this.schedule(PAUSE_MS);
    else if (isRoundOver) for (const settled of this.settling.splice(0)) settled();
  };

  /** Hands out, then looks, then hands out that. */
  private advance(until: number): void {
    this.handOut(until);
    if (this.ready.length > 0 || !this.hasMore) return;
    this.lookUntil(until);
    if (this.parts.clock.elapsed() < until) this.handOut(until);
  }

  /** Whether a slice has something to look at, or to hand out. */
  private get hasMore(): boolean {
    return this.ready.length > 0 || this.urgent.size > 0 || this.round !== undefined;
  }

  /** Hands out what is ready. An instrument may have more watchers than a slice has time for. */
  private handOut(until: number): void {
    const { clock } = this.parts;
    let done = 0;
    for (const { watched, sight, to, isToAll } of this.ready) {
      for (let next = to.next(); next.done !== true; next = to.next()) {
        if (watched.fresh.size > 0) watched.fresh.delete(next.value);
        if (watched.watchers.has(next.value)) next.value(sight);
        if (clock.elapsed() >= until) {
          this.ready.splice(0, done);
          return;
        }
      }
      if (isToAll) watched.toAll -= 1;
      if (watched.toAll === 0) sight.forget();
      done += 1;
    }
    this.ready = [];
  }

  private lookUntil(until: number): void {
    const { engine, market } = this.parts;
    const at = engine.now();
    const tick = market.tickAt(at);
    const looks = engine.read((state, views) => this.look(state, views, { at, tick, until, seq: state.seq }));
    if (!(looks instanceof Promise)) {
      this.ready.push(...looks);
      return;
    }
    this.onDisk += 1;
    looks.then((handouts) => this.takeLater(handouts), this.onRefused);
  }

  /** Too many answers wait for the disk: the instruments are looked at in the next second. */
  private readonly onRefused = (error: unknown): void => {
    if (!(error instanceof Unavailable)) this.parts.onFailure(error);
    this.takeLater([]);
  };

  /** Takes looks that had to wait for the disk. */
  private takeLater(handouts: readonly Handout[]): void {
    this.onDisk -= 1;
    this.ready.push(...handouts);
    this.schedule(0);
  }

  private look(state: State, views: Views, slice: Slice): Handout[] {
    const handouts: Handout[] = [];
    const { clock, market } = this.parts;
    let now = clock.elapsed();
    do {
      const watched = this.next();
      if (watched === undefined) break;
      const quote = fullQuote(state, views, market, watched.instrument.id, slice.tick);
      const handout = this.handoutOf(watched, quote, state, slice, now);
      if (handout !== undefined) handouts.push(handout);
      now = clock.elapsed();
    } while (now < slice.until);
    return handouts;
  }

  /** New watchers first, then the round. */
  private next(): Watched | undefined {
    for (const watched of this.urgent) {
      this.urgent.delete(watched);
      return watched;
    }
    const next = this.round?.next();
    if (next === undefined || next.done === true) {
      this.round = undefined;
      return undefined;
    }
    return next.value;
  }

  /** A changed instrument goes to all of its watchers, an unchanged one to the new ones; now and then to all. */
  private handoutOf(
    watched: Watched,
    quote: FullQuote,
    { books, widenedBands }: State,
    { at, tick, seq }: Slice,
    now: number,
  ): Handout | undefined {
    const { instrument, shown, last, watchers, fresh } = watched;
    const book = books.get(instrument.id)?.changedAfter ?? -1;
    const widened = widenedBands.get(instrument.id);
    const isRepeat = shown.take(quote);
    const isSame = isRepeat && last.book === book && last.widened === widened;
    if (isSame && now - watched.handedAt < REPEAT_MS) {
      if (fresh.size === 0) return undefined;
      const to = [...fresh];
      fresh.clear();
      if (watched.toAll > 0) return undefined;
      return { watched, sight: new Look(instrument, quote, last), to: to.values(), isToAll: false };
    }
    if (fresh.size > 0) fresh.clear();
    last.at = at;
    last.tick = tick;
    last.seq = seq;
    last.book = book;
    last.widened = widened;
    last.isRepeat = isRepeat;
    watched.handedAt = now;
    watched.toAll += 1;
    return { watched, sight: new Look(instrument, quote, last), to: watchers.values(), isToAll: true };
  }
}
