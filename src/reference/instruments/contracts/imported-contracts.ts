/**
 * The contracts of an imported file in columns, about 40 bytes each, and the series that stand in them. Parsing of the
 * file is in `master-csv.ts`; contracts by the rules of the exchanges are in `contract-book.ts`.
 */

import { must } from '../../../base/assert.ts';
import { EXCHANGES, type Exchange, type InstrumentId, instrumentId, tokenOf } from '../../../base/ids.ts';
import { lowerBound } from '../../../base/lower-bound.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { EpochMs, IstDay } from '../../../base/time.ts';
import type { Derivative } from '../../../core/instrument.ts';
import type { DerivativeExchange } from '../../rules/contract-cycles.ts';
import type { ContractRow, ImportedRow } from '../instrument-row.ts';
import { type ListedSeries, OPTION_TYPES } from '../listed-series.ts';
import { contractNameHead, makeContract } from './contract-series.ts';
import { contractSymbolTail, parseContractTail, type SymbolOption } from './contract-symbol.ts';

/** A file does not say when its contracts were listed; they count as listed this many days before their expiry. */
const ASSUMED_LIFE_DAYS = 90;

/** The lookups in the calendar and the cash rows that rows of contracts need. */
export interface ContractContext {
  underlyingOf(row: ImportedRow): InstrumentId;
  expiresAt(exchange: Exchange, day: IstDay): EpochMs;
  cycleOf(exchange: Exchange, day: IstDay): 'weekly' | 'monthly';
}

/** The columns of all imported contracts, ordered by series, then by strike, call before put, the future first. */
class Columns {
  readonly ids: Float64Array;
  /** Twice the strike in paise, 1 more for a put; 0 for a future: ascending within a series. */
  readonly terms: Float64Array;
  readonly lots: Int32Array;
  readonly freezes: Int32Array;
  readonly ticks: Int32Array;

  constructor(rows: readonly ImportedRow[]) {
    this.ids = Float64Array.from(rows, (row) => instrumentId(row.exchange, row.token));
    this.terms = Float64Array.from(rows, (row) => termsNumber(contractOf(row).option));
    this.lots = Int32Array.from(rows, (row) => row.lot);
    this.freezes = Int32Array.from(rows, (row) => row.freeze);
    this.ticks = Int32Array.from(rows, (row) => row.tick);
  }
}

/** The imported contracts of one underlying and one expiry: the rows [from, to) of the columns. */
export class ImportedSeries implements ListedSeries {
  readonly exchange: DerivativeExchange;
  readonly underlying: InstrumentId;
  readonly underlyingKind: 'index' | 'equity';
  readonly symbol: string;
  readonly expiryDay: IstDay;
  readonly cycle: 'weekly' | 'monthly';
  readonly symbolHead: string;
  readonly nameHead: string;
  readonly from: number;
  readonly to: number;
  private readonly columns: Columns;
  private readonly expiresAt: EpochMs;

  constructor(columns: Columns, from: number, to: number, first: ImportedRow, context: ContractContext) {
    const { symbol, underlyingKind, expiryDay, option } = contractOf(first);
    this.columns = columns;
    this.from = from;
    this.to = to;
    this.exchange = first.exchange === 'NFO' ? 'NFO' : 'BFO';
    this.underlying = context.underlyingOf(first);
    this.underlyingKind = underlyingKind;
    this.symbol = symbol;
    this.expiryDay = expiryDay;
    this.cycle = context.cycleOf(this.exchange, expiryDay);
    this.expiresAt = context.expiresAt(this.exchange, expiryDay);
    this.symbolHead = first.tradingSymbol.slice(0, -contractSymbolTail(this.exchange, option).length);
    this.nameHead = contractNameHead(this);
  }

  isLive(at: EpochMs): boolean {
    return at < this.expiresAt;
  }

  hasFutureOn(): boolean {
    return this.columns.terms[this.from] === 0;
  }

  strikesOn(): Price[] {
    const strikes = new Set<Price>();
    for (let row = this.from; row < this.to; row += 1) {
      const option = termsOf(this.columns.terms[row] as number);
      if (option) strikes.add(option.strike);
    }
    return [...strikes];
  }

  contract(option: SymbolOption | undefined): Derivative | undefined {
    const row = this.rowOf(option);
    return row === undefined ? undefined : this.at(row);
  }

  *contracts(): Generator<Derivative> {
    for (let row = this.from; row < this.to; row += 1) yield this.at(row);
  }

  countOn(): number {
    return this.to - this.from;
  }

  has(option: SymbolOption | undefined): boolean {
    return this.rowOf(option) !== undefined;
  }

  at(row: number): Derivative {
    const { ids, terms, lots, freezes, ticks } = this.columns;
    const figures = {
      token: tokenOf(ids[row] as InstrumentId),
      lot: lots[row] as Quantity,
      tick: ticks[row] as Price,
      freeze: freezes[row] as Quantity,
      expiresAt: this.expiresAt,
      listedOn: (this.expiryDay - ASSUMED_LIFE_DAYS) as IstDay,
    };
    return makeContract(this, figures, termsOf(terms[row] as number));
  }

