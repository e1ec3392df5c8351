/**
 * The name of an instrument in few words. The symbol of a contract ends with its strike, which a narrow column cuts
 * off. Source: the grammars of trading symbols, market-rules R1.9, R1.10.
 */

export interface InstrumentWords {
  /** `NIFTY 24000 CE`, `NIFTY future`; the symbol itself for other instruments. */
  readonly name: string;
  /** The expiry, `29 DEC 26` or `26 NOV`; blank for other instruments. */
  readonly expiry: string;
}

const OF_NSE = /^([A-Z0-9&-]+?)(\d\d)([A-Z]{3})(\d\d)(?:F|([CP])(\d+(?:\.\d+)?))$/;
const OF_BSE = /^([A-Z&-]+?)(\d\d)([A-Z]{3}|[1-9OND]\d\d)(?:FUT|(\d+(?:\.\d+)?)(CE|PE))$/;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** One character for each month, in the weekly symbols of BSE. */
const MONTH_CODES = '123456789OND';

export function instrumentWords(tradingSymbol: string): InstrumentWords {
  const [ofNse, ofBse] = [OF_NSE.exec(tradingSymbol), OF_BSE.exec(tradingSymbol)];
  if (ofNse !== null && MONTHS.includes(ofNse[3] ?? '')) {
    const [, symbol = '', day, month, year, type, strike] = ofNse;
    return { name: nameOf(symbol, strike, type && `${type}E`), expiry: `${day} ${month} ${year}` };
  }
  if (ofBse !== null) {
    const [, symbol = '', year, date = '', strike, type] = ofBse;
    const expiry = MONTHS.includes(date) ? `${date} ${year}` : weekly(date, year);
    return { name: nameOf(symbol, strike, type), expiry };
  }
  return { name: tradingSymbol, expiry: '' };
}

function nameOf(symbol: string, strike: string | undefined, type: string | undefined): string {
  return strike === undefined || type === undefined ? `${symbol} future` : `${symbol} ${strike} ${type}`;
}

function weekly(date: string, year = ''): string {
  return `${date.slice(1)} ${MONTHS[MONTH_CODES.indexOf(date.slice(0, 1))] ?? ''} ${year}`;
}
