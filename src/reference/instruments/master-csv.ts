/**
 * Parsing of symbol files that an operator imports: the columns, the checks of each line, and the report of the faulty
 * ones. Nothing is stored or listed here. The opposite way, instruments as lines, is `symbol-file.ts`.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { parsePrice, parseQuantity } from '../../base/decimal.ts';
import { EXCHANGES, type Exchange } from '../../base/ids.ts';
import { type Price, quantity } from '../../base/money.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { dayOfCivil, type IstDay } from '../../base/time.ts';
import type { DerivativeExchange } from '../rules/contract-cycles.ts';
import { contractSymbol, monthNumber } from './contracts/contract-symbol.ts';
import type { ContractRow, ImportedRow, LineError } from './instrument-row.ts';

const CASH_COLUMNS = ['Exchange', 'Token', 'LotSize', 'TradingSymbol', 'TickSize'];
const CONTRACT_COLUMNS = [...CASH_COLUMNS, 'Expiry', 'Instrument', 'OptionType', 'StrikePrice'];
const MAX_TOKEN = 2 ** 50;
/** More than this many faulty lines are counted but not listed one by one. */
const MAX_REPORTED = 1_000;

type Cells = Readonly<Record<string, string>>;
/** A value, or the reason why there is none. */
type Read<T> = Result<T, string>;

/**
 * Parses a symbol file in the forms of contract section 5: cash, derivatives, or index derivatives without names. The
 * header names the columns, in any order. All rows or none: every faulty line is reported with its reason.
 */
export function parseMasterCsv(text: string): Result<readonly ImportedRow[], readonly LineError[]> {
  const records = readRecords(text);
  if (!records.ok) return records;
  const missing = missingColumns(records.value.header);
  if (missing.length > 0) return fail([{ line: 1, reason: `the header lacks ${missing.join(', ')}` }]);
  const rows: ImportedRow[] = [];
  const errors: LineError[] = [];
  const seen = new Map<string, number>();
  for (const { line, cells } of records.value.rows) {
    const row = parseRow(cells, line);
    const reason = row.ok ? repeated(row.value, seen) : row.error;
    if (reason !== undefined) errors.push({ line, reason });
    else if (row.ok) rows.push(row.value);
  }
  if (rows.length + errors.length === 0) return fail([{ line: 1, reason: 'the file has no rows' }]);
  return errors.length > 0 ? fail(shortened(errors)) : ok(rows);
}

/** At most `MAX_REPORTED` errors, the last of them saying how many more there are. */
export function shortened(errors: readonly LineError[]): readonly LineError[] {
  if (errors.length <= MAX_REPORTED) return errors;
  const kept = errors.slice(0, MAX_REPORTED);
  const next = errors[MAX_REPORTED] as LineError;
  return [...kept, { line: next.line, reason: `and ${errors.length - MAX_REPORTED} more faulty lines from here on` }];
}

interface Records {
  readonly header: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: Cells }[];
}

