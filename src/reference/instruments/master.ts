/**
 * Every instrument: indices and shares from facts, futures and options by the dated rules, and the rows that an
 * operator imported. The listed instruments are a function of the instant asked for; ids never change. Prices and
 * margins of instruments are elsewhere.
 */
import { must } from '../../base/assert.ts';
import {
  type Exchange,
  exchangeOf,
  type InstrumentId,
  instrumentId,
  type SymbolFile,
  tokenOf,
} from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import { asciiUpper, withoutBlanks } from '../../base/printable.ts';
import { type EpochMs, type IstDay, istDay } from '../../base/time.ts';
import {
  type Derivative,
  type Index,
  type Instrument,
  type InstrumentDirectory,
  isDerivative,
  type Option,
} from '../../core/instrument.ts';
import { contractExchangeOf, houseOf } from '../calendar/trading-calendar.ts';
import { DERIVATIVE_EXCHANGES, type DerivativeExchange } from '../rules/contract-cycles.ts';
import { CashBook, type CashInstrument, isTradeForTrade, makeIndex } from './cash-book.ts';
import { ContractBook, type ContractRules } from './contracts/contract-book.ts';
import { type ContractMatch, ContractSearch } from './contracts/contract-search.ts';
import type { SymbolOption } from './contracts/contract-symbol.ts';
import { type ContractContext, ImportedContracts, ImportedSeries } from './contracts/imported-contracts.ts';
import type { Underlying } from './contracts/underlying.ts';
import { type ContractRow, type ImportedRow, isIndexRow, type LineError } from './instrument-row.ts';
import type { ListedSeries } from './listed-series.ts';
import { PackedSearch, RANK_COUNT, type SearchedRecord, searchQuery } from './packed-search.ts';
import { representationName } from './representation-name.ts';
import { symbolLines } from './symbol-file.ts';

/** The parts of the master; `load.ts` reads them from the data folder. */
export interface MasterParts {
  readonly cash: readonly CashInstrument[];
  readonly aliasesOf: (index: Index) => readonly string[];
  readonly underlyings: readonly Underlying[];
  readonly contractRules: ContractRules;
  /** Rows of imported files; each wins over the built-in row of its symbol or its token. */
  readonly imported: readonly ImportedRow[];
  /** Rows of earlier files that the later ones left out: known by their ids alone, for what was traded in them. */
  readonly delisted: readonly ImportedRow[];
  /** The members of indices: with the underlyings, what other instruments stand on. */
  readonly members: ReadonlySet<InstrumentId>;
}

/** The search over the contracts of a day. */
interface KnownSearch {
  readonly day: IstDay;
  /** The changes of the books' series under which it was made. */
  readonly changes: number;
  readonly search: ContractSearch;
}

export class InstrumentMaster implements InstrumentDirectory {
  private readonly cash: CashBook;
  private readonly books: Record<DerivativeExchange, ContractBook>;
  private readonly imported: ImportedContracts;
  private readonly delisted: ImportedContracts;
  private readonly foundations: ReadonlySet<InstrumentId>;
  private readonly rules: ContractRules;
  private readonly cashSearch: PackedSearch;
  private contractSearch: KnownSearch | undefined;

  constructor(parts: MasterParts) {
    this.rules = parts.contractRules;
    this.books = {
      NFO: new ContractBook('NFO', parts.underlyings, parts.contractRules),
      BFO: new ContractBook('BFO', parts.underlyings, parts.contractRules),
    };
    const { listed, delisted } = withImportedCash(parts);
    this.cash = new CashBook(listed, delisted, parts.aliasesOf);
    this.foundations = new Set([...parts.members, ...parts.underlyings.map(({ id }) => id)]);
    const context: ContractContext = {
      underlyingOf: (row) => (this.cashOfContract(row) ?? underlyingAmong(delisted, row))?.id ?? instrumentId('NSE', 0),
      expiresAt: (exchange, day) => this.rules.calendar.closingInstant(exchange, day),
      cycleOf: (exchange, day) => this.cycleOf(exchange, day),
    };
    this.imported = new ImportedContracts(parts.imported, context);
    this.delisted = new ImportedContracts(parts.delisted, context);
    this.cashSearch = new PackedSearch(this.cash.instruments.map((instrument) => this.searchedRecord(instrument)));
  }

