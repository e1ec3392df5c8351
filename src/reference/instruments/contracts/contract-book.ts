/**
 * The futures and options of one exchange, generated. A contract that was listed once stays listed until it expires:
 * the strikes of an expiry are the union over the reviews since its listing. Nothing is stored for a contract but its
 * strike. A corporate action puts another series in the place of each that has not expired: adjusted strikes and lots,
 * and from then on strikes of reviews too.
 */
import { must } from '../../../base/assert.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import { type Price, price } from '../../../base/money.ts';
import { civilDate, dayOfCivil, type EpochMs, type IstDay, istDay } from '../../../base/time.ts';
import type { CorporateAction } from '../../../core/broker/corporate-actions/corporate-action.ts';
import type { Derivative } from '../../../core/instrument.ts';
import type { ExpiryCalendar } from '../../calendar/expiry-calendar.ts';
import type { TradingCalendar } from '../../calendar/trading-calendar.ts';
import { ADJUSTED_STRIKE_UNIT, adjustedUnits } from '../../corporate-actions/adjusted-contract.ts';
import type { ActionIndex } from '../../corporate-actions/announced-actions.ts';
import type { DerivativeExchange } from '../../rules/contract-cycles.ts';
import type { ContractSchedule } from './contract-schedule.ts';
import { ContractSeries } from './contract-series.ts';
import { parseDateStyle, parseNativeStyle, type SymbolOption } from './contract-symbol.ts';
import type { ContractTerms } from './contract-terms.ts';
import {
  CODES,
  type ContractKey,
  contractOfToken,
  MAX_ADJUSTED_STRIKE_UNITS,
  MAX_STRIKE_UNITS,
} from './contract-token.ts';
import { StrikeLadder } from './strike-ladder.ts';
import type { Underlying } from './underlying.ts';

/** How long after its expiry a series stays in memory; it is built again when it is asked for later. */
const KEPT_DAYS = 10;

/** The close of an index or a share on a trading day, in the terms of a later day; above 0. */
export type DailyClose = (underlying: InstrumentId, day: IstDay, asOf: IstDay) => Price;

/** The rules and facts that the contracts of every exchange are made from. */
export interface ContractRules {
  readonly calendar: TradingCalendar;
  readonly expiries: ExpiryCalendar;
  readonly schedule: ContractSchedule;
  readonly terms: ContractTerms;
  /** The reference close of an underlying, for what a master says at that close: steps and ticks. */
  readonly referenceOf: (underlying: InstrumentId) => Price;
  /** The close that the strikes of the next trading day are listed around. */
  readonly closeOf: DailyClose;
  /** The corporate actions that are announced now. */
  readonly actions: () => ActionIndex;
  /** The date at whose midnight a trading day begins: adjusted contracts come then. */
  readonly beginOf: (day: IstDay) => IstDay;
}

interface KnownSeries {
  readonly series: ContractSeries;
  /** The day of the last review of its strikes. */
  reviewed: IstDay;
}

export class ContractBook {
  readonly exchange: DerivativeExchange;
  readonly underlyings: readonly Underlying[];
  private readonly rules: ContractRules;
  private readonly bySymbol = new Map<string, Underlying>();
  private readonly byCode = new Map<number, Underlying>();
  private readonly byId = new Map<InstrumentId, Underlying>();
  /** Series by code, week and adjustments; `null` for a week in which the underlying has none. */
  private readonly series = new Map<number, KnownSeries | null>();
  /** Closes by the day that they are reviewed on and the code; only while a review runs over many series. */
  private readonly closes = new Map<number, Price>();
  /** The actions that all the above was made under. */
  private actions: ActionIndex;
  private heeded = 0;
  private live: { readonly day: IstDay; readonly series: readonly ContractSeries[] } | undefined;

  constructor(exchange: DerivativeExchange, underlyings: readonly Underlying[], rules: ContractRules) {
    this.exchange = exchange;
    this.underlyings = underlyings.filter((underlying) => underlying.exchange === exchange);
    this.rules = rules;
    this.actions = rules.actions();
    for (const underlying of this.underlyings) {
      this.bySymbol.set(underlying.symbol, underlying);
      this.byCode.set(underlying.code, underlying);
      this.byId.set(underlying.id, underlying);
    }
  }

  /** The shares that it lists contracts on. */
  shares(): readonly InstrumentId[] {
    return this.underlyings.filter(({ kind }) => kind === 'equity').map(({ id }) => id);
  }

