/**
 * One instrument through its days, under the rules that every market obeys: closes, terms after corporate actions, open
 * interest from day to day. A source extends it and makes the tapes; nothing here draws a price.
 */
import type { InstrumentId } from '../../base/ids.ts';
import { type Price, type Quantity, roundToTick, ZERO_QUANTITY } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { LaterTerms } from '../../core/market.ts';
import type { ShareRatios } from '../../reference/corporate-actions/share-ratios.ts';
import { MINUTE_SECONDS } from '../day-tape.ts';
import type { AtmVolatility, Close, Listing, TradedDay } from '../listing.ts';
import { closingMatchedAt } from './closing-print.ts';
import { type ClosingTerms, officialClose } from './official-close.ts';
import type { DayPhase, Sessions, TradingMinutes } from './sessions.ts';

/** The data of one instrument, whatever the source. */
export interface ListedTerms extends ClosingTerms {
  /** Annual volatility of the instrument, or of its underlying. */
  readonly volatility: number;
  /** The at-the-money volatility of an index or share, or of what a contract is written on. */
  readonly atm: AtmVolatility;
  /** The underlying of a contract. */
  readonly underlying: Listed | undefined;
  /**
   * Of a contract: the share of a year's variance that its underlying still has before it at a minute, which may have a
   * fraction.
   */
  readonly varianceYears?: (day: IstDay, minute: number) => number;
  /** For a contract: the forward of its expiry, `years` away, for a unit of spot. */
  readonly carryFactor?: (day: IstDay, minute: number, years: number) => number;
  /** Corporate actions of a share, or of the share that a contract is written on. */
  readonly ratios: ShareRatios | undefined;
  /** The contract that this one replaced. */
  readonly predecessor: Predecessor | undefined;
  /** The days of the source for the instrument, where it has not all of them. */
  readonly played?: PlayedDays;
}

/** The days on which a source has an instrument: recorded ones. It does not trade on others. */
export interface PlayedDays {
  /** The first and the last of them; `undefined` where there is none. */
  readonly span: { readonly from: IstDay; readonly to: IstDay } | undefined;
  has(day: IstDay): boolean;
  /** The last of them before a day. */
  before(day: IstDay): IstDay | undefined;
  /** The hours of the day where every hour trades; `undefined` where the calendar has them. */
  hoursOf(day: IstDay): TradingMinutes | undefined;
}

/** The contract that traded before a corporate action put another in its place. */
export interface Predecessor {
  readonly listed: Listed;
  /** Brings one of its prices, in paise, to the terms of the new contract. */
  readonly adjusted: (price: number) => number;
}

/**
 * The number of days kept of one instrument: the current one, the one before, and those that a walk over history needs.
 */
const KEPT_DAYS = 4;

/**
 * One instrument through its days: closes, terms and open interest from its tapes of several days. A source adds the
 * tapes.
 */
