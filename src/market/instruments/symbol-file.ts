import { formatRupees } from '../../base/decimal.ts';
import type { Exchange } from '../../base/ids.ts';
import { civilDate, type IstDay, twoDigits } from '../../base/time.ts';
import { type Derivative, type Instrument, isDerivative } from '../../core/instrument.ts';
import { formatStrike, MONTHS } from './contract-symbol.ts';

const CASH_HEADER = 'Exchange,Token,LotSize,TradingSymbol,CompanyName,ISIN,TickSize,FreezeQty';
const CONTRACT_HEADER =
  'Exchange,Token,LotSize,Symbol,TradingSymbol,CompanyName,Expiry,Instrument,OptionType,StrikePrice,TickSize,FreezeQty';

/** The lines of the symbol file of an exchange as clients download it, the header first. Source: contract section 5, market-rules R1.12. */
export function* symbolLines(exchange: Exchange, instruments: Iterable<Instrument>): Generator<string> {
  yield exchange === 'NSE' || exchange === 'BSE' ? CASH_HEADER : CONTRACT_HEADER;
  for (const instrument of instruments) {
    yield (isDerivative(instrument) ? contractCells(instrument) : cashCells(instrument)).join(',');
  }
}

function cashCells(instrument: Exclude<Instrument, Derivative>): (string | number)[] {
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

function contractCells(contract: Derivative): (string | number)[] {
  const isOption = contract.kind === 'option';
  return [
    contract.exchange,
    contract.token,
    contract.lot,
    contract.symbol,
    contract.tradingSymbol,
    quoted(contract.companyName),
    formatExpiry(contract.expiryDay),
    `${isOption ? 'OPT' : 'FUT'}${contract.underlyingKind === 'index' ? 'IDX' : 'STK'}`,
    isOption ? contract.optionType : 'XX',
    isOption ? formatStrike(contract.strike) : '0',
    formatRupees(contract.tick),
    contract.freeze,
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