  underlyingBySymbol(symbol: string): Underlying | undefined {
    return this.bySymbol.get(symbol);
  }

  underlyingById(id: InstrumentId): Underlying | undefined {
    return this.byId.get(id);
  }

  /** The contract of a token, listed now, before or later; `undefined` when it never is. */
  byToken(token: number): Derivative | undefined {
    this.heedActions();
    const key = contractOfToken(token);
    const underlying = key && this.byCode.get(key.code);
    const known = underlying && this.known(underlying, key.week, key.adjustments);
    return known && this.contractOf(known, optionOf(known, key), known.series.expiryDay);
  }

  /** The contract of a token if it is listed at `at` and has not expired. Nothing is made for a series that is not. */
  byTokenAt(token: number, at: EpochMs): Derivative | undefined {
    this.heedActions();
    const key = contractOfToken(token);
    const underlying = key && this.byCode.get(key.code);
    const known = underlying && this.listedOf(underlying, key.week, at);
    if (known?.series.terms.adjustments !== key?.adjustments) return undefined;
    return known && key && this.contractOn(known, optionOf(known, key), istDay(at));
  }

  /** The contract of an upper-case symbol if it is listed at `at` and has not expired. */
  bySymbolAt(text: string, at: EpochMs): Derivative | undefined {
    this.heedActions();
    if (this.exchange === 'NFO') {
      const name = parseDateStyle(text);
      const underlying = name && this.bySymbol.get(name.symbol);
      return underlying && this.contractAt(underlying, name.expiryDay, name.option, at);
    }
    for (let length = text.length - 1; length > 0; length -= 1) {
      const underlying = this.bySymbol.get(text.slice(0, length));
      const found = underlying && this.nativeAt(underlying, text.slice(length), at);
      if (found) return found;
    }
    return undefined;
  }

  /** The series of an underlying that are live at `at`, by ascending expiry, with their strikes up to that day. */
  seriesOf(underlying: Underlying, at: EpochMs): ContractSeries[] {
    this.heedActions();
    return this.listedSeries(underlying, at).map((known) => {
      this.review(known, istDay(at));
      return known.series;
    });
  }

  /** The series of an underlying that are live at `at`, by ascending expiry; strikes may be of an earlier day. */
  private listedSeries(underlying: Underlying, at: EpochMs): KnownSeries[] {
    const adjustments = this.adjustmentsOn(underlying, istDay(at));
    const found: KnownSeries[] = [];
    for (const { week } of this.rules.schedule.listedOn(this.exchange, underlying.symbol, istDay(at))) {
      const known = this.liveOf(underlying, week, adjustments, at);
      if (known) found.push(known);
    }
    return found;
  }

  /** The series of a week that is live at `at`; nothing is made for a week that is not listed then. */
  private listedOf(underlying: Underlying, week: number, at: EpochMs): KnownSeries | undefined {
    const day = istDay(at);
    const listed = this.rules.schedule.listedOn(this.exchange, underlying.symbol, day);
    if (!listed.some((expiry) => expiry.week === week)) return undefined;
    return this.liveOf(underlying, week, this.adjustmentsOn(underlying, day), at);
  }

  private liveOf(underlying: Underlying, week: number, adjustments: number, at: EpochMs): KnownSeries | undefined {
    const known = this.known(underlying, week, adjustments);
    return known && known.series.terms.listedOn <= istDay(at) && known.series.isLive(at) ? known : undefined;
  }

  /** The work of `liveSeries` in pieces: the strikes of one series on one of its days each. */
  *reviewing(at: EpochMs): Generator<undefined, void> {
    const day = istDay(at);
    for (const underlying of this.underlyings) {
      this.heedActions();
      for (const known of this.listedSeries(underlying, at)) yield* this.reviews(known, day);
    }
    this.liveSeries(at);
  }

  /** Every series that is live at `at`, in the order of the underlyings, then by expiry. */
  liveSeries(at: EpochMs): readonly ContractSeries[] {
    this.heedActions();
    const day = istDay(at);
    if (this.live?.day !== day) {
      this.forgetExpired(day);
      this.live = { day, series: this.underlyings.flatMap((underlying) => this.seriesOf(underlying, at)) };
      this.closes.clear();
    }
    return this.live.series.filter((series) => series.isLive(at));
  }

