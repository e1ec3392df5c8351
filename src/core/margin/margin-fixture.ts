/**
 * A margin desk for tests: instruments with stated prices and volatilities, valued by Black and Scholes as market-rules
 * 4.3 values them. Production code does not use it.
 */

import { must } from '../../base/assert.ts';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import { amountOf, type Paise, type Price, price, quantity, ZERO_PAISE, ZERO_PRICE } from '../../base/money.ts';
import { type EpochMs, type IstDay, istDay } from '../../base/time.ts';
import type { Portfolio, Position } from '../account.ts';
import type { MarginParts } from '../event.ts';
import type { Derivative, Equity, Instrument, OptionType } from '../instrument.ts';
import { isDerivative, marginGroup } from '../instrument.ts';
import { type Market, NO_TURNOVER, noInterest, type RiskFigures } from '../market.ts';
import type { Product, Side } from '../order.ts';
import { rowsIn, setRowsIn } from '../portfolio.ts';
import { addFill, addOpen, emptyPosition, positionFacts } from '../position.ts';
import type { ContractRates, GroupRates, MarginRates, MarginTable, VarGroup } from './rates/margin-rates.ts';

const RATE = 0.07;
/** Black and Scholes need some time to be left, and some volatility. */
const LEAST_DAYS = 0.01;
const LEAST_VOLATILITY = 0.01;
/** The day of the figures. */
export const TODAY = 20_000 as IstDay;
export const NIFTY = 1 as InstrumentId;
export const RELIANCE = 5 as InstrumentId;

/** The prices that the market of a test shows for one underlying. Prices in paise. */
export interface Shown {
  readonly spot: number;
  readonly spotClose?: number;
  readonly volatility: number;
}

/** An instrument with its price, and of an option the volatility that it is valued with. */
export interface Quoted {
  readonly instrument: Instrument;
  readonly price: number;
  readonly volatility?: number;
}

/**
 * Futures and short options of an index by the rules of 2026. Source: market-rules R4.1, R4.2, R4.7, R4.13 to R4.16,
 * R4.38.
 */
export const OF_INDEX: ContractRates = {
  priceFloor: 930,
  longDatedPriceFloor: 1_770,
  volatilityFloor: 400,
  calendarRate: 175,
  spreadsOnExpiryDay: false,
  exposure: 200,
  farFrom: 1_000,
  farExposure: 300,
  longDatedExposure: 500,
  expiryDayExposure: 200,
};
/** The same of a stock. */
export const OF_STOCK: ContractRates = {
  priceFloor: 1_420,
  longDatedPriceFloor: 1_420,
  volatilityFloor: 1_000,
  calendarRate: 220,
  spreadsOnExpiryDay: false,
  exposure: 350,
  farFrom: 3_000,
  farExposure: 525,
  longDatedExposure: 350,
  expiryDayExposure: 0,
};
const GROUPS: Readonly<Record<VarGroup, GroupRates>> = {
  first: { deviations: 6, valueAtRisk: 900, extremeLoss: 350, intraday: 2_000 },
  second: { deviations: 0, valueAtRisk: 2_150, extremeLoss: 350, intraday: 2_000 },
  third: { deviations: 0, valueAtRisk: 5_000, extremeLoss: 350, intraday: 2_000 },
  tradeForTrade: { deviations: 0, valueAtRisk: 7_500, extremeLoss: 350, intraday: 10_000 },
  broadIndexFund: { deviations: 6, valueAtRisk: 900, extremeLoss: 200, intraday: 2_000 },
};
const GROUP_OF_SERIES: Readonly<Record<string, VarGroup>> = { EQ: 'first', A: 'first', SM: 'second', X: 'second' };
export const NIFTY_FUND = 'INF204KB14I2';
export const RATES: MarginRates = {
  delivery: { longOption: [100, 70, 45, 25, 10], ofNormal: 150, ofValue: 50 },
  contracts: ({ underlyingKind }) => (underlyingKind === 'index' ? OF_INDEX : OF_STOCK),
  group: (name) => GROUPS[name],
  groupOfSeries: (series) => GROUP_OF_SERIES[series] ?? 'third',
  isBroadIndexFund: (isin) => isin === NIFTY_FUND,
};
/** The figures of all days. */
export const MARGINS: MarginTable = { on: () => RATES };

export type Terms = { kind: 'future' } | { kind: 'option'; strike: Price; optionType: OptionType };

function base(id: number, tradingSymbol: string, symbol: string, exchange: 'NSE' | 'NFO') {
  return {
    id: id as InstrumentId,
    exchange,
    token: id,
    tradingSymbol,
    symbol,
    companyName: symbol,
    lot: quantity(1),
    tick: price(5),
    freeze: quantity(0),
  };
}

/** A contract on NIFTY, or on RELIANCE, that expires this number of days after TODAY. */
export function contract(id: number, terms: Terms, days = 30, underlying: InstrumentId = NIFTY): Derivative {
  const symbol = underlying === NIFTY ? 'NIFTY' : 'RELIANCE';
  return {
    ...base(id, `${symbol}${id}`, symbol, 'NFO'),
    underlying,
    underlyingKind: underlying === NIFTY ? 'index' : 'equity',
    expiryDay: (TODAY + days) as IstDay,
    expiresAt: 0 as EpochMs,
    listedOn: 0 as IstDay,
    cycle: 'monthly',
    ...terms,
  };
}

export function call(id: number, rupees: number, days?: number, underlying?: InstrumentId): Derivative {
  return contract(id, { kind: 'option', strike: price(rupees * 100), optionType: 'CE' }, days, underlying);
}

export function put(id: number, rupees: number, days?: number, underlying?: InstrumentId): Derivative {
  return contract(id, { kind: 'option', strike: price(rupees * 100), optionType: 'PE' }, days, underlying);
}

