import { instrumentId } from '../../../src/base/ids.ts';
import { price, quantity } from '../../../src/base/money.ts';
import { type IstDay, istInstant } from '../../../src/base/time.ts';
import type { Derivative, Equity, Index, Instrument, OptionType } from '../../../src/core/instrument.ts';

/** The first day of the tests: a Monday. */
export const FIRST_DAY = 20_780 as IstDay;

interface Basics {
  readonly token: number;
  readonly symbol: string;
  readonly lot?: number;
  readonly tick?: number;
  readonly freeze?: number;
}

function basics(exchange: Instrument['exchange'], { token, symbol, lot = 1, tick = 5, freeze = 0 }: Basics) {
  return {
    id: instrumentId(exchange, token),
    exchange,
    token,
    tradingSymbol: symbol,
    symbol,
    companyName: symbol,
    lot: quantity(lot),
    tick: price(tick),
    freeze: quantity(freeze),
  };
}

/** A share of the tests. */
export function equity(exchange: 'NSE' | 'BSE', words: Basics & { isin: string; tradeForTrade?: boolean }): Equity {
  const { isin, tradeForTrade = false } = words;
  const series = tradeForTrade ? 'BE' : 'EQ';
  return { ...basics(exchange, words), kind: 'equity', isin, series, tradeForTrade, hasDerivatives: !tradeForTrade };
}

function index(exchange: 'NSE' | 'BSE', words: Basics): Index {
  return { ...basics(exchange, words), kind: 'index', indexName: words.symbol };
}

function contract(exchange: 'NFO' | 'BFO', underlying: Index, words: Basics) {
  const expiryDay = (FIRST_DAY + 60) as IstDay;
  return {
    ...basics(exchange, words),
    underlying: underlying.id,
    underlyingKind: 'index' as const,
    expiryDay,
    expiresAt: istInstant(expiryDay, 55_800_000),
    listedOn: (FIRST_DAY - 60) as IstDay,
    cycle: 'monthly' as const,
  };
}

export function future(exchange: 'NFO' | 'BFO', underlying: Index, words: Basics): Derivative {
  return { ...contract(exchange, underlying, words), kind: 'future' };
}

export function option(
  exchange: 'NFO' | 'BFO',
  underlying: Index,
  words: Basics & { strike: number; optionType: OptionType },
): Derivative {
  const { strike, optionType } = words;
  return { ...contract(exchange, underlying, words), kind: 'option', strike: price(strike), optionType };
}

export const NIFTY = index('NSE', { token: 26_000, symbol: 'NIFTY' });
const BANKNIFTY = index('NSE', { token: 26_009, symbol: 'BANKNIFTY' });
export const SENSEX = index('BSE', { token: 1, symbol: 'SENSEX' });
const CASH_FREEZE = 1_000_000;
export const RELIANCE = equity('NSE', {
  token: 2_885,
  symbol: 'RELIANCE-EQ',
  isin: 'INE002A01018',
  freeze: CASH_FREEZE,
});
export const RELIANCE_BSE = equity('BSE', {
  token: 500_325,
  symbol: 'RELIANCE',
  isin: 'INE002A01018',
  freeze: CASH_FREEZE,
});
export const PAYTM = equity('NSE', {
  token: 6_705,
  symbol: 'PAYTM-EQ',
  isin: 'INE982J01020',
  tick: 1,
  freeze: CASH_FREEZE,
});
export const GROSS = equity('NSE', { token: 30_001, symbol: 'GROSS-BE', isin: 'INE999A01010', tradeForTrade: true });
const nifty = { lot: 65, freeze: 1_800 };
export const NIFTY_FUTURE = future('NFO', NIFTY, { token: 50_001, symbol: 'NIFTY29DEC26F', ...nifty });
export const NIFTY_CALL = option('NFO', NIFTY, {
  token: 50_002,
  symbol: 'NIFTY23NOV26C24000',
  strike: 24_000_00,
  optionType: 'CE',
  ...nifty,
});
export const NIFTY_PUT = option('NFO', NIFTY, {
  token: 50_003,
  symbol: 'NIFTY29DEC26P23500',
  strike: 23_500_00,
  optionType: 'PE',
  ...nifty,
});
export const BANKNIFTY_FUTURE = future('NFO', BANKNIFTY, {
  token: 50_004,
  symbol: 'BANKNIFTY29DEC26F',
  lot: 30,
  freeze: 600,
});
export const SENSEX_FUTURE = future('BFO', SENSEX, {
  token: 800_001,
  symbol: 'SENSEX26DECFUT',
  lot: 20,
  freeze: 1_000,
});

export const LISTED: readonly Instrument[] = [
  NIFTY,
  BANKNIFTY,
  SENSEX,
  RELIANCE,
  RELIANCE_BSE,
  PAYTM,
  GROSS,
  NIFTY_FUTURE,
  NIFTY_CALL,
  NIFTY_PUT,
  BANKNIFTY_FUTURE,
  SENSEX_FUTURE,
];

const byId = new Map(LISTED.map((instrument) => [instrument.id, instrument]));
export const listed = { get: (id: Instrument['id']) => byId.get(id) };