export abstract class Listed<Terms extends ListedTerms = ListedTerms, Day extends TradedDay = TradedDay>
  implements Listing
{
  readonly instrument: Instrument;
  readonly id: InstrumentId;
  /** Distinguishes instruments in caches; an id would be too wide. */
  readonly number: number;
  readonly terms: Terms;
  protected readonly sessions: Sessions;
  private readonly kept: Day[] = [];
  private next = 0;
  private latest: Day | undefined;
  private close: { readonly day: IstDay; readonly close: Close } | undefined;
  private official: { readonly day: IstDay; readonly close: Close } | undefined;

  constructor(terms: Terms, sessions: Sessions, number: number) {
    this.terms = terms;
    this.number = number;
    this.instrument = terms.instrument;
    this.id = terms.instrument.id;
    this.sessions = sessions;
  }

  abstract fairValue(day: IstDay, minute: number): number;
  abstract typicalVolume(day: IstDay): number;
  /** Makes its trading of a day on which it trades in these hours. */
  protected abstract make(day: IstDay, hours: TradingMinutes): Day;
  /** The lots that are open when a day on which it trades ends. */
  protected abstract openAtEndOf(day: IstDay): number;

  get underlying(): Listed | undefined {
    return this.terms.underlying;
  }

  get volatility(): number {
    return this.terms.volatility;
  }

  get atm(): AtmVolatility {
    return this.terms.atm;
  }

  varianceYears(day: IstDay, minute: number): number {
    return this.terms.varianceYears?.(day, minute) ?? 0;
  }

  carryFactor(day: IstDay, minute: number, years: number): number {
    return this.terms.carryFactor?.(day, minute, years) ?? 1;
  }

  /** The instrument's trading of a day; `undefined` when it does not trade then. */
  traded(day: IstDay): Day | undefined {
    if (this.latest?.tape.day === day) return this.latest;
    const known = this.kept.find((kept) => kept.tape.day === day);
    if (known !== undefined) {
      this.latest = known;
      return known;
    }
    const hours = this.hoursOn(day);
    if (hours === undefined) return undefined;
    const made = this.make(day, hours);
    this.kept[this.next] = made;
    this.next = (this.next + 1) % KEPT_DAYS;
    this.latest = made;
    return made;
  }

  /** The last trading day of its exchange that is not after `day`; `undefined` before the first. */
  tradingDay(day: IstDay): IstDay | undefined {
    const { played } = this.terms;
    if (played === undefined) return this.sessions.tradingDay(this.instrument.exchange, day);
    let candidate = played.before((day + 1) as IstDay);
    while (candidate !== undefined && this.sessions.tradingDay(this.instrument.exchange, candidate) !== candidate) {
      candidate = played.before(candidate);
    }
    return candidate;
  }

  /** The last day on which it traded before `day`. */
  dayBefore(day: IstDay): IstDay | undefined {
    const { played } = this.terms;
    if (played === undefined) return this.sessions.dayBefore(this.instrument, day);
    let candidate = played.before(day);
    while (candidate !== undefined && this.sessions.hours(this.instrument, candidate) === undefined) {
      candidate = played.before(candidate);
    }
    return candidate;
  }

  private hoursOn(day: IstDay): TradingMinutes | undefined {
    const { played } = this.terms;
    if (played?.has(day) === false) return undefined;
    const hours = this.sessions.hours(this.instrument, day);
    return hours && (played?.hoursOf(day) ?? hours);
  }

  /** The phases of a day on which it trades in these hours. */
  protected phasesOn(day: IstDay, { open, close }: TradingMinutes): readonly DayPhase[] {
    if (this.terms.played?.hoursOf(day) === undefined) return this.sessions.phases(this.instrument, day);
    return [{ phase: 'Continuous', start: open * MINUTE_SECONDS, end: close * MINUTE_SECONDS }];
  }

  /**
   * The official close of the trading day before a day, in the terms of that day or of a later one: the value that a
   * share lost at an ex-date in between is taken off. Source: market-rules R2.13 to R2.17, R7.7.
   */
  closeBefore(day: IstDay, asOf: IstDay = day): Close {
    return this.carried(this.officialCloseBefore(day), asOf);
  }

  /** The official close of a day on which it traded, or of the last such day before, in the terms of that day. */
  closeOf(day: IstDay): Price {
    return this.closeBefore((day + 1) as IstDay, day).price;
  }

  /**
   * The last trade in continuous trading before a day, in the terms of that day or of a later one. Source: market-rules
   * R7.7.
   */
  tradeBefore(day: IstDay, asOf: IstDay = day): Close {
    return this.carried(this.lastTradeBefore(day), asOf);
  }

  private carried(close: Close, asOf: IstDay): Close {
    const price = this.inTermsOf(asOf, close.price, close.day);
    return price === close.price ? close : { ...close, price };
  }

  /** The official close of the trading day before, in the prices of that day, at the time of its last trade. */
  officialCloseBefore(day: IstDay): Close {
    if (this.official?.day === day) return this.official.close;
    const last = this.lastTradeBefore(day);
    const traded = this.traded(last.day);
    const close = traded === undefined || last.day >= day ? last : this.officialCloseOf(traded);
    this.official = { day, close };
    return close;
  }

  /** The last trade in continuous trading before a day at the price that it was made at. */
  lastTradeBefore(day: IstDay): Close {
    if (this.close?.day === day) return this.close.close;
    const close = this.findClose(day);
    this.close = { day, close };
    return close;
  }

  /** A price of the share on one day in the terms of another. The prices of a contract are always in its own. */
  inTermsOf(asOf: IstDay, price: Price, day: IstDay): Price {
    const { ratios } = this.terms;
    if (ratios === undefined || this.instrument.kind !== 'equity') return price;
    const carried = ratios.carried(price, day, asOf);
    return carried === price ? price : this.onTick(carried);
  }

  /**
   * The change of terms from one day to a later one; `undefined` where they are the same, and for contracts, whose
   * terms do not change.
   */
  laterTerms(day: IstDay, asOf: IstDay): LaterTerms | undefined {
    const { ratios } = this.terms;
    if (ratios === undefined || this.instrument.kind !== 'equity') return undefined;
    const units = ratios.unitsOn(asOf) / ratios.unitsOn(day);
    if (units === 1 && ratios.priceOn(asOf) === ratios.priceOn(day)) return undefined;
    return {
      price: (traded) => this.inTermsOf(asOf, traded, day),
      units: (traded) => Math.round(traded * units),
    };
  }

  /** Open units of a contract that has come in the place of another and has not traded yet; 0 of all others. */
  openInterestTakenOver(day: IstDay): Quantity {
    const isNew = this.terms.predecessor !== undefined && this.dayBefore(day) === undefined;
    return isNew ? this.openInterestBefore(day) : ZERO_QUANTITY;
  }

  /** Open units of a contract as a day begins; 0 on its first one, unless it has come in the place of another. */
  openInterestBefore(day: IstDay): Quantity {
    return (Math.floor(this.openBefore(day)) * this.instrument.lot) as Quantity;
  }

  /** Open units after the trades up to a second of a day; 0 in cash. */
  openInterest(traded: TradedDay, second: number): Quantity {
    const { openFrom, openTo, tape } = traded;
    const recorded = tape.openInterestAt?.(second);
    if (recorded !== undefined) return recorded;
    if (openFrom === openTo || tape.lots === 0) return (Math.floor(openFrom) * this.instrument.lot) as Quantity;
    const lots = Math.floor(openFrom + ((openTo - openFrom) * tape.lotsUpTo(second)) / tape.lots);
    return (lots * this.instrument.lot) as Quantity;
  }

  private findClose(day: IstDay): Close {
    const before = this.dayBefore(day);
    const traded = before === undefined ? undefined : this.traded(before);
    if (traded === undefined) {
      const { predecessor } = this.terms;
      if (predecessor === undefined) return { price: this.onTick(this.fairValue(day, 0)), day, second: 0 };
      const close = predecessor.listed.officialCloseBefore(day);
      return { ...close, price: this.onTick(predecessor.adjusted(close.price)) };
    }
    const { tape } = traded;
    const second = tape.lastContinuous();
    return { price: tape.printPrice(second).price, day: tape.day, second };
  }

  private officialCloseOf(traded: TradedDay): Close {
    const { tape } = traded;
    const price = tape.officialClose ?? tape.closing?.price ?? officialClose(this.terms, traded);
    return { price, day: tape.day, second: tape.lastPrint(tape.end) };
  }

  private onTick(value: number): Price {
    const { tick } = this.instrument;
    return Math.max(tick, roundToTick(value, tick)) as Price;
  }

  /** The second behind continuous trading in which the close of a day is made; `undefined` where nothing follows it. */
  protected closesAt(day: IstDay, hours: TradingMinutes, phases: readonly DayPhase[]): number | undefined {
    const { membersClose } = this.terms;
    const second = membersClose === undefined ? closingMatchedAt(phases) : membersClose.at(day);
    return second !== undefined && second > hours.close * MINUTE_SECONDS ? second : undefined;
  }

  /**
   * The lots that are open when a day begins: those of the day before, of the contract that this one replaces if need
   * be.
   */
  protected openBefore(day: IstDay): number {
    const before = this.dayBefore(day);
    if (before !== undefined) return this.openAtEndOf(before);
    return this.terms.predecessor?.listed.openBefore(day) ?? 0;
  }
}
