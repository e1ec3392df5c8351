/**
 * A small exchange for tests: an index of eight shares, their contracts, and a calendar with one holiday. It is made in
 * code, so that no test of the market depends on the files of reference data.
 */

import { type Exchange, type InstrumentId, instrumentId } from '../../base/ids.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import type { Price, Quantity } from '../../base/money.ts';
import { dayOfCivil, type IstDay, istInstant, MINUTE_MS, weekday } from '../../base/time.ts';
import type { Equity, Future, Index, Instrument, Instruments, Option, OptionType } from '../../core/instrument.ts';
import { ActionIndex, type ActionSource } from '../../reference/corporate-actions/announced-actions.ts';
import type { CashFacts, Constituent, MarketFacts } from '../../reference/instruments/facts.ts';
import { Sessions, type TradingHours } from '../session/sessions.ts';
import { KNOWN_DAYS } from './paths/span-of-days.ts';
import { Roster } from './roster.ts';
import { SyntheticMarket } from './synthetic-market.ts';

export function civil(year: number, month: number, day: number): IstDay {
  const found = dayOfCivil(year, month, day);
  if (found === undefined) throw new Error(`no such day: ${year}-${month}-${day}`);
  return found;
}

export const REFERENCE_DAY = civil(2026, 8, 21);
export const HOLIDAY = civil(2026, 10, 2);
export const EXPIRY = civil(2026, 10, 27);
export const LISTED_ON = civil(2026, 8, 3);
export const NIFTY = instrumentId('NSE', 26000);
export const VIX = instrumentId('NSE', 26017);
export const FUTURE = instrumentId('NFO', 50_000);
export const STOCK_FUTURE = instrumentId('NFO', 50_001);
export const BSE_SHARE = instrumentId('BSE', 500_001);
export const IDLE_SHARE = instrumentId('NSE', 9_000);
/** Around the money of the index, call and put of the same strike beside each other. */
export const OPTIONS: readonly InstrumentId[] = Array.from({ length: 10 }, (_, i) => instrumentId('NFO', 60_000 + i));

interface ShareFacts {
  readonly symbol: string;
  readonly close: number;
  readonly volatility: number;
  readonly volume: number;
  readonly sector: string;
  readonly beta: number;
}

const SHARES: readonly ShareFacts[] = [
  { symbol: 'ALPHABANK', close: 72_650, volatility: 0.22, volume: 20_000_000, sector: 'BANK', beta: 1 },
  { symbol: 'BETABANK', close: 140_000, volatility: 0.23, volume: 12_000_000, sector: 'BANK', beta: 1.05 },
  { symbol: 'CRUDE', close: 126_000, volatility: 0.26, volume: 11_000_000, sector: 'OIL', beta: 1.1 },
  { symbol: 'DATACO', close: 148_000, volatility: 0.27, volume: 7_000_000, sector: 'IT', beta: 0.9 },
  { symbol: 'ELECTRO', close: 36_400, volatility: 0.35, volume: 15_000_000, sector: 'METAL', beta: 1.2 },
  { symbol: 'FARMA', close: 163_000, volatility: 0.24, volume: 2_000_000, sector: 'PHARMA', beta: 0.7 },
  { symbol: 'GRAIN', close: 41_500, volatility: 0.2, volume: 9_000_000, sector: 'FMCG', beta: 0.6 },
  { symbol: 'HEAVYAUTO', close: 1_234_000, volatility: 0.28, volume: 400_000, sector: 'AUTO', beta: 1 },
];

export const SHARE_IDS: readonly InstrumentId[] = SHARES.map((_, i) => instrumentId('NSE', 1_000 + i));
export const SHARE = SHARE_IDS[2] as InstrumentId;

const instruments = new Map<InstrumentId, Instrument>();
const facts = new Map<InstrumentId, CashFacts>();

function common(exchange: Exchange, token: number, symbol: string, lot: number, tick: number) {
  return {
    id: instrumentId(exchange, token),
    exchange,
    token,
    tradingSymbol: symbol,
    symbol,
    companyName: symbol,
    lot: lot as Quantity,
    tick: tick as Price,
    freeze: 0 as Quantity,
  };
}

function addIndex(token: number, symbol: string, close: number, volatility: number): void {
  const index: Index = { ...common('NSE', token, symbol, 1, 5), kind: 'index', indexName: symbol };
  instruments.set(index.id, index);
  facts.set(index.id, {
    reference: close as Price,
    referenceDay: REFERENCE_DAY,
    volatility,
    dayVolume: 0,
    sector: 'MARKET',
    beta: 1,
  });
}

