import { exchangeOf, type InstrumentId, instrumentId, tokenOf } from '../src/base/ids.ts';
import { price, quantity } from '../src/base/money.ts';
import { type IstDay, istInstant, weekday } from '../src/base/time.ts';
import type { Derivative, Equity, Index, Instrument, Instruments, OptionType } from '../src/core/instrument.ts';
import type { TradingDays } from '../src/core/trading-days.ts';

/** Contracts stop trading at 15:30 IST on the day of their expiry. */
const EXPIRY_MS = 55_800_000;
const TUESDAY = 2;
/**
 * Contracts of an expiry are listed this many days before it: at every moment those of this week and of the next trade.
 */
const LISTED_DAYS = 14;
const FIRST_CONTRACT = 60_000;
const TOKENS_A_SERIES = 20;
const FREEZE_LOTS = 24;

function basics(exchange: Instrument['exchange'], token: number, symbol: string, lot: number, freeze: number) {
  return {
    id: instrumentId(exchange, token),
    exchange,
    token,
    tradingSymbol: symbol,
    symbol,
    companyName: symbol,
    lot: quantity(lot),
    tick: price(5),
    freeze: quantity(freeze),
  };
}

function share(exchange: 'NSE' | 'BSE', token: number, symbol: string, more: Partial<Equity>): Equity {
  const isin = `INE${String(token).padStart(6, '0')}010`;
  const plain = { kind: 'equity', isin, series: 'EQ', tradeForTrade: false, hasDerivatives: false } as const;
  return { ...basics(exchange, token, symbol, 1, 5_000), ...plain, ...more };
}

/** The index whose level halts the market when it moves too far. */
export const INDEX: Index = { ...basics('NSE', 26_000, 'NIFTY', 1, 0), kind: 'index', indexName: 'NIFTY 50' };
const ALPHA_ISIN = 'INE000A01010';
/** A share with contracts, listed twice. */
export const ALPHA = share('NSE', 101, 'ALPHA-EQ', { isin: ALPHA_ISIN, hasDerivatives: true });
export const ALPHA_BSE = share('BSE', 500_101, 'ALPHA', { isin: ALPHA_ISIN, hasDerivatives: true });
/** A share without contracts. */
export const BETA = share('NSE', 102, 'BETA-EQ', {});
/** A share that is settled gross. */
export const GAMMA = share('NSE', 103, 'GAMMA-BE', { series: 'BE', tradeForTrade: true });
export const CASH: readonly Equity[] = [ALPHA, ALPHA_BSE, BETA, GAMMA];

const INDEX_STRIKES = [23_800_00, 24_000_00, 24_200_00];
const ALPHA_STRIKES = [1_260_00];

/**
 * A small exchange: an index, four listings of three shares, and every week a future and a few options on the index and
 * on one share. Few enough that users meet, of every kind that there is. A contract is a function of its token, so one
 * that expired is still known.
 */
export class SmallExchange implements Instruments {
  private readonly days: TradingDays;
  private readonly firstTuesday: IstDay;
  private readonly known = new Map<InstrumentId, Instrument>();
  private readonly series = new Map<number, readonly Derivative[]>();

  /** The exchange from the week of `first` on. */
  constructor(first: IstDay, days: TradingDays) {
    this.days = days;
    let tuesday = first;
    while (weekday(tuesday) !== TUESDAY) tuesday = (tuesday + 1) as IstDay;
    this.firstTuesday = tuesday;
    for (const instrument of [INDEX, ...CASH]) this.known.set(instrument.id, instrument);
  }

  get(id: InstrumentId): Instrument | undefined {
    const known = this.known.get(id);
    if (known !== undefined || exchangeOf(id) !== 'NFO') return known;
    const week = Math.floor((tokenOf(id) - FIRST_CONTRACT) / TOKENS_A_SERIES);
    if (week >= 0) this.contractsOf(week);
    return this.known.get(id);
  }

  /** The contracts that trade on a day, those that expire first in front. */
  contracts(day: IstDay): readonly Derivative[] {
    const week = Math.max(0, Math.floor((day - this.firstTuesday + 6) / 7));
    const found = [week, week + 1].flatMap((of) => this.contractsOf(of));
    return found.filter(({ listedOn, expiryDay }) => listedOn <= day && day <= expiryDay);
  }

  private contractsOf(week: number): readonly Derivative[] {
    const known = this.series.get(week);
    if (known !== undefined) return known;
    const made = this.make(week);
    this.series.set(week, made);
    for (const contract of made) this.known.set(contract.id, contract);
    return made;
  }

  private make(week: number): Derivative[] {
    let expiryDay = (this.firstTuesday + 7 * week) as IstDay;
    while (!this.days.isTradingDay(expiryDay)) expiryDay = (expiryDay - 1) as IstDay;
    let token = FIRST_CONTRACT + week * TOKENS_A_SERIES;
    const made: Derivative[] = [];
    const add = (underlying: Index | Equity, lot: number, strike?: number, optionType: OptionType = 'CE'): void => {
      const name =
        strike === undefined ? `${underlying.symbol}-${week}-F` : `${underlying.symbol}-${week}-${strike}${optionType}`;
      const terms = {
        ...basics('NFO', token, name, lot, lot * FREEZE_LOTS),
        underlying: underlying.id,
        underlyingKind: underlying.kind,
        expiryDay,
        expiresAt: istInstant(expiryDay, EXPIRY_MS),
        listedOn: (expiryDay - LISTED_DAYS) as IstDay,
        cycle: 'weekly' as const,
      };
      made.push(
        strike === undefined
          ? { ...terms, kind: 'future' }
          : { ...terms, kind: 'option', strike: price(strike), optionType },
      );
      token += 1;
    };
    add(INDEX, 65);
    for (const strike of INDEX_STRIKES) for (const type of ['CE', 'PE'] as const) add(INDEX, 65, strike, type);
    add(ALPHA, 250);
    for (const strike of ALPHA_STRIKES) for (const type of ['CE', 'PE'] as const) add(ALPHA, 250, strike, type);
    return made;
  }
}