export function share(id: number, facts: Partial<Equity> = {}): Equity {
  return {
    ...base(id, 'RELIANCE-EQ', 'RELIANCE', 'NSE'),
    kind: 'equity',
    isin: 'INE002A01018',
    series: 'EQ',
    tradeForTrade: false,
    hasDerivatives: true,
    ...facts,
  };
}

/** The normal distribution by Simpson's rule: slow and plain. */
function normal(x: number): number {
  if (Math.abs(x) > 9) return x > 0 ? 1 : 0;
  const steps = 400;
  const width = x / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i += 1) {
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-((i * width) ** 2) / 2);
  }
  return 0.5 + (sum * width) / 3 / Math.sqrt(2 * Math.PI);
}

function d1(spot: number, strike: number, years: number, volatility: number): number {
  return (Math.log(spot / strike) + (RATE + volatility ** 2 / 2) * years) / (volatility * Math.sqrt(years));
}

/** The value of an option by Black and Scholes; rupees or paise, as the spot and the strike are. */
export function blackScholes(
  type: OptionType,
  spot: number,
  strike: number,
  years: number,
  volatility: number,
): number {
  const first = d1(spot, strike, years, volatility);
  const discounted = strike * Math.exp(-RATE * years);
  const ofCall = spot * normal(first) - discounted * normal(first - volatility * Math.sqrt(years));
  return type === 'CE' ? ofCall : ofCall - spot + discounted;
}

/**
 * Figures of one instrument; `daysLeft` are calendar days to its expiry, `forward` the price of its future in paise.
 */
function figuresOf(
  { instrument, price: last, volatility: own = 0 }: Quoted,
  shown: Shown,
  daysLeft: number,
  forward: number | undefined,
): RiskFigures {
  const { spot, spotClose = spot, volatility } = shown;
  const years = Math.max(daysLeft, LEAST_DAYS) / 365;
  const common = {
    price: price(last),
    spot: price(spot),
    spotClose: price(spotClose),
    forward: price(forward ?? Math.round(spot * Math.exp(RATE * years))),
    volatility,
  };
  if (instrument.kind !== 'option') {
    return { ...common, value: last, reprice: (move) => last + spot * move, delta: () => 1 };
  }
  const { optionType, strike } = instrument;
  const later = Math.max(daysLeft - 1, LEAST_DAYS) / 365;
  return {
    ...common,
    value: blackScholes(optionType, spot, strike, years, own),
    reprice: (move, points) =>
      blackScholes(optionType, spot * (1 + move), strike, later, Math.max(own + points, LEAST_VOLATILITY)),
    delta: (move) => normal(d1(spot * (1 + move), strike, years, own)) - (optionType === 'CE' ? 0 : 1),
  };
}

/** A market with the figures that a test gives: `Shown` of each underlying, `Quoted` of each instrument. */
export function riskMarket(
  shown: ReadonlyMap<InstrumentId, Shown>,
  quoted: readonly Quoted[],
  daysToExpiry?: number,
): Market {
  const byId = new Map(quoted.map((one) => [one.instrument.id, one]));
  return {
    tickAt: () => 0 as Tick,
    phase: () => 'Continuous',
    isOpen: () => true,
    depth: () => ({ bids: [], asks: [] }),
    quantityAt: () => quantity(0),
    print: () => undefined,
    lastPrint: () => ({ tick: 0 as Tick, price: ZERO_PRICE, quantity: quantity(0), aggressor: 'B' }),
    turnover: () => NO_TURNOVER,
    previousClose: () => ZERO_PRICE,
    auction: () => noInterest(ZERO_PRICE),
    band: () => ({ lower: price(0), upper: price(10 ** 9) }),
    risk: (id, tick) => {
      const one = must(byId.get(id), `instrument ${id} is quoted`);
      const { instrument } = one;
      const ofUnderlying = must(shown.get(marginGroup(instrument)), 'its underlying is shown');
      if (!isDerivative(instrument)) return figuresOf(one, ofUnderlying, 0, undefined);
      const left = instrument.expiryDay - istDay((tick * 1_000) as EpochMs);
      return figuresOf(one, ofUnderlying, daysToExpiry ?? left, futurePrice(instrument, quoted));
    },
  };
}

function futurePrice({ underlying, expiryDay }: Derivative, quoted: readonly Quoted[]): number | undefined {
  const future = quoted.find(
    ({ instrument: other }) =>
      other.kind === 'future' && other.underlying === underlying && other.expiryDay === expiryDay,
  );
  return future?.price;
}

/** Fills or open orders: side, units, price in paise. */
export type Fills = readonly (readonly [Side, units: number, at: number])[];

export function row(instrument: Instrument, product: Product, fills: Fills, open: Fills = []): Position {
  const made = emptyPosition(positionFacts(instrument), product);
  for (const [side, units, at] of fills) addFill(made, side, quantity(units), amountOf(price(at), quantity(units)));
  for (const [side, units, at] of open) addOpen(made, side, units, units * at);
  return made;
}

export const NO_PARTS: MarginParts = { span: ZERO_PAISE, exposure: ZERO_PAISE, premium: ZERO_PAISE, cash: ZERO_PAISE };

/** The portfolio of some rows. */
export function portfolio(...rows: readonly Position[]): Portfolio {
  const group = rows[0]?.group ?? NIFTY;
  const made: Portfolio = { group, parts: NO_PARTS, shares: [], legs: new Map(), sums: undefined, touched: [] };
  for (const one of rows) setRowsIn(made, one.instrument, [...rowsIn(made, one.instrument), one]);
  return made;
}

export function totalOf({ span, exposure, premium, cash }: MarginParts): Paise {
  return (span + exposure + premium + cash) as Paise;
}
