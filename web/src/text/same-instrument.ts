/** Names of instruments compared; a row that has both fields is a name too. */
import type { InstrumentName } from '../../../client/src/instrument.ts';

/** True for two names of one instrument. */
export function isSameInstrument(one: InstrumentName, other: InstrumentName): boolean {
  return one.exchange === other.exchange && one.tradingSymbol === other.tradingSymbol;
}