  private contractAt(
    underlying: Underlying,
    expiryDay: IstDay,
    option: SymbolOption | undefined,
    at: EpochMs,
  ): Derivative | undefined {
    const week = this.rules.expiries.weekOf(this.exchange, expiryDay);
    const known = week === undefined ? undefined : this.listedOf(underlying, week, at);
    return known && this.contractOn(known, option, istDay(at));
  }

  private nativeAt(underlying: Underlying, rest: string, at: EpochMs): Derivative | undefined {
    const name = parseNativeStyle(rest);
    if (!name) return undefined;
    const monthly = this.rules.expiries.monthlyWeek(this.exchange, name.year, name.month);
    const monthlyDay = this.rules.expiries.expiryOf(this.exchange, monthly);
    if (name.expiryDay === monthlyDay) return undefined;
    return this.contractAt(underlying, name.expiryDay ?? monthlyDay, name.option, at);
  }

  /** A contract of a series that is listed on `day`. */
  private contractOn(known: KnownSeries, option: SymbolOption | undefined, day: IstDay): Derivative | undefined {
    const found = this.contractOf(known, option, day);
    return found && found.listedOn <= day ? found : undefined;
  }

  /** A contract of a series, whose strikes are reviewed up to a day where they lack it. */
  private contractOf(known: KnownSeries, option: SymbolOption | undefined, through: IstDay): Derivative | undefined {
    const found = known.series.contract(option);
    if (found || !option) return found;
    this.review(known, through);
    return known.series.contract(option);
  }

  /** How often corporate actions have adjusted the contracts of an underlying when a date begins. */
  private adjustmentsOn({ id }: Underlying, day: IstDay): number {
    let adjustments = 0;
    for (const { exDay } of this.actions.adjusting(id)) if (this.rules.beginOf(exDay) <= day) adjustments += 1;
    return adjustments;
  }

  /** How many times corporate actions have changed the series: the same number means the same series. */
  get changes(): number {
    this.heedActions();
    return this.heeded;
  }

  /**
   * Forgets the series of shares whose corporate actions have changed. Any action moves the closes that strikes are
   * listed around. An index is listed around closes of its own prints, which no action of a member moves.
   */
  private heedActions(): void {
    const actions = this.rules.actions();
    if (actions === this.actions) return;
    const changed = actions.changedFrom(this.actions);
    this.actions = actions;
    const codes = new Set(this.underlyings.filter(({ id }) => changed.has(id)).map(({ code }) => code));
    if (codes.size === 0) return;
    for (const key of this.series.keys()) if (codes.has(key % CODES)) this.series.delete(key);
    for (const key of this.closes.keys()) if (codes.has(key % CODES)) this.closes.delete(key);
    this.live = undefined;
    this.heeded += 1;
  }

  private known(underlying: Underlying, week: number, adjustments: number): KnownSeries | undefined {
    const key = (adjustments * 2_048 + week) * CODES + underlying.code;
    let known = this.series.get(key);
    if (known === undefined) {
      known = this.build(underlying, week, adjustments) ?? null;
      this.series.set(key, known);
    }
    return known ?? undefined;
  }

  private build(stated: Underlying, week: number, adjustments: number): KnownSeries | undefined {
    const { schedule, calendar, terms } = this.rules;
    const life = schedule.life(this.exchange, stated.symbol, week);
    const actions = this.actions.adjusting(stated.id);
    if (!life || adjustments > actions.length) return undefined;
    const [adjustedBy, next] = [actions[adjustments - 1], actions[adjustments]];
    const adjustedOn = adjustedBy && this.rules.beginOf(adjustedBy.exDay);
    const replacedOn = next && this.rules.beginOf(next.exDay);
    const first = later(stated.listedFrom ?? (0 as IstDay), adjustedOn ?? (0 as IstDay));
    const listedOn = later(life.listedOn, first);
    if (life.expiryDay < first || (replacedOn !== undefined && replacedOn <= listedOn)) return undefined;
    const made = actions.slice(0, adjustments);
    const futureFrom = life.cycle === 'monthly' ? later(life.nearFrom, first) : undefined;
    const underlying = adjustments === 0 ? stated : withoutOwnSteps(stated);
    const reference = adjustedReference(this.rules.referenceOf(stated.id), made);
    const before = adjustments === 0 ? undefined : this.known(stated, week, adjustments - 1);
    if (before) this.review(before, life.expiryDay);
    const series = new ContractSeries(
      {
        underlying,
        life,
        adjustments,
        adjustedBy: before && adjustedBy,
        replaced:
          next && replacedOn !== undefined && next.exDay <= life.expiryDay ? { by: next, on: replacedOn } : undefined,
        listedOn,
        futureFrom: futureFrom && (replacedOn === undefined || futureFrom < replacedOn) ? futureFrom : undefined,
        expiresAt: calendar.closingInstant(this.exchange, life.expiryDay),
        lot: made.reduce(adjustedUnits, terms.lot(stated, life.expiryDay)),
        freeze: made.reduce(adjustedUnits, terms.freeze(this.exchange, stated.symbol, life.expiryDay)),
        optionTick: terms.tick(underlying, 'option', reference, life.expiryDay),
        futureTick: terms.tick(underlying, 'future', reference, life.expiryDay),
      },
      new StrikeLadder(),
      before?.series,
    );
    return { series, reviewed: (listedOn - 1) as IstDay };
  }