  private rowOf(option: SymbolOption | undefined): number | undefined {
    const wanted = termsNumber(option);
    const row = lowerBound(this.from, this.to, (candidate) => (this.columns.terms[candidate] as number) < wanted);
    return row < this.to && this.columns.terms[row] === wanted ? row : undefined;
  }
}

export class ImportedContracts {
  /** By underlying symbol, then by expiry. */
  readonly series: readonly ImportedSeries[];
  private readonly columns: Columns;
  private readonly byHead = new Map<string, ImportedSeries>();
  private readonly byUnderlying = new Map<string, ImportedSeries[]>();
  /** Row numbers by ascending id. */
  private readonly byId: Uint32Array;

  constructor(rows: readonly ImportedRow[], context: ContractContext) {
    const ordered = rows.filter((row) => row.contract !== undefined).sort(compareRows);
    this.columns = new Columns(ordered);
    this.series = cutIntoSeries(ordered, this.columns, context);
    this.byId = Uint32Array.from(ordered.keys()).sort((a, b) => this.idAt(a) - this.idAt(b));
    for (const series of this.series) {
      this.byHead.set(`${series.exchange} ${series.symbolHead}`, series);
      const key = `${series.exchange} ${series.underlying}`;
      const others = this.byUnderlying.get(key);
      if (others) others.push(series);
      else this.byUnderlying.set(key, [series]);
    }
  }

  get(id: InstrumentId): Derivative | undefined {
    const count = this.byId.length;
    const place = lowerBound(0, count, (candidate) => this.idAt(this.byId[candidate] as number) < id);
    const row = this.byId[place];
    if (row === undefined || this.idAt(row) !== id) return undefined;
    const after = lowerBound(0, this.series.length, (candidate) => must(this.series[candidate], 'a series').to <= row);
    return must(this.series[after], 'a series').at(row);
  }

  /** The contract of an upper-case symbol, live or not. */
  find(exchange: DerivativeExchange, text: string): Derivative | undefined {
    if (this.series.length === 0) return undefined;
    for (let length = text.length - 1; length > 0; length -= 1) {
      const series = this.byHead.get(`${exchange} ${text.slice(0, length)}`);
      const tail = series && parseContractTail(exchange, text.slice(length));
      const found = tail && series.contract(tail.option);
      if (found) return found;
    }
    return undefined;
  }

  /** The series of an underlying, by ascending expiry. */
  seriesOf(exchange: DerivativeExchange, underlying: InstrumentId): readonly ImportedSeries[] {
    return this.byUnderlying.get(`${exchange} ${underlying}`) ?? [];
  }

  /** The imported series with the underlying and the expiry of another; its contracts replace those of the other. */
  twinOf(series: ListedSeries): ImportedSeries | undefined {
    if (this.series.length === 0) return undefined;
    return this.seriesOf(series.exchange, series.underlying).find((twin) => twin.expiryDay === series.expiryDay);
  }

  private idAt(row: number): number {
    return this.columns.ids[row] as number;
  }
}

function cutIntoSeries(rows: readonly ImportedRow[], columns: Columns, context: ContractContext): ImportedSeries[] {
  const series: ImportedSeries[] = [];
  let from = 0;
  rows.forEach((row, index) => {
    const next = rows[index + 1];
    if (next && compareSeries(row, next) === 0) return;
    series.push(new ImportedSeries(columns, from, index + 1, must(rows[from], 'a row'), context));
    from = index + 1;
  });
  return series;
}

function contractOf(row: ImportedRow): ContractRow {
  return must(row.contract, 'a row of a contract');
}

function termsNumber(option: SymbolOption | undefined): number {
  return option ? option.strike * OPTION_TYPES.length + OPTION_TYPES.indexOf(option.type) : 0;
}

function termsOf(terms: number): SymbolOption | undefined {
  if (terms === 0) return undefined;
  const strike = Math.floor(terms / OPTION_TYPES.length) as Price;
  return { strike, type: terms % OPTION_TYPES.length === 0 ? 'CE' : 'PE' };
}

function compareRows(a: ImportedRow, b: ImportedRow): number {
  return compareSeries(a, b) || termsNumber(contractOf(a).option) - termsNumber(contractOf(b).option);
}

function compareSeries(a: ImportedRow, b: ImportedRow): number {
  const [x, y] = [contractOf(a), contractOf(b)];
  const bySymbol = x.symbol < y.symbol ? -1 : x.symbol > y.symbol ? 1 : 0;
  return EXCHANGES.indexOf(a.exchange) - EXCHANGES.indexOf(b.exchange) || bySymbol || x.expiryDay - y.expiryDay;
}
