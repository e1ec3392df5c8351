/**
 * The turn of a day as commands: which one is due at an instant, and where a turn belongs that has begun. The engine
 * asks again and again and records each of them, so a process may end between any two.
 */

import { type EpochMs, istDay, istInstant } from '../../../base/time.ts';
import type { EndDay, ReviseMargins, RollDay, SquareOff } from '../../command.ts';
import type { DuePortion } from '../../portions/due-portion.ts';
import type { State } from '../../state.ts';
import { nextTradingDay, type TradingDays, tradingDayFrom } from '../../trading-days.ts';
import { stepAfter } from './day-end-steps.ts';

/**
 * A command that the passing of a day brings, and the instant that it belongs to. That is after the instant asked for
 * only where a turn goes on that began by a clock which was further.
 */
export interface Boundary {
  readonly command: EndDay | RollDay | ReviseMargins | SquareOff;
  readonly at: EpochMs;
}

/**
 * The command that is due at `at` before anything else may happen: the next portion of work that has begun, the next
 * step of the end of a day that is over, or the beginning of the next one. A day ends at its IST midnight, and the next
 * trading day begins there, whatever dates without trading lie between. A turn that has begun goes on whatever the
 * clock says: nothing else may come before it is done. A caller that asks again until nothing is due passes every
 * missed trading day.
 */
export function dueBoundary(
  state: Pick<State, 'day' | 'dayEnd' | 'riskTick' | 'portion'>,
  days: TradingDays,
  at: EpochMs,
): Boundary | undefined {
  const { day, dayEnd, portion } = state;
  const today = istDay(at);
  if (portion !== undefined && portion.of !== 'EndDay') return nextPortion(state, portion, at);
  if (day === 0) return { command: { type: 'RollDay', day: tradingDayFrom(days, today) }, at: istInstant(today) };
  const isEnding = dayEnd !== undefined || portion !== undefined;
  if (!isEnding && day >= tradingDayFrom(days, today)) return undefined;
  const midnight = istInstant((day + 1) as typeof day);
  const step = stepAfter(dayEnd);
  if (step !== undefined) {
    const command: EndDay = { type: 'EndDay', day, step, ...(portion && { portion: portion.number }) };
    return { command, at: (midnight - 1) as EpochMs };
  }
  return { command: { type: 'RollDay', day: nextTradingDay(days, day) }, at: midnight };
}

/** Goes on with a day that begins, at its midnight, with a square-off, or with a revision of margins. */
function nextPortion(
  { day, riskTick }: Pick<State, 'day' | 'riskTick'>,
  { number, before, segment }: DuePortion,
  at: EpochMs,
): Boundary {
  if (segment !== undefined) return { command: { type: 'SquareOff', day, segment, portion: number }, at };
  if (before === undefined) return { command: { type: 'ReviseMargins', tick: riskTick, portion: number }, at };
  return { command: { type: 'RollDay', day, portion: number }, at: istInstant((before + 1) as typeof day) };
}

/**
 * The midnight at which a turn of the day belongs that has begun and is not done; `undefined` when there is none. The
 * steps of a day's end are recorded before it, the beginning of the next day at it.
 */
export function midnightOfTurn({
  day,
  dayEnd,
  portion,
}: Pick<State, 'day' | 'dayEnd' | 'portion'>): EpochMs | undefined {
  if (portion?.before !== undefined) return istInstant((portion.before + 1) as typeof day);
  return dayEnd !== undefined || portion?.of === 'EndDay' ? istInstant((day + 1) as typeof day) : undefined;
}
