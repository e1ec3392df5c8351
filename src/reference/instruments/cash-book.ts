/**
 * Indices and shares: by id, and by the names that a client may use for them, whatever the letter case; and their rows
 * in the data folder. Futures and options are in `contracts`. Rows of an imported file are added in `master.ts`.
 */
import { type Exchange, type InstrumentId, instrumentId } from '../../base/ids.ts';
import { type Price, quantity } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { Equity, Index } from '../../core/instrument.ts';
import { CASH_EXCHANGES, type CashExchange } from '../calendar/trading-calendar.ts';
import type { DataRow } from '../rules/data-table.ts';
import type { TickBands } from '../rules/tick-bands.ts';
import type { ContractTerms } from './contracts/contract-terms.ts';

/** Delivery only, settled gross. Source: market-rules R1.4. */
const TRADE_FOR_TRADE: Readonly<Record<CashExchange, ReadonlySet<string>>> = {
  NSE: new Set(['BE', 'BZ', 'ST', 'SZ']),
  BSE: new Set(['T', 'TS', 'XT', 'Z', 'ZP', 'MT']),
};
const INDEX_TICK = 5 as Price;

export type CashInstrument = Index | Equity;

export class CashBook {
  /** In the order of the symbol file: indices first. */
  readonly instruments: readonly CashInstrument[];
  private readonly byId = new Map<InstrumentId, CashInstrument>();
  private readonly byName: Record<CashExchange, Map<string, CashInstrument>> = { NSE: new Map(), BSE: new Map() };
  private readonly aliases = new Map<InstrumentId, readonly string[]>();

  /**
   * `aliasesOf` gives the other names of an index, in upper case. A share's symbol wins over an alias of the same
   * spelling. A delisted instrument is known by its id alone.
   */
  constructor(
    instruments: readonly CashInstrument[],
    delisted: readonly CashInstrument[],
    aliasesOf: (index: Index) => readonly string[],
  ) {
    this.instruments = instruments;
    for (const instrument of delisted) this.byId.set(instrument.id, instrument);
    for (const instrument of instruments) {
      this.byId.set(instrument.id, instrument);
      this.namesOf(instrument).set(instrument.tradingSymbol, instrument);
    }
    for (const instrument of instruments) {
      if (instrument.kind !== 'index') continue;
      const aliases = [instrument.indexName.toUpperCase(), ...aliasesOf(instrument)];
      this.aliases.set(instrument.id, aliases);
      for (const alias of aliases) this.addAlias(alias, instrument);
    }
  }

  get(id: InstrumentId): CashInstrument | undefined {
    return this.byId.get(id);
  }

  /** The index or share of an upper-case name. Source: contract R7. */
  find(exchange: Exchange, name: string): CashInstrument | undefined {
    return exchange === 'NSE' || exchange === 'BSE' ? this.byName[exchange].get(name) : undefined;
  }

  aliasesOf(id: InstrumentId): readonly string[] {
    return this.aliases.get(id) ?? [];
  }

  private addAlias(alias: string, instrument: Index): void {
    const names = this.namesOf(instrument);
    if (!names.has(alias)) names.set(alias, instrument);
  }

  private namesOf(instrument: CashInstrument): Map<string, CashInstrument> {
    return this.byName[instrument.exchange === 'NSE' ? 'NSE' : 'BSE'];
  }
}

/** An index row of the data folder. */
export function readIndex(row: DataRow): Index {
  const exchange = row.oneOf('exchange', CASH_EXCHANGES);
  return makeIndex(exchange, row.number('token'), row.text('symbol'), row.text('name'));
}

/** An index is quoted and never traded: lot 1, tick 0.05, no freeze. Source: market-rules R1.2. */
export function makeIndex(exchange: CashExchange, token: number, symbol: string, name: string): Index {
  return {
    kind: 'index',
    id: instrumentId(exchange, token),
    exchange,
    token,
    tradingSymbol: symbol,
    symbol,
    companyName: name,
    indexName: name,
    lot: quantity(1),
    tick: INDEX_TICK,
    freeze: quantity(0),
  };
}

/** The rules that the terms of an equity come from. */
export interface EquityRules {
  readonly ticks: TickBands;
  readonly terms: ContractTerms;
  /** The day whose tick and freeze tables hold. */
  readonly day: IstDay;
}

/** An equity row of the data folder; `hasDerivatives` answers whether an id has contracts. */
export function readEquity(
  exchange: CashExchange,
  row: DataRow,
  rules: EquityRules,
  hasDerivatives: (id: InstrumentId) => boolean,
): Equity {
  const token = row.number('token');
  const symbol = row.text('symbol');
  const series = row.text(exchange === 'NSE' ? 'series' : 'group');
  const tradingSymbol = exchange === 'NSE' ? `${symbol}-${series}` : symbol;
  const id = instrumentId(exchange, token);
  return {
    kind: 'equity',
    id,
    exchange,
    token,
    tradingSymbol,
    symbol,
    companyName: row.text('name'),
    isin: row.text('isin'),
    series,
    lot: quantity(row.number('lot')),
    tick: row.optionalPrice('tick') ?? rules.ticks.tickOf(exchange, 'cash', row.price('close'), rules.day),
    freeze: rules.terms.freeze(exchange, tradingSymbol, rules.day),
    tradeForTrade: isTradeForTrade(exchange, series),
    hasDerivatives: hasDerivatives(id),
  };
}

export function isTradeForTrade(exchange: CashExchange, series: string): boolean {
  return TRADE_FOR_TRADE[exchange].has(series);
}
