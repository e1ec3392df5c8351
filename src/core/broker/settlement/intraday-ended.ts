import { instantOf } from '../../../base/tick.ts';
import { istTimeOfDay } from '../../../base/time.ts';
import type { Account } from '../../account.ts';
import { type Instrument, isDerivative, marginGroup } from '../../instrument.ts';
import type { Product } from '../../order.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { State } from '../../state.ts';
import { isIntraday, segmentOf } from '../../trading-days.ts';
import { deliversOn } from './unfunded-delivery.ts';

/**
 * True when an intraday position may no longer be opened in an instrument today: its segment was squared off, or the
 * account was, for its losses. Source: market-rules R2.24, R2.26, R4.35.
 */
function intradayEnded(state: State, account: Account, instrument: Instrument): boolean {
  return account.lossStage === 'SquaredOff' || state.squaredOff.has(segmentOf(instrument, state.day));
}

/**
 * True when the risk desk closes the positions of a product in an instrument today: intraday positions once intraday
 * trading has ended, and every product of contracts whose delivery is not paid for. Source: market-rules R2.24, R4.35,
 * R7.4.
 */
export function isSquaredOff(state: State, account: Account, instrument: Instrument, product: Product): boolean {
  if (isIntraday(instrument.kind, product) && intradayEnded(state, account, instrument)) return true;
  return account.unfunded.includes(marginGroup(instrument)) && deliversOn(instrument, state.day);
}

/**
 * True when no intraday position may be opened any more in a contract that expires today, whether or not it is squared
 * off yet.
 * Source: market-rules R2.27.
 */
export function lastEntryOver(state: State, ports: DecisionPorts, instrument: Instrument): boolean {
  if (!isDerivative(instrument) || instrument.expiryDay > state.day) return false;
  const ends = ports.days.expiringEntryEnds?.(state.day);
  return ends !== undefined && istTimeOfDay(instantOf(ports.tick)) >= ends;
}