  get(id: InstrumentId): Instrument | undefined {
    const exchange = exchangeOf(id);
    if (exchange === 'NSE' || exchange === 'BSE') return this.cash.get(id);
    return this.imported.get(id) ?? this.books[exchange].byToken(tokenOf(id)) ?? this.delisted.get(id);
  }

  listed(id: InstrumentId, at: EpochMs): Instrument | undefined {
    const exchange = exchangeOf(id);
    if (exchange === 'NSE' || exchange === 'BSE') return this.cash.get(id);
    const generated = (): Derivative | undefined => this.books[exchange].byTokenAt(tokenOf(id), at);
    const contract = this.imported.get(id) ?? generated() ?? this.delisted.get(id);
    return contract && at < contract.expiresAt ? contract : undefined;
  }

  find(exchange: Exchange, tradingSymbol: string, at: EpochMs): Instrument | undefined {
    const name = normalised(tradingSymbol);
    if (exchange === 'NSE' || exchange === 'BSE') return this.cash.find(exchange, name);
    const imported = this.imported.find(exchange, name);
    if (imported) return at < imported.expiresAt ? imported : undefined;
    return this.books[exchange].bySymbolAt(name, at);
  }

  search(text: string, limit: number, at: EpochMs): readonly Instrument[] {
    const query = searchQuery(text);
    if (!query) return [];
    const cash = this.cashSearch.search(query, limit);
    const contracts = this.contractSearchOn(at).search(query, limit, at);
    const found: Instrument[] = [];
    for (let rank = 0; rank < RANK_COUNT; rank += 1) {
      for (const number of cash[rank] ?? []) {
        if (found.length < limit) found.push(this.cash.instruments[number] as CashInstrument);
      }
      for (const match of contracts[rank] ?? []) {
        const contract = found.length < limit ? this.contractOfMatch(match) : undefined;
        if (contract) found.push(contract);
      }
    }
    return found;
  }

  indices(): readonly Index[] {
    return this.cash.instruments.filter((instrument): instrument is Index => instrument.kind === 'index');
  }

  expiries(underlying: InstrumentId, at: EpochMs): readonly IstDay[] {
    const days = new Set(this.seriesOf(underlying, at).map((series) => series.expiryDay));
    return [...days].sort((a, b) => a - b);
  }

  chain(underlying: InstrumentId, expiry: IstDay, at: EpochMs): readonly Option[] {
    const options: Option[] = [];
    let sources = 0;
    for (const series of this.seriesOf(underlying, at)) {
      if (series.expiryDay !== expiry) continue;
      sources += 1;
      for (const contract of this.contractsOf(series, at)) if (contract.kind === 'option') options.push(contract);
    }
    return sources < 2
      ? options
      : options.sort((a, b) => a.strike - b.strike || (a.optionType < b.optionType ? -1 : 1));
  }

  underlyingOf(exchange: Exchange, name: string, at: EpochMs): InstrumentId | undefined {
    const house = houseOf(exchange);
    const segment = contractExchangeOf(exchange);
    const book = this.books[segment];
    const upper = normalised(name);
    const bare = upper.replace(/-(EQ|BE)$/, '');
    const generated = book.underlyingBySymbol(upper) ?? book.underlyingBySymbol(bare);
    if (generated) return generated.id;
    const cash = this.cash.find(house, upper) ?? this.cash.find(house, house === 'NSE' ? `${bare}-EQ` : bare);
    if (cash) return this.seriesOf(cash.id, at).length > 0 ? cash.id : undefined;
    const contract = this.find(segment, upper, at);
    return contract && isDerivative(contract) ? contract.underlying : undefined;
  }

  *list(exchange: Exchange, at: EpochMs): Generator<Instrument> {
    if (exchange === 'NSE' || exchange === 'BSE') {
      for (const instrument of this.cash.instruments) if (instrument.exchange === exchange) yield instrument;
      return;
    }
    for (const series of this.liveSeries(exchange, at)) yield* this.contractsOf(series, at);
  }

