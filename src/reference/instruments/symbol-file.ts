/**
 * The symbol files that clients download: instruments as lines of CSV, the header first. The opposite way, lines as
 * instruments, is `master-csv.ts`. Source: contract section 5, market-rules R1.12.
 */
import { formatRupees } from '../../base/decimal.ts';
import type { SymbolFile } from '../../base/ids.ts';
import { civilDate, type IstDay, MONTHS, twoDigits } from '../../base/time.ts';
import { type Derivative, type Instrument, isDerivative } from '../../core/instrument.ts';
import { formatStrike } from './contracts/contract-symbol.ts';

const CASH_HEADER = 'Exchange,Token,LotSize,TradingSymbol,CompanyName,ISIN,TickSize,FreezeQty';
const CONTRACT_HEADER =
  'Exchange,Token,LotSize,Symbol,TradingSymbol,CompanyName,Expiry,Instrument,OptionType,StrikePrice,TickSize,FreezeQty';

const INDEX_CONTRACT_HEADER =
  'Exchange,Token,LotSize,Symbol,TradingSymbol,Expiry,Instrument,OptionType,StrikePrice,TickSize';

type Cells = readonly (string | number)[];

/** The lines of one symbol file, the header first. */
export function* symbolLines(file: SymbolFile, instruments: Iterable<Instrument>): Generator<string> {
  yield headerOf(file);
  const cellsOf = file === 'Indices' ? indexContractCells : contractCells;
  for (const instrument of instruments) {
    yield (isDerivative(instrument) ? cellsOf(instrument) : cashCells(instrument)).join(',');
  }
}

function headerOf(file: SymbolFile): string {
  if (file === 'Indices') return INDEX_CONTRACT_HEADER;
  return file === 'NSE' || file === 'BSE' ? CASH_HEADER : CONTRACT_HEADER;
}

function cashCells(instrument: Exclude<Instrument, Derivative>): Cells {
  const isIndex = instrument.kind === 'index';
  return [
    instrument.exchange,
    instrument.token,
    instrument.lot,
    instrument.tradingSymbol,
    quoted(instrument.companyName),
    isIndex ? '' : instrument.isin,
    isIndex ? '0' : formatRupees(instrument.tick),
    instrument.freeze,
  ];
}

function contractCells(contract: Derivative): Cells {
  return [...identityCells(contract), quoted(contract.companyName), ...termsCells(contract), contract.freeze];
}

function indexContractCells(contract: Derivative): Cells {
  return [...identityCells(contract), ...termsCells(contract)];
}

function identityCells({ exchange, token, lot, symbol, tradingSymbol }: Derivative): Cells {
  return [exchange, token, lot, symbol, tradingSymbol];
}

function termsCells(contract: Derivative): Cells {
  const isOption = contract.kind === 'option';
  return [
    formatExpiry(contract.expiryDay),
    `${isOption ? 'OPT' : 'FUT'}${contract.underlyingKind === 'index' ? 'IDX' : 'STK'}`,
    isOption ? contract.optionType : 'XX',
    isOption ? formatStrike(contract.strike) : '0',
    formatRupees(contract.tick),
  ];
}

/** `29-SEP-2026`. */
function formatExpiry(day: IstDay): string {
  const date = civilDate(day);
  return `${twoDigits(date.day)}-${MONTHS[date.month - 1]}-${date.year}`;
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
