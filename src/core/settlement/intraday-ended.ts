import { type EpochMs, istTimeOfDay, SECOND_MS } from '../../base/time.ts';
import { type Instrument, isDerivative } from '../instrument.ts';
import { type Desk, daysOf } from '../ports.ts';
import type { Account, State } from '../state.ts';
import { segmentOf } from '../trading-days.ts';

/**
 * True when an intraday position may no longer be opened in an instrument today: its segment was squared off, or the account was,
 * for its losses. Source: market-rules R2.24, R2.26, R4.35.
 */
export function intradayEnded(state: State, account: Account, instrument: Instrument): boolean {
  return account.lossStage === 'SquaredOff' || state.squaredOff.has(segmentOf(instrument, state.day));
}

/**
 * True when no intraday position may be opened any more in a contract that expires today, whether or not it is squared off yet.
 * Source: market-rules R2.27.
 */
export function lastEntryOver(state: State, desk: Desk, instrument: Instrument): boolean {
  if (!isDerivative(instrument) || instrument.expiryDay > state.day) return false;
  const ends = daysOf(desk).expiringEntryEnds?.(state.day);
  return ends !== undefined && istTimeOfDay((desk.tick * SECOND_MS) as EpochMs) >= ends;
}
