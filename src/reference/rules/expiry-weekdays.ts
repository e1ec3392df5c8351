import { assert, must } from '../../base/assert.ts';
import type { IstDay } from '../../base/time.ts';
import { DERIVATIVE_EXCHANGES, type DerivativeExchange } from './contract-cycles.ts';
import type { DataRow } from './data-table.ts';
import { byKey, type Dated, effectiveOn } from './dated.ts';

const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** The weekday on which all contracts of an exchange expire. Source: market-rules R1.30, R1.31. */
export class ExpiryWeekdays {
  private readonly byExchange: ReadonlyMap<string, readonly (Dated & { readonly weekday: number })[]>;

  constructor(rows: readonly DataRow[]) {
    const entries = rows.map((row) => ({
      exchange: row.oneOf('exchange', DERIVATIVE_EXCHANGES),
      from: row.day('from'),
      weekday: weekdayOf(row.text('weekday')),
    }));
    this.byExchange = byKey(entries, (entry) => entry.exchange);
  }

  /** 1 Monday to 5 Friday. */
  on(exchange: DerivativeExchange, day: IstDay): number {
    return effectiveOn(must(this.byExchange.get(exchange), `no expiry weekday for ${exchange}`), day).weekday;
  }
}

function weekdayOf(word: string): number {
  const number = WEEKDAYS.indexOf(word);
  assert(number > 0 && number < 6, `not a weekday: ${word}`);
  return number;
}
