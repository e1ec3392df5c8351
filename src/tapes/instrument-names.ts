/**
 * Finds the instruments of the master behind the names of recorded files: trading symbols of ours, names without a
 * series, contracts as GDFL, OpenAlgo and the exchanges write them. A contract need not be listed on any day.
 */
import { EXCHANGES, type Exchange, instrumentId } from '../base/ids.ts';
import type { Price } from '../base/money.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import { dayOfCivil, istInstant } from '../base/time.ts';
import type { RecordedName } from '../market/recorded/recorded-days.ts';
import type { ExpiryCalendar } from '../reference/calendar/expiry-calendar.ts';
import {
  contractSymbol,
  monthNumber,
  parseDateStyle,
  parseNativeStyle,
  type SymbolOption,
} from '../reference/instruments/contracts/contract-symbol.ts';
import type { InstrumentMaster } from '../reference/instruments/master.ts';
import { paiseOfText } from './numbers.ts';

/** `NIFTY03JUL2522800CE`, `RELIANCE31JUL25FUT`. */
const VENDOR_STYLE =
  /^([A-Z0-9&-]+?)(\d{2})(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(\d{2})(?:FUT|(\d+(?:\.\d+)?)(CE|PE))$/;
/** How vendors write exchanges, and the segments of indices. */
const EXCHANGE_WORDS: Readonly<Record<string, Exchange>> = {
  ...Object.fromEntries(EXCHANGES.map((name) => [name, name])),
  NSE_INDEX: 'NSE',
  NSE_IDX: 'NSE',
  NSE_EQ: 'NSE',
  NSE_FO: 'NFO',
  BSE_INDEX: 'BSE',
  BSE_IDX: 'BSE',
  BSE_FO: 'BFO',
};

/** The exchange of a vendor's word; `undefined` for one that is not traded here. */
export function exchangeNamed(word: string): Exchange | undefined {
  return EXCHANGE_WORDS[word.toUpperCase()];
}

export class InstrumentNames {
  private readonly master: InstrumentMaster;
  private readonly expiries: ExpiryCalendar;

  constructor(master: InstrumentMaster, expiries: ExpiryCalendar) {
    this.master = master;
    this.expiries = expiries;
  }

  /** An index or a share by its symbol, with its series or without; NSE's series is EQ where none is given. */
  cash(exchange: 'NSE' | 'BSE', symbol: string, series?: string): RecordedName | undefined {
    const name = symbol.toUpperCase();
    const spellings = series === undefined ? [name, `${name}-EQ`, `${name}-BE`] : [`${name}-${series}`];
    for (const spelling of exchange === 'BSE' ? [name] : spellings) {
      const found = this.master.find(exchange, spelling, 0 as EpochMs);
      if (found) return { exchange, symbol: found.tradingSymbol };
    }
    return undefined;
  }

  /** A share of BSE by its scrip code. */
  scrip(code: number): RecordedName | undefined {
    const found = this.master.get(instrumentId('BSE', code));
    return found && { exchange: 'BSE', symbol: found.tradingSymbol };
  }

  /** A contract on an underlying that contracts are listed on. */
  contract(
    exchange: 'NFO' | 'BFO',
    underlying: string,
    expiryDay: IstDay,
    option: SymbolOption | undefined,
  ): RecordedName | undefined {
    const house = exchange === 'NFO' ? 'NSE' : 'BSE';
    const id = this.master.underlyingOf(house, underlying, istInstant(expiryDay));
    const symbol = id === undefined ? undefined : this.master.get(id)?.symbol;
    if (symbol === undefined) return undefined;
    const week = this.expiries.weekOf(exchange, expiryDay);
    const weekly = week !== undefined && this.expiries.monthOf(exchange, week) === undefined;
    const cycle = weekly ? 'weekly' : 'monthly';
    return { exchange, symbol: contractSymbol(exchange, { symbol, expiryDay, cycle, option }) };
  }

  /** An option by the texts of its strike and its type. */
  option(
    exchange: 'NFO' | 'BFO',
    underlying: string,
    expiryDay: IstDay,
    { strike: text, type }: { readonly strike: string; readonly type: 'CE' | 'PE' },
  ): RecordedName | undefined {
    const strike = paiseOfText(text);
    return strike > 0 ? this.contract(exchange, underlying, expiryDay, { strike: strike as Price, type }) : undefined;
  }

  /** The instrument of any of the names that an exchange's files use. */
  named(exchange: Exchange, text: string): RecordedName | undefined {
    const name = text.trim().toUpperCase();
    if (exchange === 'NSE' || exchange === 'BSE') return this.cash(exchange, name);
    const vendor = VENDOR_STYLE.exec(name);
    if (vendor) {
      const [, symbol = '', day, month = '', year, strike, type] = vendor;
      const expiryDay = dayOfCivil(2000 + Number(year), monthNumber(month), Number(day));
      if (expiryDay === undefined) return undefined;
      if (strike === undefined) return this.contract(exchange, symbol, expiryDay, undefined);
      return this.option(exchange, symbol, expiryDay, { strike, type: type === 'CE' ? 'CE' : 'PE' });
    }
    const own = exchange === 'NFO' ? parseDateStyle(name) : undefined;
    if (own) return this.contract(exchange, own.symbol, own.expiryDay, own.option);
    return exchange === 'BFO' ? this.native(name) : undefined;
  }

  /**
   * A name as GDFL has it, with its segment after a point: `RELIANCE.NSE`, `NIFTY 50.NSE_IDX`, `NIFTY03JUL25FUT.NFO`.
   */
  ticker(text: string): RecordedName | undefined {
    const [, name = '', series, word = ''] = /^(.+?)(?:\.([A-Z0-9]{2}))?\.([A-Z_]+)$/i.exec(text.trim()) ?? [];
    const exchange = exchangeNamed(word);
    if (exchange === undefined) return undefined;
    if (series !== undefined && exchange === 'NSE') return this.cash(exchange, name, series.toUpperCase());
    return this.named(exchange, name);
  }

  /** A symbol of BSE in its own form, whose underlying only the master knows. */
  private native(name: string): RecordedName | undefined {
    for (let length = 1; length < name.length; length += 1) {
      const parts = parseNativeStyle(name.slice(length));
      if (parts && this.master.underlyingOf('BSE', name.slice(0, length), 0 as EpochMs) !== undefined) {
        return { exchange: 'BFO', symbol: name };
      }
    }
    return undefined;
  }
}
