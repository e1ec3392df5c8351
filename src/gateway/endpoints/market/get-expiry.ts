import Type from 'typebox';
import { listOf, plain } from '../../fields/answers.ts';
import { exchange, SIGNED_IN, tradingSymbol } from '../../fields/fields.ts';
import { decodeSymbol, UNKNOWN_SYMBOL } from '../../fields/symbols.ts';
import { formatExpiry } from '../../fields/times.ts';
import { operation, success } from '../../operation.ts';

const answer = success(
  'Expiry dates retrieved successfully',
  Type.Object({ expiryDates: listOf(plain('^[0-9]{2}[A-Z]{3}[0-9]{4}$', 'DDMONYYYY')) }),
);

/** Source: interface §getExpiry, contract 3.9, market-rules R1.35. */
export const getExpiry = operation({
  path: '/getExpiry',
  summary: 'The live expiries of an underlying, ascending',
  request: Type.Object({ ...SIGNED_IN, exchange: exchange(), tradingSymbol: tradingSymbol() }),
  missing: 'MISSING_FIELD',
  rate: 'other',
  answer,
  handle: (deps, fields) => {
    const at = deps.engine.now();
    const symbol = decodeSymbol(fields.tradingSymbol);
    const underlying = deps.instruments.underlyingOf(fields.exchange, symbol, at);
    if (underlying !== undefined) {
      return answer.write({ expiryDates: deps.instruments.expiries(underlying, at).map(formatExpiry) });
    }
    return deps.instruments.find(fields.exchange, symbol, at) ? answer.write({ expiryDates: [] }) : UNKNOWN_SYMBOL;
  },
});
