/**
 * The first looks at the instruments of an answer that must be of one moment. The market draws the day of an instrument
 * when somebody first looks at it, which takes up to half a millisecond, and two for an index; the looks after it take
 * a few microseconds. So an answer about many instruments first looks at each in a piece of work of its own, and is
 * made at once afterwards.
 */
import type { InstrumentId } from '../../base/ids.ts';

/** Looks at each instrument once. Yields after each. */
export function* firstLooks(
  instruments: Iterable<InstrumentId>,
  look: (instrument: InstrumentId) => void,
): Generator<undefined, void> {
  for (const instrument of new Set(instruments)) {
    look(instrument);
    yield;
  }
}
