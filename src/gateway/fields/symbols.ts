import type { Exchange, InstrumentId } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Instrument, InstrumentDirectory } from '../../core/instrument.ts';
import { badRequest, type Failure } from './envelope.ts';

/** An instrument as a request named it. */
export interface NamedInstrument {
  readonly instrument: Instrument;
  /** The symbol to answer with: the request's own, decoded; the canonical one of an index. Source: contract R7, R8. */
  readonly answeredSymbol: string;
}

export const UNKNOWN_SYMBOL = badRequest('tradingSymbol', 'Security not found');
/** The failure for an instrument that has a price and no orders: an index. */
export const NOT_TRADED = badRequest('tradingSymbol', 'Security is not allowed to trade in this market');

/**
 * The trading symbol of a request without its URL encoding; text that is not validly encoded is taken as it is. Source:
 * contract R6.
 */
export function decodeSymbol(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** The live instrument that a request names, or the failure for an unknown or expired one. Source: contract W6. */
export function findInstrument(
  directory: InstrumentDirectory,
  exchange: Exchange,
  tradingSymbol: string,
  at: EpochMs,
): NamedInstrument | Failure {
  const symbol = decodeSymbol(tradingSymbol);
  const instrument = directory.find(exchange, symbol, at);
  if (!instrument) return UNKNOWN_SYMBOL;
  return { instrument, answeredSymbol: instrument.kind === 'index' ? instrument.tradingSymbol : symbol };
}

/**
 * As `findInstrument`, for a placement that may be sent again under its key: the core answers it as it did first, also
 * when the contract has expired or is not listed any more since. `first`: the instrument of the first placement under
 * the key; `undefined` when there was none. Source: contract W25.
 */
export function findForPlacement(
  directory: InstrumentDirectory,
  exchange: Exchange,
  tradingSymbol: string,
  at: EpochMs,
  first: () => InstrumentId | undefined,
): Instrument | Failure {
  const named = findInstrument(directory, exchange, tradingSymbol, at);
  if (!('status' in named)) return named.instrument;
  const before = first();
  return (before === undefined ? undefined : directory.get(before)) ?? named;
}
