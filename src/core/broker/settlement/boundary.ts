import { type EpochMs, istDay, istInstant } from '../../../base/time.ts';
import type { EndDay, RollDay } from '../../command.ts';
import type { State } from '../../state.ts';
import { nextTradingDay, type TradingDays, tradingDayFrom } from '../../trading-days.ts';
import { stepAfter } from './day-end-steps.ts';

/** A command that the passing of a day brings, and the instant that it belongs to. */
export interface Boundary {
  readonly command: EndDay | RollDay;
  readonly at: EpochMs;
}

/**
 * The command that is due at `at` before anything else may happen: the next step of the end of a day that is over, or
 * the beginning of the next one. A day ends at its IST midnight, and the next trading day begins there, whatever dates
 * without trading lie between. A caller that asks again until nothing is due passes every missed trading day.
 */
export function dueBoundary(
  state: Pick<State, 'day' | 'dayEnd'>,
  days: TradingDays,
  at: EpochMs,
): Boundary | undefined {
  const { day, dayEnd } = state;
  const today = istDay(at);
  if (day === 0) return { command: { type: 'RollDay', day: tradingDayFrom(days, today) }, at: istInstant(today) };
  if (day >= tradingDayFrom(days, today)) return undefined;
  const midnight = istInstant((day + 1) as typeof day);
  const step = stepAfter(dayEnd);
  if (step !== undefined) return { command: { type: 'EndDay', day, step }, at: (midnight - 1) as EpochMs };
  return { command: { type: 'RollDay', day: nextTradingDay(days, day) }, at: midnight };
}
