import type { Instrument } from '../instrument.ts';
import type { Account, State } from '../state.ts';
import { segmentOf } from '../trading-days.ts';

/**
 * True when an intraday position may no longer be opened in an instrument today: its segment was squared off, or the account was,
 * for its losses. Source: market-rules R2.24, R2.26, R4.35.
 */
export function intradayEnded(state: State, account: Account, instrument: Instrument): boolean {
  return account.lossStage === 'SquaredOff' || state.squaredOff.has(segmentOf(instrument, state.day));
}
