import Type from 'typebox';
import { exchange, SIGNED_IN, tradingSymbol } from '../../fields/fields.ts';

/** The request of the operations that quote one instrument. Source: interface §getQuote/ltp, contract 3.22. */
export const QUOTE_REQUEST = Type.Object({
  ...SIGNED_IN,
  exchange: exchange(),
  tradingSymbol: tradingSymbol({ 'x-missing': 'Trading Symbol is required' }),
});