  count(at: EpochMs): number {
    let count = this.cashCount;
    for (const exchange of DERIVATIVE_EXCHANGES) {
      for (const series of this.liveSeries(exchange, at)) count += this.countOf(series, at);
    }
    return count;
  }

  /** The lines of a symbol file at an instant, without their ends. Source: contract section 5. */
  symbolLines(file: SymbolFile, at: EpochMs): Generator<string> {
    return symbolLines(file, file === 'Indices' ? this.indexDerivatives(at) : this.list(file, at));
  }

  /** The other names of an index, in upper case. */
  aliasesOf(index: InstrumentId): readonly string[] {
    return this.cash.aliasesOf(index);
  }

  /**
   * Why rows cannot be taken beside `others`: contracts on an underlying that nothing knows, and what would take the
   * symbol or the token of a built-in index or share that other instruments stand on.
   */
  importProblems(rows: readonly ImportedRow[], others: readonly ImportedRow[]): readonly LineError[] {
    const cash = [...others, ...rows].filter((row) => !row.contract);
    const symbols = new Set(cash.map((row) => `${row.exchange} ${row.tradingSymbol}`));
    const problems: LineError[] = [];
    for (const row of rows) {
      const reason = row.contract ? this.underlyingProblem(row, row.contract, symbols) : this.cashProblem(row);
      if (reason !== undefined) problems.push({ line: row.line, reason });
    }
    return problems;
  }

  private underlyingProblem(
    row: ImportedRow,
    { symbol }: ContractRow,
    symbols: ReadonlySet<string>,
  ): string | undefined {
    const house = houseOf(row.exchange);
    const isKnown = this.cashOfContract(row) || underlyingNames(row).some((name) => symbols.has(`${house} ${name}`));
    return isKnown ? undefined : `${house} has no index or share ${JSON.stringify(symbol)}`;
  }

  private cashProblem(row: ImportedRow): string | undefined {
    const { exchange, token, tradingSymbol } = row;
    const named = this.cash.find(exchange, tradingSymbol);
    if (named?.tradingSymbol === tradingSymbol && named.token !== token && this.foundations.has(named.id)) {
      return `${tradingSymbol} of ${exchange} has the token ${named.token}, which indices or contracts stand on`;
    }
    const replaced = this.cash.get(instrumentId(exchange, token));
    if (replaced === undefined || (replaced.kind === 'index') === isIndexRow(row)) return undefined;
    return `token ${token} of ${exchange} is ${replaced.tradingSymbol}, ${replaced.kind === 'index' ? 'an index' : 'a share'}`;
  }

  /** True when contracts on a share are imported and live: a corporate action cannot adjust what a file says. */
  hasImportedContracts(underlying: InstrumentId, at: EpochMs): boolean {
    const segment = contractExchangeOf(exchangeOf(underlying));
    const series = [this.imported, this.delisted].flatMap((contracts) => contracts.seriesOf(segment, underlying));
    return series.some((one) => one.isLive(at));
  }

  /** The contracts on an index or a share that are listed at `at`. */
  *contractsOn(underlying: InstrumentId, at: EpochMs): Generator<Derivative> {
    for (const series of this.seriesOf(underlying, at)) yield* this.contractsOf(series, at);
  }

  /** The shares on which contracts are ever listed. */
  sharesWithContracts(): readonly InstrumentId[] {
    const generated = DERIVATIVE_EXCHANGES.flatMap((exchange) => this.books[exchange].shares());
    const imported = this.imported.series.filter(({ underlyingKind }) => underlyingKind === 'equity');
    return [...new Set([...generated, ...imported.map(({ underlying }) => underlying)])];
  }

  /** How many indices and shares there are. */
  get cashCount(): number {
    return this.cash.instruments.length;
  }

  listing(at: EpochMs): Iterator<undefined, void> | undefined {
    return this.isListed(at) ? undefined : this.listingPieces(at);
  }

  /** Does all the work of `listing` at once: for a process that nobody waits for. */
  prepare(at: EpochMs): void {
    this.contractSearchOn(at);
  }

  private isListed(at: EpochMs): boolean {
    const known = this.contractSearch;
    return known?.day === istDay(at) && known.changes === this.changes();
  }

  /** How many times corporate actions have changed the series of the books. */
  private changes(): number {
    return this.books.NFO.changes + this.books.BFO.changes;
  }

