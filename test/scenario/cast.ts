import { instrumentId } from '../../src/base/ids.ts';
import { type Price, price, quantity, ZERO_QUANTITY } from '../../src/base/money.ts';
import { type EpochMs, type IstDay, istInstant, MINUTE_MS } from '../../src/base/time.ts';
import type { Derivative, Equity, Future, Index, Instrument, Option, OptionType } from '../../src/core/instrument.ts';
import { SHARE } from '../reference/wandering-market.ts';

/** The trading day on which every story begins. */
export const FIRST_DAY = 20_780 as IstDay;

/** An instrument of a story: what the story calls it, and the facts that its margin is computed from. */
export interface Role {
  readonly name: string;
  readonly instrument: Instrument;
  /** The close of the day before the story. */
  readonly close: Price;
  /** Of its underlying, or of itself: 0.12 for 12 % a year. */
  readonly volatility: number;
  /** The volatility that the option is priced with; of the underlying for everything else. */
  readonly impliedVolatility: number;
}

/** The instruments of a story. The first is meant when a line names none. */
export type Cast = readonly [Role, ...Role[]];

/** One share and nothing else. */
export function oneShare(close: Price): Cast {
  return [{ name: 'SHARE', instrument: SHARE, close, volatility: 0.2, impliedVolatility: 0.2 }];
}

const INDEX_DAYS = 30;
const CLOSE_OF_CONTRACTS_MS = (15 * 60 + 40) * MINUTE_MS;

const index: Index = {
  id: instrumentId('NSE', 26_000),
  exchange: 'NSE',
  token: 26_000,
  tradingSymbol: 'NIFTY',
  symbol: 'NIFTY',
  companyName: 'NIFTY 50',
  lot: quantity(1),
  tick: price(5),
  freeze: ZERO_QUANTITY,
  kind: 'index',
  indexName: 'NIFTY 50',
};

const stock: Equity = {
  ...SHARE,
  id: instrumentId('NSE', 2_885),
  token: 2_885,
  tradingSymbol: 'RELIANCE-EQ',
  symbol: 'RELIANCE',
  companyName: 'Reliance Industries',
  tick: price(10),
  isin: 'INE002A01018',
};

const gross: Equity = {
  ...SHARE,
  id: instrumentId('NSE', 9_001),
  token: 9_001,
  tradingSymbol: 'GROSS-BE',
  symbol: 'GROSS',
  companyName: 'Gross Settled',
  isin: 'INE009A01099',
  series: 'BE',
  tradeForTrade: true,
  hasDerivatives: false,
};

const plain: Equity = {
  ...SHARE,
  id: instrumentId('NSE', 9_002),
  token: 9_002,
  tradingSymbol: 'PLAIN-EQ',
  symbol: 'PLAIN',
  companyName: 'Without Contracts',
  isin: 'INE009B01097',
  hasDerivatives: false,
};

function contract(token: number, of: Index | Equity, days: number, lot: number): Omit<Derivative, 'kind'> {
  const expiryDay = (FIRST_DAY + days) as IstDay;
  return {
    id: instrumentId('NFO', token),
    exchange: 'NFO',
    token,
    tradingSymbol: `${of.symbol}-${token}`,
    symbol: of.symbol,
    companyName: of.companyName,
    lot: quantity(lot),
    tick: price(5),
    freeze: quantity(lot * 27),
    underlying: of.id,
    underlyingKind: of.kind,
    expiryDay,
    expiresAt: istInstant(expiryDay, CLOSE_OF_CONTRACTS_MS) as EpochMs,
    listedOn: (FIRST_DAY - 60) as IstDay,
    cycle: 'monthly',
  };
}

function future(token: number, of: Index | Equity, days: number, lot: number): Future {
  return { ...contract(token, of, days, lot), kind: 'future' };
}

function option(
  token: number,
  of: Index | Equity,
  days: number,
  lot: number,
  strike: number,
  optionType: OptionType,
): Option {
  return { ...contract(token, of, days, lot), kind: 'option', strike: price(strike), optionType };
}

const INDEX_VOLATILITY = 0.12;
const STOCK_VOLATILITY = 0.28;

function onIndex(name: string, instrument: Derivative, close: number, impliedVolatility: number): Role {
  return { name, instrument, close: price(close), volatility: INDEX_VOLATILITY, impliedVolatility };
}

function onStock(name: string, instrument: Instrument, close: number): Role {
  return { name, instrument, close: price(close), volatility: STOCK_VOLATILITY, impliedVolatility: STOCK_VOLATILITY };
}

function strike(token: number, at: number, type: OptionType, close: number, implied: number): Role {
  const name = `${type === 'CE' ? 'C' : 'P'}${at}`;
  return onIndex(name, option(token, index, INDEX_DAYS, 65, at * 100, type), close, implied);
}

/**
 * The index, its contracts and prices of the worked examples, a stock with a future and an option that expire on the
 * fourth day, a trade-for-trade share, and one without contracts. Source: market-rules 4.3, R7.2.
 */
export const RULE_BOOK: Cast = [
  { name: 'NIFTY', instrument: index, close: price(24_000_00), volatility: INDEX_VOLATILITY, impliedVolatility: 0.12 },
  onIndex('FUT', future(50_001, index, INDEX_DAYS, 65), 24_138_50, INDEX_VOLATILITY),
  onIndex('FAR', future(50_002, index, INDEX_DAYS + 30, 65), 24_420_00, INDEX_VOLATILITY),
  strike(50_011, 24_000, 'CE', 428_85, 0.13),
  strike(50_012, 24_500, 'CE', 195_25, 0.125),
  strike(50_013, 25_000, 'CE', 70_80, 0.122),
  strike(50_014, 24_000, 'PE', 291_20, 0.13),
  strike(50_015, 23_500, 'PE', 143_30, 0.14),
  strike(50_016, 23_000, 'PE', 65_95, 0.15),
  onStock('RELIANCE', stock, 1_260_00),
  onStock('RFUT', future(50_021, stock, 3, 500), 1_261_00),
  onStock('R1240C', option(50_022, stock, 3, 500, 1_240_00, 'CE'), 26_00),
  onStock('R1300P', option(50_023, stock, 3, 500, 1_300_00, 'PE'), 44_00),
  onStock('GROSS', gross, 100_00),
  onStock('PLAIN', plain, 100_00),
];
