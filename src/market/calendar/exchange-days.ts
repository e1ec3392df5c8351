import { must } from '../../base/assert.ts';
import type { Exchange } from '../../base/ids.ts';
import type { IstDay } from '../../base/time.ts';
import type { SquareOffSegment, TradingDays } from '../../core/trading-days.ts';
import type { DataRow } from '../rules/data-table.ts';
import { byKey, type Dated, effectiveOn } from '../rules/dated.ts';
import { parseTimeOfDay } from '../rules/phase-table.ts';
import type { SessionHours } from '../rules/session-hours.ts';
import { classOf, type TradingCalendar } from './trading-calendar.ts';

const SEGMENTS: readonly SquareOffSegment[] = [
  'SharesWithContracts',
  'OtherShares',
  'Contracts',
  'ExpiringContracts',
  'UnfundedDeliveries',
];

/** Where a segment trades, the house that is asked first in front. */
const EXCHANGES_OF: Readonly<Record<SquareOffSegment, readonly Exchange[]>> = {
  SharesWithContracts: ['NSE', 'BSE'],
  OtherShares: ['NSE', 'BSE'],
  Contracts: ['NFO', 'BFO'],
  ExpiringContracts: ['NFO', 'BFO'],
  UnfundedDeliveries: ['NFO', 'BFO'],
};

/**
 * The days and the cut-offs of the exchanges. On a day with a session of its own, as Muhurat, a segment is squared off as long before the
 * end of trading as on an ordinary day. Source: market-rules R2.20 to R2.23.
 */
export class ExchangeDays implements TradingDays {
  private readonly calendar: TradingCalendar;
  private readonly hours: SessionHours;
  private readonly times: ReadonlyMap<string, readonly (Dated & { readonly time: number })[]>;

  constructor(calendar: TradingCalendar, hours: SessionHours, cutOffs: readonly DataRow[]) {
    this.calendar = calendar;
    this.hours = hours;
    const entries = cutOffs.map((row) => ({
      segment: row.oneOf('segment', SEGMENTS),
      from: row.day('from'),
      time: parseTimeOfDay(row.text('time')),
    }));
    this.times = byKey(entries, ({ segment }) => segment);
    for (const segment of SEGMENTS) must(this.times.get(segment), `a cut-off for ${segment}`);
  }

  /** A day on which either house trades. */
  isTradingDay(day: IstDay): boolean {
    return this.calendar.isTradingDay('NSE', day) || this.calendar.isTradingDay('BSE', day);
  }

  squareOffTime(segment: SquareOffSegment, day: IstDay): number {
    const exchanges = EXCHANGES_OF[segment];
    const exchange = must(exchanges.find((one) => this.calendar.isTradingDay(one, day)) ?? exchanges[0], 'an exchange');
    const { time } = effectiveOn(must(this.times.get(segment), segment), day);
    const ordinary = this.hours.on(classOf(exchange), day);
    const last = this.calendar.sessions(exchange, day).at(-1) ?? ordinary;
    return Math.max(last.open, last.close - (ordinary.close - time));
  }
}