  private *listingPieces(at: EpochMs): Generator<undefined, void> {
    for (const exchange of DERIVATIVE_EXCHANGES) yield* this.books[exchange].reviewing(at);
    const changes = this.changes();
    const search = new ContractSearch(istDay(at));
    for (const series of this.liveByExpiry(at)) {
      search.add(series, this.companyNameOf(series));
      yield;
    }
    this.contractSearch = { day: istDay(at), changes, search };
  }

  private *indexDerivatives(at: EpochMs): Generator<Derivative> {
    for (const exchange of DERIVATIVE_EXCHANGES) {
      for (const series of this.liveSeries(exchange, at)) {
        if (series.underlyingKind === 'index') yield* this.contractsOf(series, at);
      }
    }
  }

  private cashOfContract(row: ImportedRow): CashInstrument | undefined {
    const house = houseOf(row.exchange);
    const symbol = row.contract?.symbol ?? '';
    return this.cash.find(house, symbol) ?? this.cash.find(house, `${symbol}-EQ`);
  }

  private cycleOf(exchange: Exchange, day: IstDay): 'weekly' | 'monthly' {
    const segment = contractExchangeOf(exchange);
    const week = this.rules.expiries.weekOf(segment, day);
    return week !== undefined && this.rules.expiries.monthOf(segment, week) === undefined ? 'weekly' : 'monthly';
  }

  /** The live series of an underlying, imported ones before the generated ones. */
  private seriesOf(underlying: InstrumentId, at: EpochMs): readonly ListedSeries[] {
    const segment = contractExchangeOf(exchangeOf(underlying));
    const known = this.books[segment].underlyingById(underlying);
    const imported = this.imported.seriesOf(segment, underlying).filter((series) => series.isLive(at));
    const generated = known ? this.books[segment].seriesOf(known, at) : [];
    return imported.length === 0 ? generated : [...imported, ...generated];
  }

  private liveSeries(exchange: DerivativeExchange, at: EpochMs): readonly ListedSeries[] {
    const imported = this.imported.series.filter((series) => series.exchange === exchange && series.isLive(at));
    return [...imported, ...this.books[exchange].liveSeries(at)];
  }

  /** The contracts of a series that are listed at `at`, without the generated ones that imported ones replace. */
  private *contractsOf(series: ListedSeries, at: EpochMs): Generator<Derivative> {
    const replacing = this.replacing(series);
    for (const contract of series.contracts(istDay(at))) if (!replacing?.has(termsOf(contract))) yield contract;
  }

  private countOf(series: ListedSeries, at: EpochMs): number {
    const day = istDay(at);
    const replacing = this.replacing(series);
    if (!replacing) return series.countOn(day);
    let count = 0;
    for (const contract of series.contracts(day)) if (!replacing.has(termsOf(contract))) count += 1;
    return count;
  }

  private contractOfMatch({ series, option }: ContractMatch): Derivative | undefined {
    return this.replacing(series)?.has(option) ? undefined : series.contract(option);
  }

  private replacing(series: ListedSeries): ImportedSeries | undefined {
    return series instanceof ImportedSeries ? undefined : this.imported.twinOf(series);
  }

  private contractSearchOn(at: EpochMs): ContractSearch {
    if (!this.isListed(at)) {
      const pieces = this.listingPieces(at);
      while (pieces.next().done !== true);
    }
    return must(this.contractSearch, 'the contracts of the date are listed').search;
  }

  /** The live series of all exchanges by ascending expiry. */
  private liveByExpiry(at: EpochMs): ListedSeries[] {
    const series = DERIVATIVE_EXCHANGES.flatMap((exchange) => this.liveSeries(exchange, at));
    return series.sort((a, b) => a.expiryDay - b.expiryDay);
  }

  private companyNameOf({ underlying }: ListedSeries): string {
    return this.cash.get(underlying)?.companyName ?? '';
  }

  private searchedRecord(instrument: CashInstrument): SearchedRecord {
    const { tradingSymbol, symbol, companyName } = instrument;
    const names = [tradingSymbol, symbol, companyName, representationName(instrument)];
    return { symbol, fields: [...new Set([...names, ...this.cash.aliasesOf(instrument.id)])] };
  }
}

