import { type DayTape, MINUTE_SECONDS } from '../day-tape.ts';
import { emptyFold } from './day-folds.ts';

/** The highest and the lowest print of a day, in ticks. */
export interface Extremes {
  readonly high: number;
  readonly low: number;
}

/**
 * The extremes over all prints of a day, without folding every minute: a minute without prints, or whose bound cannot
 * beat what was found, is left out. Equal to the fold of the day, print by print.
 */
export function dayExtremes(tape: DayTape): Extremes {
  const first = tape.begin / MINUTE_SECONDS;
  const end = tape.end / MINUTE_SECONDS;
  const highs = new Float64Array(end - first);
  const lows = new Float64Array(end - first);
  let topMinute = first;
  let bottomMinute = first;
  for (let minute = first; minute < end; minute += 1) {
    highs[minute - first] = Number.NEGATIVE_INFINITY;
    lows[minute - first] = Number.POSITIVE_INFINITY;
    if (!tape.hasPrints(minute)) continue;
    const high = tape.highBound(minute);
    const low = tape.lowBound(minute);
    highs[minute - first] = high;
    lows[minute - first] = low;
    if (high > (highs[topMinute - first] as number)) topMinute = minute;
    if (low < (lows[bottomMinute - first] as number)) bottomMinute = minute;
  }
  let found = widen({ high: Number.NEGATIVE_INFINITY, low: Number.POSITIVE_INFINITY }, tape, topMinute);
  found = widen(found, tape, bottomMinute);
  for (let minute = first; minute < end; minute += 1) {
    const beats = (highs[minute - first] as number) > found.high || (lows[minute - first] as number) < found.low;
    if (beats) found = widen(found, tape, minute);
  }
  const { closing } = tape;
  return closing === undefined ? found : widen(found, tape, Math.floor(closing.second / MINUTE_SECONDS));
}

const fold = emptyFold();

function widen(found: Extremes, tape: DayTape, minute: number): Extremes {
  tape.fold(minute, tape.end, false, fold);
  if (fold.prints === 0) return found;
  return { high: Math.max(found.high, fold.high), low: Math.min(found.low, fold.low) };
}