function addShare(exchange: Exchange, token: number, isin: string, tick: number, share: ShareFacts): void {
  const { symbol, close, volatility, volume, sector, beta } = share;
  const equity: Equity = {
    ...common(exchange, token, symbol, 1, tick),
    kind: 'equity',
    isin,
    series: 'EQ',
    tradeForTrade: false,
    hasDerivatives: true,
  };
  instruments.set(equity.id, equity);
  facts.set(equity.id, {
    reference: close as Price,
    referenceDay: REFERENCE_DAY,
    volatility,
    dayVolume: volume,
    sector,
    beta,
  });
}

function contract(token: number, symbol: string, underlying: InstrumentId, lot: number, tick: number) {
  return {
    ...common('NFO', token, symbol, lot, tick),
    underlying,
    underlyingKind: underlying === NIFTY ? ('index' as const) : ('equity' as const),
    expiryDay: EXPIRY,
    expiresAt: istInstant(EXPIRY, 940 * MINUTE_MS),
    listedOn: LISTED_ON,
    cycle: 'monthly' as const,
  };
}

addIndex(26000, 'NIFTY', 2_425_200, 0.125);
addIndex(26017, 'INDIAVIX', 1_300, 0.8);
addIndex(26012, 'NIFTY100', 2_500_000, 0.13);
SHARES.forEach((share, i) => {
  addShare('NSE', 1_000 + i, `INE${i}`, share.close > 1_000_000 ? 100 : share.close > 100_000 ? 10 : 5, share);
});
const crude = SHARES[2] as ShareFacts;
addShare('BSE', 500_001, 'INE2', 5, { ...crude, volume: 400_000 });
addShare('NSE', 9_000, 'INE9', 1, {
  ...crude,
  symbol: 'IDLE',
  close: 4_331,
  volatility: 0.5,
  volume: 60,
  sector: 'OTHER',
});
const indexFuture: Future = { ...contract(50_000, 'NIFTY', NIFTY, 65, 10), kind: 'future' };
const stockFuture: Future = { ...contract(50_001, 'CRUDE', SHARE, 500, 10), kind: 'future' };
instruments.set(indexFuture.id, indexFuture);
instruments.set(stockFuture.id, stockFuture);
OPTIONS.forEach((id, i) => {
  const optionType: OptionType = i % 2 === 0 ? 'CE' : 'PE';
  const strike = ((23_000 + 500 * Math.floor(i / 2)) * 100) as Price;
  const option: Option = { ...contract(60_000 + i, 'NIFTY', NIFTY, 65, 5), kind: 'option', strike, optionType };
  instruments.set(id, option);
});

const members: readonly Constituent[] = SHARE_IDS.map((id) => ({ id, weight: 1 / SHARES.length }));

export const FACTS: MarketFacts = {
  factsOf: (id) => facts.get(id),
  constituentsOf: (id) => (id === NIFTY ? members : []),
  twinOf: (id) => (id === BSE_SHARE ? SHARE : id === SHARE ? BSE_SHARE : undefined),
};

export const CALENDAR: TradingHours = {
  phases(instrument, day) {
    return this.exchangePhases(instrument.exchange, day);
  },
  exchangePhases(exchange, day) {
    const hours = this.hours(exchange, day);
    if (hours === undefined) return [];
    const [start, end] = [hours.open * MINUTE_MS, hours.close * MINUTE_MS];
    return [{ phase: 'Continuous', start, randomFrom: end, end }];
  },
  hours(exchange, day) {
    const dayOfWeek = weekday(day);
    if (dayOfWeek === 0 || dayOfWeek === 6 || day === HOLIDAY) return undefined;
    return { open: 555, close: exchange === 'NFO' || exchange === 'BFO' ? 940 : 930 };
  },
};

/** The master of the fixture. */
export const fixtureInstruments: Instruments = { get: (id) => instruments.get(id) };

/** A fresh market that has been asked nothing yet. */
export function freshMarket(
  regime: HoursRegime = 'exchange',
  seed = 20_260_821,
  actions?: ActionSource,
  listed: Instruments = fixtureInstruments,
): SyntheticMarket {
  return new SyntheticMarket({
    seed,
    regime,
    instruments: listed,
    facts: FACTS,
    calendar: CALENDAR,
    ...(actions === undefined ? {} : { actions }),
  });
}

/** The models of its instruments, without corporate actions. */
export function freshRoster(regime: HoursRegime, seed: number): Roster {
  const terms = { seed, regime, instruments: fixtureInstruments, facts: FACTS };
  return new Roster(terms, new Sessions(regime, CALENDAR, seed, KNOWN_DAYS), new ActionIndex([]));
}

/** Every instrument of the fixture. */
export const ALL_IDS: readonly InstrumentId[] = [...instruments.keys()];
