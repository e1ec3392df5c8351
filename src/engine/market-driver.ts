/**
 * Moves the books with orders from tick to tick, in order, and leaves no tick out while the process runs. An order
 * meets its book at the tick at which it comes in, so its result never depends on how late a timer was: `catchUp` comes
 * before each order command.
 */

import type { InstrumentId, Tick } from '../base/ids.ts';
import type { MoveMarket } from '../core/command.ts';
import type { Reach } from '../core/market.ts';
import type { Pieces } from './slice.ts';

/** After a longer stall the seconds before the last minute are left out, as if the exchange had been halted. */
const MAX_TICKS_BACK = 60;

/** Which instruments have orders that a move of the market can concern. */
export interface Interest {
  has(instrument: InstrumentId): boolean;
  /** In a fixed order. It may be asked further while books come and go. */
  all(): Iterable<InstrumentId>;
  /** The prices that the market does not leave for a while from a tick on; `undefined` when nothing is known of it. */
  reachAt(instrument: InstrumentId, tick: Tick): Reach | undefined;
  /** False when no price within the reach, which holds at the tick, can concern an order of the book. */
  isReached(instrument: InstrumentId, reach: Reach, tick: Tick): boolean;
}

/** A book that has met the market in this process. */
interface Met {
  /** The last tick that it met. */
  tick: Tick;
  /** The prices that the market does not leave for a while. */
  reach: Reach | undefined;
}

/**
 * Many books meet a second one after the other, with pauses between them. When the next second comes before all of them
 * have met it, each book meets the new second after those that it still has to meet. Nothing piles up except the ticks
 * that `lagAt` counts.
 */
export class MarketDriver {
  private readonly interest: Interest;
  private readonly decide: (command: MoveMarket) => void;
  private readonly met = new Map<InstrumentId, Met>();
  /** The books that are still to meet the present in this round through all of them. */
  private round: Iterator<InstrumentId> | undefined;
  private roundBegan: Tick | undefined;
  /** The tick that every book has met. */
  private allMet: Tick | undefined;
  private leftOut = 0;
  /** The last tick that changes nothing in any book of the last round through all of them. */
  private quiet = 0 as Tick;

  constructor(interest: Interest, decide: (command: MoveMarket) => void) {
    this.interest = interest;
    this.decide = decide;
  }

  /** How many seconds before `now` the last one lies that every book has met. */
  lagAt(now: Tick): number {
    return this.allMet === undefined ? 0 : Math.max(0, now - this.allMet);
  }

  /** Ticks that books did not meet because they were more than a minute behind. */
  get ticksLeftOut(): number {
    return this.leftOut;
  }

  /**
   * The last tick up to which no book needs to be asked, once every book has met `now`: the next one is asked at the
   * tick after it. It holds while nothing is recorded.
   */
  quietUntil(now: Tick): Tick {
    return Math.max(this.quiet, now) as Tick;
  }

  /** Every book with orders has met a tick already, in a former process. */
  resume(tick: Tick): void {
    for (const instrument of this.interest.all()) this.met.set(instrument, { tick, reach: undefined });
    this.allMet = tick;
  }

  /** Brings one book to `now`. A book that has not met the market in this process meets it at `now` only. */
  catchUp(instrument: InstrumentId, now: Tick): void {
    for (const _ of this.ticksTo(instrument, now));
  }

  /** Brings the books that met the market in this process to `last`, the last tick of their day. */
  *finishDay(last: Tick): Pieces {
    for (const instrument of this.met.keys()) {
      yield* this.ticksTo(instrument, last);
      yield;
    }
    this.met.clear();
    this.round = undefined;
  }

  /** Brings every book to `tick`. */
  *bringAll(tick: Tick): Pieces {
    for (const instrument of this.interest.all()) {
      yield* this.ticksTo(instrument, tick);
      yield;
    }
  }

  /**
   * Brings every book to the present of its turn, while `mayGoOn`. A round that was broken off goes on where it was.
   * Books without interest are forgotten.
   */
  *advance(present: () => Tick, mayGoOn: () => boolean): Pieces {
    if (this.round === undefined) {
      this.round = this.interest.all()[Symbol.iterator]();
      this.roundBegan = present();
      this.quiet = Number.POSITIVE_INFINITY as Tick;
    }
    for (;;) {
      if (!mayGoOn()) return;
      const next = this.round?.next();
      if (next === undefined) return;
      if (next.done === true) break;
      yield* this.ticksTo(next.value, present());
      this.quiet = Math.min(this.quiet, this.quietOf(next.value, present())) as Tick;
      yield;
    }
    this.round = undefined;
    this.allMet = this.roundBegan;
    for (const instrument of this.met.keys()) {
      if (!this.interest.has(instrument)) this.met.delete(instrument);
      yield;
    }
  }

  /**
   * Brings a book to `now`, tick by tick, a piece each. After a pause it continues with the first tick that is still
   * missing, and never on another day.
   */
  private *ticksTo(instrument: InstrumentId, now: Tick): Pieces {
    const known = this.met.get(instrument);
    if (known !== undefined && known.tick >= now) return;
    const met = known ?? { tick: (now - 1) as Tick, reach: undefined };
    if (known === undefined) this.met.set(instrument, met);
    this.leaveOut(met, now);
    while (met.tick < now && this.interest.has(instrument)) {
      met.tick = (met.tick + 1) as Tick;
      if (!this.isReached(instrument, met)) continue;
      this.decide({ type: 'MoveMarket', instrument, tick: met.tick });
      if (met.tick >= now) return;
      yield;
      if (this.met.get(instrument) !== met) return;
    }
    met.tick = Math.max(met.tick, now) as Tick;
  }

  /** The last tick that cannot concern a book that has met `now`. */
  private quietOf(instrument: InstrumentId, now: Tick): Tick {
    const met = this.met.get(instrument);
    if (met === undefined || !this.interest.has(instrument)) return Number.POSITIVE_INFINITY as Tick;
    if (met.reach === undefined || now > met.reach.until) return now;
    return this.interest.isReached(instrument, met.reach, now) ? now : met.reach.until;
  }

  private leaveOut(met: Met, now: Tick): void {
    const before = Math.max(met.tick, now - MAX_TICKS_BACK) as Tick;
    this.leftOut += before - met.tick;
    met.tick = before;
  }

  private isReached(instrument: InstrumentId, met: Met): boolean {
    if (met.reach === undefined || met.tick > met.reach.until) {
      met.reach = this.interest.reachAt(instrument, met.tick);
    }
    return met.reach === undefined || this.interest.isReached(instrument, met.reach, met.tick);
  }
}
