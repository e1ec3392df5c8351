/** How calls and streams name an instrument. */

import type { Exchange } from './generated/operations.ts';

/** An instrument by its exchange and symbol. */
export interface InstrumentName {
  readonly exchange: Exchange;
  readonly tradingSymbol: string;
}

/** `"NSE:ITC-EQ"`, or a row that has both fields, such as one of a search. */
export type Instrument = `${Exchange}:${string}` | InstrumentName;

/** The two fields that name an instrument on the wire, and no others. */
export function namedFields(instrument: Instrument): InstrumentName {
  if (typeof instrument !== 'string') {
    return { exchange: instrument.exchange, tradingSymbol: instrument.tradingSymbol };
  }
  const colon = instrument.indexOf(':');
  return { exchange: instrument.slice(0, colon) as Exchange, tradingSymbol: instrument.slice(colon + 1) };
}

/** `"NSE:ITC-EQ"`, as streams name an instrument. */
export function instrumentText(instrument: Instrument): string {
  return typeof instrument === 'string' ? instrument : `${instrument.exchange}:${instrument.tradingSymbol}`;
}
