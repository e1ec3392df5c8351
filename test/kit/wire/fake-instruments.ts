import { type Exchange, type InstrumentId, instrumentId } from '../../../src/base/ids.ts';
import { price, quantity } from '../../../src/base/money.ts';
import { dayOfCivil, type EpochMs, HOUR_MS, type IstDay, istInstant } from '../../../src/base/time.ts';
import type { Equity, Index, Instrument, InstrumentDirectory, Option } from '../../../src/core/instrument.ts';

/** A dozen instruments that show every kind and every oddity of a symbol. */
export const EXPIRY = dayOfCivil(2026, 12, 29) as IstDay;
export const NEAR_EXPIRY = dayOfCivil(2026, 12, 1) as IstDay;

function base(exchange: Exchange, token: number, tradingSymbol: string, symbol: string, companyName: string) {
  return { id: instrumentId(exchange, token), exchange, token, tradingSymbol, symbol, companyName };
}

function equity(exchange: 'NSE' | 'BSE', token: number, symbol: string, name: string, isin: string): Equity {
  const tradingSymbol = exchange === 'NSE' ? `${symbol}-EQ` : symbol;
  return {
    ...base(exchange, token, tradingSymbol, symbol, name),
    kind: 'equity',
    lot: quantity(1),
    tick: price(5),
    freeze: quantity(symbol === 'L&TFH' ? 0 : 100_000),
    isin,
    series: exchange === 'NSE' ? 'EQ' : 'A',
    tradeForTrade: false,
    hasDerivatives: symbol === 'RELIANCE',
  };
}

function index(token: number, symbol: string, indexName: string): Index {
  return {
    ...base('NSE', token, symbol, symbol, indexName),
    kind: 'index',
    lot: quantity(1),
    tick: price(5),
    freeze: quantity(0),
    indexName,
  };
}

export const NIFTY = index(26000, 'NIFTY', 'NIFTY 50');
export const RELIANCE = equity('NSE', 2885, 'RELIANCE', 'RELIANCE INDUSTRIES LTD', 'INE002A01018');
export const IDEA = equity('NSE', 14366, 'IDEA', 'VODAFONE IDEA LIMITED', 'INE669E01016');
export const IDEA_BSE = equity('BSE', 532822, 'IDEA', 'VODAFONE IDEA LIMITED', 'INE669E01016');
export const LTFH = equity('NSE', 24948, 'L&TFH', 'L&T "FINANCE" HOLDINGS', 'INE498L01015');

function contract(token: number, tradingSymbol: string, expiryDay: IstDay) {
  return {
    ...base('NFO', token, tradingSymbol, 'NIFTY', 'NIFTY'),
    lot: quantity(65),
    tick: price(5),
    freeze: quantity(1800),
    underlying: NIFTY.id,
    underlyingKind: 'index' as const,
    expiryDay,
    expiresAt: istInstant(expiryDay, 15 * HOUR_MS + 40 * 60_000),
    listedOn: dayOfCivil(2026, 9, 30) as IstDay,
    cycle: 'monthly' as const,
  };
}

export const FUTURE: Instrument = { ...contract(50001, 'NIFTY29DEC26F', EXPIRY), kind: 'future' };

function options(expiryDay: IstDay, label: string, firstToken: number): Option[] {
  const strikes = [23_800, 23_850, 23_900, 23_950, 24_000, 24_050, 24_100];
  return strikes.flatMap((strike, i) => [
    { ...contract(firstToken + 2 * i, `NIFTY${label}C${strike}`, expiryDay), ...kindOf(strike, 'CE') },
    { ...contract(firstToken + 2 * i + 1, `NIFTY${label}P${strike}`, expiryDay), ...kindOf(strike, 'PE') },
  ]);
}

function kindOf(strike: number, optionType: 'CE' | 'PE') {
  return { kind: 'option' as const, strike: price(strike * 100), optionType };
}

export const OPTIONS = [...options(EXPIRY, '29DEC26', 60_000), ...options(NEAR_EXPIRY, '01DEC26', 70_000)];
/** A contract on a share. No list has it: it is known by its symbol alone. */
export const STOCK_FUTURE: Instrument = {
  ...contract(80_001, 'RELIANCE29DEC26F', EXPIRY),
  symbol: 'RELIANCE',
  companyName: 'RELIANCE',
  lot: quantity(500),
  freeze: quantity(15_000),
  underlying: RELIANCE.id,
  underlyingKind: 'equity',
  kind: 'future',
};
const ALL: readonly Instrument[] = [NIFTY, RELIANCE, IDEA, IDEA_BSE, LTFH, FUTURE, ...OPTIONS];

function alive(instrument: Instrument, at: EpochMs): boolean {
  return !('expiresAt' in instrument) || at <= instrument.expiresAt;
}

/** The directory of these instruments: linear searches over the list. */
export const fakeInstruments: InstrumentDirectory = {
  get: (id: InstrumentId) => [...ALL, STOCK_FUTURE].find((instrument) => instrument.id === id),
  listed: (id, at) => [...ALL, STOCK_FUTURE].find((instrument) => instrument.id === id && alive(instrument, at)),
  find: (exchange, symbol, at) => {
    const wanted = /^(nifty 50)$/i.test(symbol) ? 'NIFTY' : symbol.toUpperCase();
    return [...ALL, STOCK_FUTURE].find(
      (one) => one.exchange === exchange && one.tradingSymbol === wanted && alive(one, at),
    );
  },
  search: (text, limit, at) => {
    const words = text.toUpperCase().split(/\s+/);
    const found = ALL.filter((one) => {
      const haystack = `${one.tradingSymbol} ${one.companyName}`.toUpperCase();
      return alive(one, at) && words.every((word) => haystack.includes(word));
    });
    return found.slice(0, limit);
  },
  indices: () => [NIFTY],
  expiries: (underlying) => (underlying === NIFTY.id ? [NEAR_EXPIRY, EXPIRY] : []),
  chain: (underlying, expiry, at) =>
    OPTIONS.filter((option) => option.underlying === underlying && option.expiryDay === expiry && alive(option, at)),
  underlyingOf: (_exchange, name) =>
    /^(NIFTY|NIFTY 50|NIFTY\d.*)$/i.test(name) ? NIFTY.id : /^RELIANCE(-EQ)?$/i.test(name) ? RELIANCE.id : undefined,
  list: (exchange, at) => ALL.filter((one) => one.exchange === exchange && alive(one, at)),
  count: (at) => ALL.filter((one) => alive(one, at)).length,
  listing: () => undefined,
};
