/**
 * The instruments that sockets watch. After each second of the market each of them is looked at once, however many
 * sockets watch it, in slices of the event loop; those that changed are handed to their watchers when all that the look
 * saw is durable.
 */

import type { InstrumentId, Tick } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { FullQuote } from '../../views/quote.ts';

/** One look at an instrument. */
export interface Sight {
  readonly instrument: Instrument;
  /** The second of the market that it shows, and its instant. */
  readonly tick: Tick;
  readonly at: EpochMs;
  readonly quote: FullQuote;
  /** True when nothing has changed since the look before: it is handed out again every few seconds. */
  readonly isRepeat: boolean;
  /** What `make` makes of this look: made once, for all who ask with the same function. */
  shared<T>(make: (sight: Sight) => T): T;
}

/** Takes the looks at one instrument. It takes microseconds, and never throws. */
export type Watcher = (sight: Sight) => void;

export interface Watch {
  /**
   * Begins to watch. The first look is handed over soon, in a later turn of the event loop; then one after each second
   * in which the instrument changed, and one every few seconds without a change. A watcher is known by its identity.
   */
  watch(id: InstrumentId, watcher: Watcher): void;
  unwatch(id: InstrumentId, watcher: Watcher): void;
}
