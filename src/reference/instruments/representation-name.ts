import { civilDate, MONTHS, twoDigits } from '../../base/time.ts';
import type { Derivative, Instrument } from '../../core/instrument.ts';
import { formatStrike } from './contracts/contract-symbol.ts';

/**
 * How an instrument reads to people: `ITC`, `ITC APR 425 CE`, `RELIANCE NOV FUT`. Contracts on an index have the year,
 * and weekly ones the day, because several of them lie in one month or have the same month: `NIFTY 01DEC26 24000 CE`,
 * `NIFTY DEC26 24000 CE`.
 * Source: contract 3.3, market-rules R1.13.
 */
export function representationName(instrument: Instrument): string {
  switch (instrument.kind) {
    case 'index':
      return instrument.symbol;
    case 'equity':
      return instrument.exchange === 'BSE' || instrument.series === 'EQ' ? instrument.symbol : instrument.tradingSymbol;
    case 'future':
      return `${instrument.symbol} ${expiryWord(instrument)} FUT`;
    case 'option':
      return `${instrument.symbol} ${expiryWord(instrument)} ${formatStrike(instrument.strike)} ${instrument.optionType}`;
  }
}

/** The expiry inside a representation name: `APR`, `DEC26`, `01DEC26`. */
export function expiryWord(contract: Pick<Derivative, 'underlyingKind' | 'expiryDay' | 'cycle'>): string {
  const { year, month, day } = civilDate(contract.expiryDay);
  const monthName = MONTHS[month - 1] as string;
  if (contract.underlyingKind === 'equity') return monthName;
  const dayOfMonth = contract.cycle === 'weekly' ? twoDigits(day) : '';
  return `${dayOfMonth}${monthName}${twoDigits(year % 100)}`;
}
