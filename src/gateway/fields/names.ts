/**
 * The names that the wire gives to states, categories and segments of orders and instruments. They stop at the gateway;
 * nothing inside compares them.
 */

import { unreachable } from '../../base/assert.ts';
import type { Exchange } from '../../base/ids.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { OrderStatus } from '../../core/order.ts';

/** Source: market-rules R1.53; the odd space belongs to it. */
export const PRICE_FACTOR = '(1 / 1 ) * (1 / 1)';
/** The price factor as trades spell it. Source: contract 3.16. */
export const TRADE_PRICE_FACTOR = '1.000000';
export const PRICE_PRECISION = '2';

/** The status words. Source: contract W7. */
export function statusText(status: OrderStatus): string {
  switch (status) {
    case 'Pending':
      return 'PENDING';
    case 'AfterMarket':
      return 'AMO OPEN';
    case 'Open':
      return 'OPEN';
    case 'TriggerPending':
      return 'TRIGGER_PENDING';
    case 'Complete':
      return 'COMPLETE';
    case 'Cancelled':
      return 'CANCELED';
    case 'Rejected':
      return 'REJECTED';
    default:
      return unreachable(status);
  }
}

/** The category in search results. Source: interface §Scrip, market-rules R1.13. */
export function categoryName(instrument: Instrument): string {
  switch (instrument.kind) {
    case 'index':
      return 'Index';
    case 'equity':
      return 'Equity';
    case 'future':
      return 'Futures';
    case 'option':
      return 'Options';
    default:
      return unreachable(instrument);
  }
}

/** The `segment` of a quote. Source: market-rules R1.3. */
export function quoteSegment(instrument: Instrument): string {
  return instrument.kind === 'index' ? 'Indices' : categoryName(instrument);
}

/** `EQ`, `OPTIDX`, `FUTSTK`: the exchange's own name of the kind. Source: interface §Security info, contract 3.7. */
export function instrumentName(instrument: Instrument): string {
  switch (instrument.kind) {
    case 'index':
      return 'UNDIND';
    case 'equity':
      return instrument.series;
    case 'future':
      return instrument.underlyingKind === 'index' ? 'FUTIDX' : 'FUTSTK';
    case 'option':
      return instrument.underlyingKind === 'index' ? 'OPTIDX' : 'OPTSTK';
    default:
      return unreachable(instrument);
  }
}

/** `Monthly` or `Weekly` for contracts, the issuer's name for the rest. Source: contract 3.3. */
export function searchCompanyName(instrument: Instrument): string {
  if (instrument.kind === 'future' || instrument.kind === 'option') {
    return instrument.cycle === 'weekly' ? 'Weekly' : 'Monthly';
  }
  return instrument.companyName;
}

/** Source: contract 3.5: a contract is its own symbol name. */
export function quoteSymbolName(instrument: Instrument): string {
  return instrument.kind === 'future' || instrument.kind === 'option' ? instrument.tradingSymbol : instrument.symbol;
}

/** The derivatives segment of an exchange. Source: contract W19. */
export function derivativesOf(exchange: Exchange): Exchange {
  return exchange === 'NSE' ? 'NFO' : exchange === 'BSE' ? 'BFO' : exchange;
}