function termsOf(contract: Derivative): SymbolOption | undefined {
  return contract.kind === 'option' ? { strike: contract.strike, type: contract.optionType } : undefined;
}

/** A name in the letters in which names are kept. Encoding is a matter of the wire. Source: market-rules R1.11. */
function normalised(name: string): string {
  return asciiUpper(withoutBlanks(name));
}

/**
 * The listed rows are the built-in ones that no imported row replaces, and the imported ones, indices first in each
 * exchange.
 */
function withImportedCash({ cash, imported, delisted }: Pick<MasterParts, 'cash' | 'imported' | 'delisted'>): {
  readonly listed: readonly CashInstrument[];
  readonly delisted: readonly CashInstrument[];
} {
  const former = delisted.filter((row) => !row.contract).map((row) => cashOfRow(row, undefined));
  const rows = imported.filter((row) => row.contract === undefined);
  const contracts = imported.filter((row) => row.contract !== undefined);
  if (rows.length === 0) return { listed: withContracts(cash, contracts), delisted: former };
  const ids = new Set(rows.map((row) => instrumentId(row.exchange, row.token)));
  const symbols = new Set(rows.map((row) => `${row.exchange} ${row.tradingSymbol}`));
  const builtIn = new Map(cash.map((instrument) => [instrument.id, instrument]));
  const isRenamed = ({ exchange, tradingSymbol }: CashInstrument): boolean =>
    symbols.has(`${exchange} ${tradingSymbol}`);
  const kept = cash.filter((instrument) => !ids.has(instrument.id) && !isRenamed(instrument));
  const added = rows.map((row) => cashOfRow(row, builtIn.get(instrumentId(row.exchange, row.token))));
  const sorted = [...kept, ...added].sort((a, b) => Number(b.kind === 'index') - Number(a.kind === 'index'));
  return { listed: withContracts(sorted, contracts), delisted: [...former, ...cash.filter(isRenamed)] };
}

/** The same rows, with the shares marked on which one of these contracts is. */
function withContracts(cash: readonly CashInstrument[], contracts: readonly ImportedRow[]): readonly CashInstrument[] {
  if (contracts.length === 0) return cash;
  const named = new Set(
    contracts.flatMap((row) => underlyingNames(row).map((name) => `${houseOf(row.exchange)} ${name}`)),
  );
  return cash.map((one) => {
    const isNew = one.kind === 'equity' && !one.hasDerivatives && named.has(`${one.exchange} ${one.tradingSymbol}`);
    return isNew ? { ...one, hasDerivatives: true } : one;
  });
}

/** The names that the index or share of a contract may have. */
function underlyingNames({ contract }: ImportedRow): readonly string[] {
  return contract === undefined ? [] : [contract.symbol, `${contract.symbol}-EQ`];
}

/** The index or share that a contract names. */
function underlyingAmong(cash: readonly CashInstrument[], row: ImportedRow): CashInstrument | undefined {
  const names = underlyingNames(row);
  return cash.find((one) => one.exchange === houseOf(row.exchange) && names.includes(one.tradingSymbol));
}

function cashOfRow(row: ImportedRow, replaced: CashInstrument | undefined): CashInstrument {
  const house = houseOf(row.exchange);
  const { token, tradingSymbol, companyName, isin, lot, tick, freeze } = row;
  if (isIndexRow(row)) return makeIndex(house, token, tradingSymbol, companyName);
  const hyphen = house === 'NSE' ? tradingSymbol.lastIndexOf('-') : -1;
  const given = replaced?.kind === 'equity' ? replaced : undefined;
  const series = hyphen > 0 ? tradingSymbol.slice(hyphen + 1) : (given?.series ?? '');
  return {
    kind: 'equity',
    id: instrumentId(row.exchange, token),
    exchange: row.exchange,
    token,
    tradingSymbol,
    symbol: hyphen > 0 ? tradingSymbol.slice(0, hyphen) : tradingSymbol,
    companyName,
    isin,
    series,
    lot,
    tick: tick as Price,
    freeze,
    tradeForTrade: isTradeForTrade(house, series),
    hasDerivatives: given?.hasDerivatives ?? false,
  };
}
