import { must } from '../../base/assert.ts';
import { EXCHANGES, type Exchange, exchangeOf, type InstrumentId, instrumentId, tokenOf } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import type { Derivative } from '../../core/instrument.ts';
import { contractCompanyName, contractNameHead } from './contract-series.ts';
import type { ImportedRow } from './instrument-row.ts';

const TEXTS_PER_ROW = 2;
const FUTURE = 0;
const CALL = 1;
const PUT = 2;
/** Contracts of a file do not tell when they were listed; they count as listed this many days before their expiry. */
const ASSUMED_LIFE_DAYS = 90;

/** What a contract's row needs from the calendar and the cash rows. */
export interface ContractContext {
  underlyingOf(row: ImportedRow): InstrumentId;
  expiresAt(exchange: Exchange, day: IstDay): EpochMs;
  cycleOf(exchange: Exchange, day: IstDay): 'weekly' | 'monthly';
}

/**
 * The contracts of an imported file in columns, about 100 bytes each. Instruments are made when they are asked for.
 * The rows are ordered by exchange, underlying symbol, expiry and strike.
 */
export class ImportedContracts {
  readonly count: number;
  private readonly context: ContractContext;
  private readonly ids: Float64Array;
  private readonly underlyings: Float64Array;
  private readonly strikes: Float64Array;
  private readonly expiryDays: Int32Array;
  private readonly lots: Int32Array;
  private readonly freezes: Int32Array;
  private readonly ticks: Int32Array;
  private readonly types: Uint8Array;
  private readonly onIndex: Uint8Array;
  /** Trading symbol and underlying symbol of each row, end to end. */
  private readonly texts: string;
  private readonly textStarts: Uint32Array;
  /** Row numbers by ascending id, and by ascending symbol. */
  private readonly byId: Uint32Array;
  private readonly bySymbol: Uint32Array;

  constructor(rows: readonly ImportedRow[], context: ContractContext) {
    const ordered = rows.filter((row) => row.contract !== undefined).sort(compareRows);
    this.count = ordered.length;
    this.context = context;
    this.ids = Float64Array.from(ordered, (row) => instrumentId(row.exchange, row.token));
    this.underlyings = Float64Array.from(ordered, (row) => context.underlyingOf(row));
    this.strikes = Float64Array.from(ordered, (row) => row.contract?.option?.strike ?? 0);
    this.expiryDays = Int32Array.from(ordered, (row) => contractOf(row).expiryDay);
    this.lots = Int32Array.from(ordered, (row) => row.lot);
    this.freezes = Int32Array.from(ordered, (row) => row.freeze);
    this.ticks = Int32Array.from(ordered, (row) => row.tick);
    this.types = Uint8Array.from(ordered, typeCode);
    this.onIndex = Uint8Array.from(ordered, (row) => (contractOf(row).underlyingKind === 'index' ? 1 : 0));
    const parts = ordered.flatMap((row) => [row.tradingSymbol, contractOf(row).symbol]);
    this.texts = parts.join('');
    this.textStarts = startsOf(parts);
    this.byId = order(this.count, (a, b) => this.idAt(a) - this.idAt(b));
    this.bySymbol = order(this.count, (a, b) => compareText(this.keyAt(a), this.keyAt(b)));
  }

  get(id: InstrumentId): Derivative | undefined {
    const row = search(this.byId, (candidate) => this.idAt(candidate) - id);
    return row === undefined ? undefined : this.at(row);
  }

  /** The contract of an upper-case symbol, live or not. */
  find(exchange: Exchange, symbol: string): Derivative | undefined {
    const key = `${exchange} ${symbol}`;
    const row = search(this.bySymbol, (candidate) => compareText(this.keyAt(candidate), key));
    return row === undefined ? undefined : this.at(row);
  }

  has(exchange: Exchange, symbol: string): boolean {
    return this.count > 0 && this.find(exchange, symbol) !== undefined;
  }

  /** The contracts that are listed and not expired at `at`. */
  *live(at: EpochMs): Generator<Derivative> {
    for (let row = 0; row < this.count; row += 1) {
      const contract = this.at(row);
      if (at < contract.expiresAt) yield contract;
    }
  }

  private at(row: number): Derivative {
    const id = this.idAt(row);
    const exchange = exchangeOf(id);
    const expiryDay = this.expiryDays[row] as IstDay;
    const symbol = this.textAt(row, 1);
    const underlyingKind = this.onIndex[row] === 1 ? 'index' : 'equity';
    const type = this.types[row];
    const option =
      type === FUTURE
        ? undefined
        : ({ strike: this.strikes[row] as Price, type: type === CALL ? 'CE' : 'PE' } as const);
    const common = {
      id,
      exchange,
      token: tokenOf(id),
      tradingSymbol: this.textAt(row, 0),
      symbol,
      companyName: contractCompanyName(contractNameHead(symbol, underlyingKind, expiryDay), option),
      lot: this.lots[row] as Quantity,
      tick: this.ticks[row] as Price,
      freeze: this.freezes[row] as Quantity,
      underlying: this.underlyings[row] as InstrumentId,
      underlyingKind,
      expiryDay,
      expiresAt: this.context.expiresAt(exchange, expiryDay),
      listedOn: (expiryDay - ASSUMED_LIFE_DAYS) as IstDay,
      cycle: this.context.cycleOf(exchange, expiryDay),
    } as const;
    if (!option) return { ...common, kind: 'future' };
    return { ...common, kind: 'option', strike: option.strike, optionType: option.type };
  }

  private idAt(row: number): InstrumentId {
    return this.ids[row] as InstrumentId;
  }

  private keyAt(row: number): string {
    return `${EXCHANGES[this.idAt(row) % EXCHANGES.length]} ${this.textAt(row, 0)}`;
  }

  private textAt(row: number, which: number): string {
    const place = row * TEXTS_PER_ROW + which;
    return this.texts.slice(this.textStarts[place], this.textStarts[place + 1]);
  }
}

function contractOf(row: ImportedRow) {
  return must(row.contract, 'a row of a contract');
}

function typeCode(row: ImportedRow): number {
  const type = row.contract?.option?.type;
  return type === undefined ? FUTURE : type === 'CE' ? CALL : PUT;
}

function compareRows(a: ImportedRow, b: ImportedRow): number {
  const [x, y] = [contractOf(a), contractOf(b)];
  return (
    EXCHANGES.indexOf(a.exchange) - EXCHANGES.indexOf(b.exchange) ||
    compareText(x.symbol, y.symbol) ||
    x.expiryDay - y.expiryDay ||
    (x.option?.strike ?? 0) - (y.option?.strike ?? 0) ||
    typeCode(a) - typeCode(b)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function startsOf(parts: readonly string[]): Uint32Array {
  const starts = new Uint32Array(parts.length + 1);
  parts.forEach((part, index) => {
    starts[index + 1] = (starts[index] as number) + part.length;
  });
  return starts;
}

function order(count: number, compare: (a: number, b: number) => number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, index) => index).sort(compare);
}

/** The row of an ordered list for which `compare` gives 0. */
function search(rows: Uint32Array, compare: (row: number) => number): number | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle] as number;
    const sign = compare(row);
    if (sign === 0) return row;
    if (sign < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}
