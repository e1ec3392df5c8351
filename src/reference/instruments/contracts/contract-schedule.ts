/**
 * The expiries that are listed on a day, and the life of the contracts of each. The strikes of an expiry are in
 * `contract-book.ts`. Source: market-rules R1.32, R1.33.
 */
import { civilDate, type IstDay } from '../../../base/time.ts';
import { type ExpiryCalendar, LAST_WEEK, weekNumber } from '../../calendar/expiry-calendar.ts';
import type { TradingCalendar } from '../../calendar/trading-calendar.ts';
import type { ContractCycle, ContractCycles, DerivativeExchange } from '../../rules/contract-cycles.ts';
import { FIRST_WEEK } from './contract-token.ts';

/** Contracts are listed at most this many days before they expire: half-yearly ones of nearly five years. */
const LONGEST_LIFE_DAYS = 3_000;
const MAX_CACHED_DAYS = 4_096;

/** An expiry that is listed on a day. */
export interface ListedExpiry {
  readonly week: number;
  readonly day: IstDay;
  /**
   * True for the weekly and monthly expiries, whose strikes follow the price closely; monthly ones have futures too.
   */
  readonly near: boolean;
}

/** The life of the contracts of one expiry. */
export interface ExpiryLife {
  readonly week: number;
  readonly expiryDay: IstDay;
  readonly cycle: 'weekly' | 'monthly';
  /** The first day on which its options trade. */
  readonly listedOn: IstDay;
  /** The first day on which it counts as near. From then on the monthly ones have a future. */
  readonly nearFrom: IstDay;
}

export class ContractSchedule {
  private readonly calendar: TradingCalendar;
  private readonly expiries: ExpiryCalendar;
  private readonly cycles: ContractCycles;
  private readonly listedByDay = new Map<ContractCycle, Map<IstDay, readonly ListedExpiry[]>>();
  private readonly lives = new Map<ContractCycle, Map<number, ExpiryLife | null>>();

  constructor(calendar: TradingCalendar, expiries: ExpiryCalendar, cycles: ContractCycles) {
    this.calendar = calendar;
    this.expiries = expiries;
    this.cycles = cycles;
  }

  /** The expiries of an underlying that are listed on `day`, ascending; that of `day` itself included. */
  listedOn(exchange: DerivativeExchange, symbol: string, day: IstDay): readonly ListedExpiry[] {
    const cycle = this.cycles.on(exchange, symbol, day);
    const byDay = inner(this.listedByDay, cycle);
    const known = byDay.get(day);
    if (known) return known;
    if (byDay.size >= MAX_CACHED_DAYS) byDay.clear();
    const listed = this.compute(exchange, cycle, day);
    byDay.set(day, listed);
    return listed;
  }

  /** The life of an underlying's contracts of a week; `undefined` when the week was and will be never listed. */
  life(exchange: DerivativeExchange, symbol: string, week: number): ExpiryLife | undefined {
    if (week < FIRST_WEEK || week > LAST_WEEK) return undefined;
    const expiryDay = this.expiries.expiryOf(exchange, week);
    const byWeek = inner(this.lives, this.cycles.on(exchange, symbol, expiryDay));
    const known = byWeek.get(week);
    if (known !== undefined) return known ?? undefined;
    const life = this.computeLife(exchange, symbol, week, expiryDay);
    byWeek.set(week, life ?? null);
    return life;
  }

  private computeLife(
    exchange: DerivativeExchange,
    symbol: string,
    week: number,
    expiryDay: IstDay,
  ): ExpiryLife | undefined {
    const onDay = (day: IstDay) => this.listedOn(exchange, symbol, day).find((expiry) => expiry.week === week);
    if (!onDay(expiryDay)) return undefined;
    return {
      week,
      expiryDay,
      cycle: this.expiries.monthOf(exchange, week) === undefined ? 'weekly' : 'monthly',
      listedOn: firstDay(expiryDay, (day) => onDay(day) !== undefined),
      nearFrom: firstDay(expiryDay, (day) => onDay(day)?.near === true),
    };
  }

  /**
   * New contracts appear on the trading day after an expiry, so a day without trading shows what the one before it
   * listed.
   */
  private compute(exchange: DerivativeExchange, cycle: ContractCycle, day: IstDay): ListedExpiry[] {
    const asOf = this.calendar.tradingDayOnOrBefore(exchange, day);
    const listed = [...this.weeklies(exchange, cycle, asOf), ...this.monthlies(exchange, cycle, asOf)];
    return listed.filter((expiry) => expiry.day >= day && expiry.week <= LAST_WEEK).sort((a, b) => a.week - b.week);
  }

  private weeklies(exchange: DerivativeExchange, cycle: ContractCycle, asOf: IstDay): ListedExpiry[] {
    const found: ListedExpiry[] = [];
    for (let week = weekNumber(asOf); found.length < cycle.weekly; week += 1) {
      const day = this.expiries.expiryOf(exchange, week);
      if (day >= asOf && this.expiries.monthOf(exchange, week) === undefined) found.push({ week, day, near: true });
    }
    return found;
  }

  private monthlies(exchange: DerivativeExchange, cycle: ContractCycle, asOf: IstDay): ListedExpiry[] {
    const found: ListedExpiry[] = [];
    const { year, month } = civilDate(asOf);
    let months = year * 12 + month - 1;
    const take = (count: number, every: number, near: boolean) => {
      for (let taken = 0; taken < count; months += 1) {
        if ((months + 1) % every !== 0) continue;
        const week = this.expiries.monthlyWeek(exchange, Math.floor(months / 12), (months % 12) + 1);
        const day = this.expiries.expiryOf(exchange, week);
        if (day < asOf) continue;
        found.push({ week, day, near });
        taken += 1;
      }
    };
    take(cycle.monthly, 1, true);
    take(cycle.quarterly, 3, false);
    take(cycle.halfYearly, 6, false);
    return found;
  }
}

/** The first day of a run of days up to `last` on which `holds`; an expiry once listed stays listed. */
function firstDay(last: IstDay, holds: (day: IstDay) => boolean): IstDay {
  let low = last - LONGEST_LIFE_DAYS;
  let high: number = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (holds(middle as IstDay)) high = middle;
    else low = middle;
  }
  return high as IstDay;
}

function inner<K, L, V>(outer: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let map = outer.get(key);
  if (!map) {
    map = new Map();
    outer.set(key, map);
  }
  return map;
}
