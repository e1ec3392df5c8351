import type { InstrumentId, Tick } from '../base/ids.ts';
import type { MoveMarket } from '../core/command.ts';

/** After a longer stall the seconds before the last minute are left out, as if the exchange had been halted. */
const MAX_TICKS_BACK = 60;

/** Which instruments have orders that a move of the market can concern. */
export interface Interest {
  has(instrument: InstrumentId): boolean;
  all(): Iterable<InstrumentId>;
}

/**
 * Takes each book from tick to tick, in order, none left out while the process runs. An order meets its book at the tick that
 * it comes in, so what it does never depends on how late a timer was: `catchUp` comes before each order command.
 */
export class MarketDriver {
  private readonly interest: Interest;
  private readonly decide: (command: MoveMarket) => void;
  /** The last tick that each book has met. */
  private readonly met = new Map<InstrumentId, Tick>();

  constructor(interest: Interest, decide: (command: MoveMarket) => void) {
    this.interest = interest;
    this.decide = decide;
  }

  /** Brings one book to `now`. A book that has not met the market in this process meets it at `now` only. */
  catchUp(instrument: InstrumentId, now: Tick): void {
    const met = this.met.get(instrument);
    if (met !== undefined && met >= now) return;
    const first = met === undefined ? now : Math.max(met + 1, now - MAX_TICKS_BACK + 1);
    for (let tick = first; tick <= now && this.interest.has(instrument); tick += 1) {
      this.decide({ type: 'MoveMarket', instrument, tick: tick as Tick });
    }
    this.met.set(instrument, now);
  }

  /** Brings the books that met the market in this process to `last`, the last tick of their day. */
  finishDay(last: Tick): void {
    for (const instrument of [...this.met.keys()]) this.catchUp(instrument, last);
    this.met.clear();
  }

  /** Brings every book to `now`, while `mayGoOn`. Those without interest are forgotten. */
  advance(now: Tick, mayGoOn: () => boolean = () => true): void {
    for (const instrument of this.met.keys()) if (!this.interest.has(instrument)) this.met.delete(instrument);
    for (const instrument of [...this.interest.all()]) {
      if (!mayGoOn()) return;
      this.catchUp(instrument, now);
    }
  }
}
