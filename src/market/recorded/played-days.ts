/**
 * The recorded days of one instrument as a market plays them: read when they are asked for, a few kept. Days on which
 * nothing was recorded are not there.
 */

import { lowerBound } from '../../base/lower-bound.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import type { Price, Quantity } from '../../base/money.ts';
import { hashWords } from '../../base/random.ts';
import type { IstDay } from '../../base/time.ts';
import type { Instrument } from '../../core/instrument.ts';
import { CLOSE_MINUTE, MINUTE_SECONDS } from '../day-tape.ts';
import type { PlayedDays } from '../session/listed.ts';
import type { TradingMinutes } from '../session/sessions.ts';
import { CandlePrints } from './candle-prints.ts';
import { minuteRows } from './minute-rows.ts';
import type { DayPrints } from './print-run.ts';
import type { RecordedDay, RecordedDays, RecordedName } from './recorded-days.ts';
import { TickPrints } from './tick-prints.ts';

/** Decoded days that are kept of one instrument: those of its tapes, and the one before. */
const KEPT_DAYS = 6;
/** Continuous trading that a candle of a whole day spans where every hour trades: 09:15 to 15:30. */
const SESSION: TradingMinutes = { open: 555, close: CLOSE_MINUTE };

/** A recorded day with its prints. */
export interface PlayedDay {
  readonly recorded: RecordedDay;
  /** The step of its prices in paise. */
  readonly tick: Price;
  readonly prints: DayPrints;
}

/** The inputs of the recorded days of one instrument. */
export interface PlayedTerms {
  readonly recorded: RecordedDays;
  readonly name: RecordedName;
  readonly instrument: Instrument;
  readonly regime: HoursRegime;
  /** Of the instrument. */
  readonly seed: number;
  /** The hours of the calendar. */
  readonly hoursOn: (day: IstDay) => TradingMinutes | undefined;
  /** Units of an ordinary trade. */
  readonly orderUnits: number;
}

export class RecordedPlay implements PlayedDays {
  private readonly terms: PlayedTerms;
  private readonly days: readonly IstDay[];
  private readonly known: ReadonlySet<IstDay>;
  private readonly kept = new Map<IstDay, PlayedDay>();

  constructor(terms: PlayedTerms) {
    this.terms = terms;
    this.days = terms.recorded.days(terms.name);
    this.known = new Set(this.days);
  }

  get span(): { readonly from: IstDay; readonly to: IstDay } | undefined {
    const [from, to] = [this.days[0], this.days.at(-1)];
    return from === undefined || to === undefined ? undefined : { from, to };
  }

  has(day: IstDay): boolean {
    return this.known.has(day);
  }

  before(day: IstDay): IstDay | undefined {
    return this.days[lowerBound(0, this.days.length, (place) => (this.days[place] as IstDay) < day) - 1];
  }

  hoursOf(day: IstDay): TradingMinutes | undefined {
    if (this.terms.regime === 'exchange' || !this.has(day)) return undefined;
    const { prints, recorded } = this.on(day);
    const model = recorded.kind === 'ticks' ? recorded.model : undefined;
    if (model === undefined) return { open: prints.first, close: prints.end };
    return { open: model.open / MINUTE_SECONDS, close: model.close / MINUTE_SECONDS };
  }

  /** A day that is there. */
  on(day: IstDay): PlayedDay {
    const known = this.kept.get(day);
    if (known !== undefined) return known;
    const made = this.read(day);
    const [oldest] = this.kept.keys();
    if (this.kept.size >= KEPT_DAYS && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(day, made);
    return made;
  }

  /** The price at a minute in paise: the last print before it; before the first one of the day, the close before. */
  priceAt(day: IstDay, minute: number): number {
    if (this.has(day)) {
      const { prints, tick } = this.on(day);
      const ticks = prints.closeBefore(minute);
      if (ticks > 0) return ticks * tick;
    }
    return this.closeBefore(day);
  }

  /** The last price before a day; on the first day the close before it where the file has it, else the first open. */
  closeBefore(day: IstDay): number {
    const before = this.before(day);
    if (before !== undefined) {
      const { prints, tick } = this.on(before);
      return prints.closeBefore(Number.POSITIVE_INFINITY) * tick;
    }
    const first = this.days[0];
    if (first === undefined) return this.terms.instrument.tick;
    const { recorded, prints, tick } = this.on(first);
    const official = recorded.official?.previousClose ?? 0;
    return official > 0 ? official : prints.open * tick;
  }

  private read(day: IstDay): PlayedDay {
    const { recorded: days, name, instrument, seed, orderUnits, regime } = this.terms;
    const recorded = days.day(name, day);
    if (recorded === undefined) throw new Error(`the tape of ${name.exchange} ${name.symbol} lacks a day of its own`);
    const isIndex = instrument.kind === 'index';
    const known = recorded.kind === 'ticks' ? recorded.model?.tick : undefined;
    const tick = (known ?? stepOf(recorded, instrument.tick)) as Price;
    if (recorded.kind === 'ticks')
      return { recorded, tick, prints: new TickPrints({ ticks: recorded.ticks, tick, isIndex }) };
    const hours = (regime === 'exchange' ? this.terms.hoursOn(day) : undefined) ?? SESSION;
    const own = hashWords(seed, day);
    const lot = instrument.lot as Quantity;
    const rows = minuteRows({ recorded, tick, lot, hours, seed: own });
    const opensAt = (regime === 'exchange' ? hours.open : (rows.minute[0] as number)) * MINUTE_SECONDS;
    return {
      recorded,
      tick,
      prints: new CandlePrints({ rows, seed: own, lot: isIndex ? 0 : lot, orderUnits, opensAt }),
    };
  }
}

/** The instrument's tick, or a paisa where a price of the day is off it. */
function stepOf(recorded: RecordedDay, tick: Price): Price {
  const columns =
    recorded.kind === 'ticks'
      ? [recorded.ticks.price]
      : [recorded.candles.open, recorded.candles.high, recorded.candles.low, recorded.candles.close];
  return columns.every((column) => column.every((price) => price % tick === 0)) ? tick : (1 as Price);
}

/** An instrument without a day: nothing trades. */
export const NO_DAYS: PlayedDays = {
  span: undefined,
  has: () => false,
  before: () => undefined,
  hoursOf: () => undefined,
};
