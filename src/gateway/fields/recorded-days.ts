import Type from 'typebox';
import type { InstrumentId } from '../../base/ids.ts';
import { formatIsoDay } from '../../base/time.ts';
import type { MarketData } from '../../core/market.ts';
import { plain } from './answers.ts';

const DAY = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const NONE = 'none';

/** The days of its tape, of an instrument that trades on recorded days alone. A field of our own: docs/tapes.md. */
export const RECORDED_DAYS = Type.Optional(
  plain(
    `^(${DAY} to ${DAY}|${NONE})$`,
    'its recorded days, the only ones on which it trades; absent where it always does',
  ),
);

export function recordedDaysOf(
  market: Pick<MarketData, 'recordedDays'>,
  id: InstrumentId,
): { readonly recordedDays?: string } {
  const span = market.recordedDays?.(id);
  if (span === undefined) return {};
  return { recordedDays: span === 'none' ? NONE : `${formatIsoDay(span.from)} to ${formatIsoDay(span.to)}` };
}