  /**
   * Reviews the strikes of a series on each of its review days up to `through`: every trading day while it is near, its
   * listing day and the first trading day of each month before that. Nothing is listed any more when another series
   * takes its place.
   */
  private review(known: KnownSeries, through: IstDay): void {
    const reviews = this.reviews(known, through);
    while (reviews.next().done !== true);
  }

  /** The work of `review`, a day in a piece. */
  private *reviews(known: KnownSeries, through: IstDay): Generator<undefined, void> {
    const { terms, ladder } = known.series;
    const { underlying, life, replaced, adjustments } = terms;
    const highest = (adjustments === 0 ? MAX_STRIKE_UNITS : MAX_ADJUSTED_STRIKE_UNITS) * underlying.unit;
    const lastDay = replaced === undefined ? life.expiryDay : replaced.on - 1;
    const last = through < lastDay ? through : lastDay;
    while (known.reviewed < last) {
      const day = this.nextReview(known);
      if (day > last) return;
      const close = this.closeBefore(underlying, day);
      const near = day >= life.nearFrom;
      const step = this.rules.terms.strikeStep(underlying, near, close, this.rules.referenceOf(underlying.id));
      const count = this.rules.terms.strikesEachSide(underlying);
      ladder.review(day, close, step, count, highest);
      known.reviewed = day;
      yield;
    }
  }

  /** The close that strikes of `day` are listed around; the series of an underlying share it. */
  private closeBefore(underlying: Underlying, day: IstDay): Price {
    const key = day * CODES + underlying.code;
    let close = this.closes.get(key);
    if (close === undefined) {
      close = this.rules.closeOf(underlying.id, this.rules.calendar.previousTradingDay(this.exchange, day), day);
      this.closes.set(key, close);
    }
    return close;
  }

  private nextReview({ reviewed, series }: KnownSeries): IstDay {
    const { calendar } = this.rules;
    const { listedOn, life } = series.terms;
    if (reviewed < listedOn) return listedOn;
    if (reviewed >= life.nearFrom) return calendar.nextTradingDay(this.exchange, reviewed);
    const { year, month } = civilDate(reviewed);
    const first = must(
      month === 12 ? dayOfCivil(year + 1, 1, 1) : dayOfCivil(year, month + 1, 1),
      'a first of a month',
    );
    const monthly = calendar.nextTradingDay(this.exchange, (first - 1) as IstDay);
    return monthly < life.nearFrom ? monthly : life.nearFrom;
  }

  private forgetExpired(day: IstDay): void {
    for (const [key, known] of this.series) {
      if (!known || known.series.terms.life.expiryDay < day - KEPT_DAYS) this.series.delete(key);
    }
  }
}

/** The terms of a token's option; `undefined` for the future. */
function optionOf({ series }: KnownSeries, { option }: ContractKey): SymbolOption | undefined {
  const { unit } = series.terms.underlying;
  return option && { strike: price(option.strikeUnits * unit), type: option.type };
}

/** After an adjustment, steps and ticks are those of the rule, and any multiple of 0.05 can be a strike. */
function withoutOwnSteps(underlying: Underlying): Underlying {
  const none = { step: undefined, farStep: undefined, optionTick: undefined, futureTick: undefined };
  return { ...underlying, ...none, unit: ADJUSTED_STRIKE_UNIT };
}

function adjustedReference(reference: Price, actions: readonly CorporateAction[]): Price {
  const exact = actions.reduce(
    (sum, { before, after, dividend }) => (sum * before) / after - dividend,
    reference as number,
  );
  return Math.max(Math.round(exact), 1) as Price;
}

function later(a: IstDay, b: IstDay): IstDay {
  return a > b ? a : b;
}