function readRecords(text: string): Result<Records, readonly LineError[]> {
  let header: readonly string[] = [];
  const rows: { line: number; cells: Cells }[] = [];
  try {
    parse(text, {
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      on_record: (record: string[], { lines }) => {
        if (header.length === 0) header = withoutTrailingBlank(record);
        else rows.push({ line: lines, cells: cellsOf(header, record) });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : rows.length + 2;
    return fail([{ line, reason: `not CSV: ${error.message}` }]);
  }
  return ok({ header, rows });
}

/** Files of some vendors end every line with a comma. */
function withoutTrailingBlank(record: readonly string[]): readonly string[] {
  return record.at(-1) === '' ? record.slice(0, -1) : record;
}

function cellsOf(header: readonly string[], record: readonly string[]): Cells {
  return Object.fromEntries(header.map((column, index) => [column, record[index] ?? '']));
}

function missingColumns(header: readonly string[]): string[] {
  const wanted = header.includes('Expiry') || header.includes('StrikePrice') ? CONTRACT_COLUMNS : CASH_COLUMNS;
  return wanted.filter((column) => !header.includes(column));
}

function parseRow(cells: Cells, line: number): Read<ImportedRow> {
  const exchange = EXCHANGES.find((name) => name === cell(cells, 'Exchange'));
  if (!exchange) return fail(`Exchange is ${quoted(cells, 'Exchange')}, not one of ${EXCHANGES.join(', ')}`);
  const token = readToken(cells);
  if (!token.ok) return token;
  const lot = parseQuantity(cell(cells, 'LotSize'));
  if (lot === undefined) return fail(`LotSize is ${quoted(cells, 'LotSize')}, not a whole number above 0`);
  const tradingSymbol = cell(cells, 'TradingSymbol').toUpperCase();
  if (!/^[A-Z0-9&.+*()_ -]{1,64}$/.test(tradingSymbol))
    return fail(`TradingSymbol is ${quoted(cells, 'TradingSymbol')}`);
  const tick = parsePrice(cell(cells, 'TickSize'));
  if (tick === undefined) return fail(`TickSize is ${quoted(cells, 'TickSize')}, not rupees with at most two decimals`);
  const freeze = readFreeze(cells);
  if (!freeze.ok) return freeze;
  const contract = readContract(cells, exchange, tick, tradingSymbol);
  if (!contract.ok) return contract;
  const isin = contract.value ? '' : cell(cells, 'ISIN');
  if (isin !== '' && tick === 0) return fail('TickSize is 0, which only an index has, and an index has no ISIN');
  const companyName = cell(cells, 'CompanyName') || tradingSymbol;
  return ok({
    line,
    exchange,
    token: token.value,
    lot,
    tradingSymbol,
    companyName,
    isin,
    tick,
    freeze: freeze.value,
    contract: contract.value,
  });
}

function readToken(cells: Cells): Read<number> {
  const text = cell(cells, 'Token');
  const token = Number(text);
  if (/^[1-9][0-9]{0,15}$/.test(text) && token < MAX_TOKEN) return ok(token);
  return fail(`Token is ${quoted(cells, 'Token')}, not a whole number from 1 to 2^50`);
}

/** Blank and 0 mean that there is no such limit. */
function readFreeze(cells: Cells): Read<ImportedRow['freeze']> {
  const text = cell(cells, 'FreezeQty');
  if (text === '' || text === '0') return ok(quantity(0));
  const freeze = parseQuantity(text);
  return freeze === undefined ? fail(`FreezeQty is ${quoted(cells, 'FreezeQty')}, not a whole number`) : ok(freeze);
}

/** The underlying is what the trading symbol begins with: vendors write other things into the column Symbol. */
function readContract(
  cells: Cells,
  exchange: Exchange,
  tick: Price,
  tradingSymbol: string,
): Read<ContractRow | undefined> {
  if (exchange !== 'NFO' && exchange !== 'BFO')
    return cell(cells, 'Expiry') === '' ? ok(undefined) : fail(`${exchange} lists no contracts`);
  if (tick === 0) return fail('TickSize is 0');
  const instrument = cell(cells, 'Instrument');
  if (!/^(FUT|OPT)(IDX|STK)$/.test(instrument)) return fail(`Instrument is ${quoted(cells, 'Instrument')}`);
  const expiryDay = parseExpiry(cell(cells, 'Expiry'));
  if (expiryDay === undefined) return fail(`Expiry is ${quoted(cells, 'Expiry')}, not a date as 29-DEC-2026`);
  const underlyingKind = instrument.endsWith('IDX') ? 'index' : 'equity';
  const option = readOption(cells, instrument.startsWith('OPT'));
  if (!option.ok) return option;
  const symbol = underlyingIn(exchange, tradingSymbol, expiryDay, option.value);
  if (symbol === undefined) return fail(`TradingSymbol ${tradingSymbol} does not say its expiry, strike and type`);
  return ok({ symbol, expiryDay, underlyingKind, option: option.value });
}

function underlyingIn(
  exchange: DerivativeExchange,
  tradingSymbol: string,
  expiryDay: IstDay,
  option: ContractRow['option'],
): string | undefined {
  for (const cycle of ['monthly', 'weekly'] as const) {
    const ending = contractSymbol(exchange, { symbol: '', expiryDay, cycle, option });
    if (tradingSymbol.endsWith(ending) && tradingSymbol !== ending) return tradingSymbol.slice(0, -ending.length);
  }
  return undefined;
}

function readOption(cells: Cells, isOption: boolean): Read<ContractRow['option']> {
  const type = cell(cells, 'OptionType');
  if (!isOption)
    return type === 'XX' || type === ''
      ? ok(undefined)
      : fail(`OptionType of a future is ${quoted(cells, 'OptionType')}`);
  if (type !== 'CE' && type !== 'PE') return fail(`OptionType is ${quoted(cells, 'OptionType')}, not CE or PE`);
  const strike = parsePrice(cell(cells, 'StrikePrice'));
  if (strike === undefined || strike === 0) return fail(`StrikePrice is ${quoted(cells, 'StrikePrice')}`);
  return ok({ strike, type });
}

/** `29-SEP-2026`, in any letter case. */
function parseExpiry(text: string): IstDay | undefined {
  const match = /^(\d{2})-([A-Z]{3})-(\d{4})$/.exec(text.toUpperCase());
  return match ? dayOfCivil(Number(match[3]), monthNumber(match[2] ?? ''), Number(match[1])) : undefined;
}

function repeated(row: ImportedRow, seen: Map<string, number>): string | undefined {
  const keys = [`token ${row.token} of ${row.exchange}`, `symbol ${row.tradingSymbol} of ${row.exchange}`];
  for (const key of keys) {
    const earlier = seen.get(key);
    if (earlier !== undefined) return `${key} is already on line ${earlier}`;
  }
  for (const key of keys) seen.set(key, row.line);
  return undefined;
}

function cell(cells: Cells, column: string): string {
  return cells[column] ?? '';
}

function quoted(cells: Cells, column: string): string {
  return JSON.stringify(cell(cells, column).slice(0, 64));
}
