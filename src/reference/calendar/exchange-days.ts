/**
 * The trading days and the cut-offs of the hours `exchange`: square-offs, after-market hours and settlement days. On a
 * day with a session of its own, as Muhurat, a segment is squared off as long before the end of trading as on an
 * ordinary day. Phases are in `timetable.ts`. Source: market-rules R2.20 to R2.23.
 */
import { must } from '../../base/assert.ts';
import type { Exchange } from '../../base/ids.ts';
import type { IstDay } from '../../base/time.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { AfterMarketHours, SquareOffSegment, TradingDays } from '../../core/trading-days.ts';
import type { DataRow } from '../rules/data-table.ts';
import { byKey, type Dated, effectiveOn } from '../rules/dated.ts';
import { parseTimeOfDay } from '../rules/phase-table.ts';
import type { InstrumentClass, SessionHours } from '../rules/session-hours.ts';
import { longest } from './timetable.ts';
import { classOf, type TradingCalendar } from './trading-calendar.ts';

const SEGMENTS: readonly SquareOffSegment[] = [
  'SharesWithContracts',
  'OtherShares',
  'Contracts',
  'ExpiringContracts',
  'UnfundedDeliveries',
];

/**
 * The row of the last entry into contracts on the day that they expire; none where they may be entered until their
 * square-off. Source: R2.27.
 */
const EXPIRING_ENTRY = 'ExpiringEntry';

/** Where a segment trades, the house that is asked first in front. */
const EXCHANGES_OF: Readonly<Record<SquareOffSegment, readonly Exchange[]>> = {
  SharesWithContracts: ['NSE', 'BSE'],
  OtherShares: ['NSE', 'BSE'],
  Contracts: ['NFO', 'BFO'],
  ExpiringContracts: ['NFO', 'BFO'],
  UnfundedDeliveries: ['NFO', 'BFO'],
};

export class ExchangeDays implements TradingDays {
  private readonly calendar: TradingCalendar;
  private readonly hours: SessionHours;
  private readonly afterMarketHours: ReadonlyMap<string, readonly (Dated & AfterMarketHours)[]>;
  private readonly settlementHolidays: ReadonlySet<IstDay>;
  private readonly times: ReadonlyMap<string, readonly (Dated & { readonly time: number })[]>;

  constructor(
    calendar: TradingCalendar,
    hours: SessionHours,
    cutOffs: readonly DataRow[],
    afterMarket: readonly DataRow[],
    settlementHolidays: readonly DataRow[],
  ) {
    this.calendar = calendar;
    this.hours = hours;
    const entries = cutOffs.map((row) => ({
      segment: row.oneOf('segment', [...SEGMENTS, EXPIRING_ENTRY] as const),
      from: row.day('from'),
      time: parseTimeOfDay(row.text('time')),
    }));
    this.times = byKey(entries, ({ segment }) => segment);
    this.settlementHolidays = new Set(settlementHolidays.map((row) => row.day('date')));
    this.afterMarketHours = byKey(afterMarket.map(readAfterMarket), (entry) => entry.class);
    for (const segment of SEGMENTS) must(this.times.get(segment), `a cut-off for ${segment}`);
  }

  /** A day on which either house trades. */
  isTradingDay(day: IstDay): boolean {
    return this.calendar.isTradingDay('NSE', day) || this.calendar.isTradingDay('BSE', day);
  }

  /**
   * Banks are closed on weekends, on holidays with a session of their own such as Muhurat, and on the days of their own
   * table. Source: R2.22.
   */
  settles(day: IstDay): boolean {
    return this.calendar.isOrdinaryDay('NSE', day) && !this.settlementHolidays.has(day);
  }

  squareOffTime(segment: SquareOffSegment, day: IstDay): number {
    const { time } = effectiveOn(must(this.times.get(segment), segment), day);
    return this.moved(time, segment, day);
  }

  expiringEntryEnds(day: IstDay): number | undefined {
    const entry = this.times.get(EXPIRING_ENTRY)?.findLast(({ from }) => from <= day);
    return entry && this.moved(entry.time, 'ExpiringContracts', day);
  }

  /** A cut-off as long before the end of trading as on an ordinary day. */
  private moved(time: number, segment: SquareOffSegment, day: IstDay): number {
    const exchanges = EXCHANGES_OF[segment];
    const exchange = must(exchanges.find((one) => this.calendar.isTradingDay(one, day)) ?? exchanges[0], 'an exchange');
    const ordinary = this.hours.on(classOf(exchange), day);
    const last = this.calendar.sessions(exchange, day).at(-1) ?? ordinary;
    return Math.max(last.open, last.close - (ordinary.close - time));
  }

  /** On a day with a session of its own all moves with its opening and its close. */
  afterMarket({ exchange }: Pick<Instrument, 'exchange'>, day: IstDay): AfterMarketHours | undefined {
    const session = longest(this.calendar.sessions(exchange, day));
    if (session === undefined) return undefined;
    const name = classOf(exchange);
    const { closes, opens, release, releaseOthers } = effectiveOn(must(this.afterMarketHours.get(name), name), day);
    const ordinary = this.hours.on(name, day);
    const before = session.open - ordinary.open;
    const after = session.close - ordinary.close;
    return {
      closes: closes + before,
      opens: opens + after,
      release: release + before,
      releaseOthers: releaseOthers + before,
    };
  }
}

function readAfterMarket(row: DataRow): Dated & AfterMarketHours & { readonly class: InstrumentClass } {
  return {
    class: row.oneOf('class', ['cash', 'derivatives'] as const),
    from: row.day('from'),
    closes: parseTimeOfDay(row.text('closes')),
    opens: parseTimeOfDay(row.text('opens')),
    release: parseTimeOfDay(row.text('release')),
    releaseOthers: parseTimeOfDay(row.text('release_others')),
  };
}
