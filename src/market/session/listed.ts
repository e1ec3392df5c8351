import type { InstrumentId } from '../../base/ids.ts';
import { type Price, type Quantity, roundToTick, ZERO_QUANTITY } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import { type Derivative, type Instrument, isDerivative } from '../../core/instrument.ts';
import type { LaterTerms } from '../../core/market.ts';
import type { ShareRatios } from '../../reference/corporate-actions/share-ratios.ts';
import {
  type ContractView,
  contractLots,
  contractSpreadShare,
  lotsToMove,
  openLots,
} from '../synthetic/contract-liquidity.ts';
import type { Activity } from '../synthetic/day-trades.ts';
import { busyness } from '../synthetic/day-volume.ts';
import type { Source } from '../synthetic/line.ts';
import { cashDay, contractDay, indexLiquidity, type Liquidity, liquidity } from '../synthetic/liquidity.ts';
import { withinPath } from '../synthetic/span-of-days.ts';
import { MINUTE_SECONDS, Tape } from '../synthetic/tape.ts';
import { auctionLots } from './auction-shape.ts';
import { ClosingPrint, closingMatchedAt } from './closing-print.ts';
import { officialClose } from './official-close.ts';
import type { DayPhase, Hours, Sessions } from './sessions.ts';

/** The price that a trading day ended with, or the model's value where there was none yet. */
export interface Close {
  readonly price: Price;
  /** The day and the second of its last trade; the start of the day asked for when nothing ever traded. */
  readonly day: IstDay;
  readonly second: number;
}

/** What the model knows of one instrument, however it was found. */
export interface ListedTerms {
  readonly instrument: Instrument;
  readonly source: Source;
  /** How much the instrument, or its underlying, has moved in a day. */
  readonly activity: Activity;
  /** How many times as much as on an ordinary day it moves on a day, as far as that is known in the morning. */
  readonly dayActivity: (day: IstDay) => number;
  readonly seed: number;
  /** Annual volatility of the instrument, or of its underlying. */
  readonly volatility: number;
  /** Units traded on a typical day; of the underlying share for a contract; 0 for an index and what is written on one. */
  readonly cashVolume: number;
  /** What a share trades for on a typical day, in paise; 0 of everything else. */
  readonly turnover: number;
  /** Of a share with contracts: how many times the usual open interest they have on a day. */
  readonly crowding?: (day: IstDay) => number;
  /** The width of the touch as a share of the price; of an option at the money. */
  readonly spreadShare: number;
  /** What a contract is written on. */
  readonly underlying: Listed | undefined;
  /** Of a contract: the share of a year's variance that its underlying still has before it at a minute, which may have a fraction. */
  readonly varianceYears?: (day: IstDay, minute: number) => number;
  /** Of a contract: the forward of its expiry, which is so many years away, for a unit of spot. */
  readonly carryFactor?: (day: IstDay, minute: number, years: number) => number;
  /** Corporate actions of a share, or of the share that a contract is written on. */
  readonly ratios: ShareRatios | undefined;
  /** What a contract came in the place of. */
  readonly predecessor: Predecessor | undefined;
  /** Of an index that closes with its members. */
  readonly membersClose?: MembersClose;
}

/** How an index closes with its members. Source: market-rules R2.16. */
export interface MembersClose {
  /** The second of a day in which the last of them has closed. */
  readonly at: (day: IstDay) => number;
  /** The level that their closes of a day add up to. */
  readonly level: (day: IstDay) => number;
}

/** The contract that traded before a corporate action put another in its place. */
export interface Predecessor {
  readonly listed: Listed;
  /** Brings one of its prices, in paise, to the terms of the new contract. */
  readonly adjusted: (price: number) => number;
}

/** The day of an instrument as it trades, its liquidity and open interest. */
export interface TradedDay {
  readonly tape: Tape;
  /** The parts of its day. */
  readonly phases: readonly DayPhase[];
  readonly liquidity: Liquidity;
  /** Open lots when the day begins and when it ends. */
  readonly openFrom: number;
  readonly openTo: number;
}

/** How many days of one instrument are kept: the current one, the one before, and what a walk over history needs. */
const KEPT_DAYS = 4;

/** One instrument in the model: its days of trading, as functions of the day. */
export class Listed {
  readonly instrument: Instrument;
  readonly id: InstrumentId;
  /** Distinguishes instruments in caches; an id would be too wide. */
  readonly number: number;
  readonly terms: ListedTerms;
  private readonly sessions: Sessions;
  private readonly kept: TradedDay[] = [];
  private next = 0;
  private latest: TradedDay | undefined;
  private close: { readonly day: IstDay; readonly close: Close } | undefined;
  private official: { readonly day: IstDay; readonly close: Close } | undefined;

  constructor(terms: ListedTerms, sessions: Sessions, number: number) {
    this.terms = terms;
    this.number = number;
    this.instrument = terms.instrument;
    this.id = terms.instrument.id;
    this.sessions = sessions;
  }

  /** The instrument's trading of a day; `undefined` when it does not trade then. */
  traded(day: IstDay): TradedDay | undefined {
    if (this.latest?.tape.day === day) return this.latest;
    const known = this.kept.find((kept) => kept.tape.day === day);
    if (known !== undefined) {
      this.latest = known;
      return known;
    }
    const hours = this.sessions.hours(this.instrument, day);
    if (hours === undefined) return undefined;
    const made = this.make(day, hours);
    this.kept[this.next] = made;
    this.next = (this.next + 1) % KEPT_DAYS;
    this.latest = made;
    return made;
  }

  /** The last trading day of its exchange that is not after `day`; `undefined` before the first. */
  tradingDay(day: IstDay): IstDay | undefined {
    return this.sessions.tradingDay(this.instrument.exchange, day);
  }

  /** The last day on which it traded before `day`. */
  dayBefore(day: IstDay): IstDay | undefined {
    return this.sessions.dayBefore(this.instrument, day);
  }

  /**
   * The official close of the trading day before a day, in the terms of that day or of a later one: what a share lost at an ex-date between
   * is taken off. Source: market-rules R2.13 to R2.17, R7.7.
   */
  closeBefore(day: IstDay, asOf: IstDay = day): Close {
    return this.carried(this.officialCloseBefore(day), asOf);
  }

  /** The official close of a day on which it traded, or of the last such day before, in the terms of that day. */
  closeOf(day: IstDay): Price {
    return this.closeBefore((day + 1) as IstDay, day).price;
  }

  /** The last trade in continuous trading before a day, in the terms of that day or of a later one. Source: market-rules R7.7. */
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

  /** The terms of one day in those of a later one; nothing where they are the same, and for contracts, whose terms do not change. */
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

  /** Units of a share that trade on a typical day, in its terms of a day. */
  typicalVolume(day: IstDay): number {
    return this.terms.cashVolume * this.unitsOn(day);
  }

  /** Open units after the trades up to a second of a day; 0 in cash. */
  openInterest(traded: TradedDay, lotsTraded: number): Quantity {
    const { openFrom, openTo, liquidity: liquid } = traded;
    const lots = Math.floor(openFrom + ((openTo - openFrom) * lotsTraded) / liquid.lots);
    return (lots * this.instrument.lot) as Quantity;
  }

  private findClose(day: IstDay): Close {
    const before = this.dayBefore(day);
    const traded = before === undefined ? undefined : this.traded(before);
    if (traded === undefined) {
      const { predecessor, source } = this.terms;
      if (predecessor === undefined) return { price: this.onTick(source.at(withinPath(day), 0)), day, second: 0 };
      const close = predecessor.listed.officialCloseBefore(day);
      return { ...close, price: this.onTick(predecessor.adjusted(close.price)) };
    }
    const { tape } = traded;
    const second = tape.lastContinuous();
    return { price: tape.printPrice(second).price, day: tape.day, second };
  }

  private officialCloseOf(traded: TradedDay): Close {
    const { tape } = traded;
    const price = tape.terms.closing?.price ?? officialClose(this.terms, traded);
    return { price, day: tape.day, second: tape.lastPrint(tape.end) };
  }

  private onTick(value: number): Price {
    const { tick } = this.instrument;
    return Math.max(tick, roundToTick(value, tick)) as Price;
  }

  private make(day: IstDay, hours: Hours): TradedDay {
    const { terms, instrument } = this;
    const derivative = isDerivative(instrument) ? instrument : undefined;
    const openFrom = derivative === undefined ? 0 : this.openBefore(day);
    const openTo = derivative === undefined ? 0 : this.openAtEndOf(day);
    const liquid = this.liquidityOf(day, hours, derivative, lotsToMove(openFrom, openTo));
    const { source, activity, seed } = terms;
    const lot = instrument.kind === 'index' ? ZERO_QUANTITY : instrument.lot;
    const { trades, lots, spreadShare } = liquid;
    const phases = this.sessions.phases(instrument, day);
    const closesAt = this.closesAt(day, hours, phases);
    const closing =
      closesAt === undefined
        ? undefined
        : new ClosingPrint(closesAt, lot === 0 ? 0 : auctionLots(lots, 'Close'), () => officialClose(terms, traded));
    const { tick } = instrument;
    const tape = new Tape({ day, hours, source, activity, seed, tick, lot, trades, lots, spreadShare, closing });
    const traded: TradedDay = { tape, phases, liquidity: liquid, openFrom, openTo };
    return traded;
  }

  /** The second behind continuous trading in which the close of a day is made; `undefined` where nothing follows it. */
  private closesAt(day: IstDay, hours: Hours, phases: readonly DayPhase[]): number | undefined {
    const { membersClose } = this.terms;
    const second = membersClose === undefined ? closingMatchedAt(phases) : membersClose.at(day);
    return second !== undefined && second > hours.close * MINUTE_SECONDS ? second : undefined;
  }

  private liquidityOf(day: IstDay, hours: Hours, contract: Derivative | undefined, atLeast: number): Liquidity {
    const { terms, instrument } = this;
    if (instrument.kind === 'index') return indexLiquidity(hours);
    const price = terms.source.at(day, 0);
    if (contract === undefined) {
      const typical = cashDay(this.typicalVolume(day) / instrument.lot, terms.turnover);
      const lots = Math.max(Math.floor(typical.lots * this.busynessOf(day) + 0.5), atLeast);
      return liquidity(typical, lots, hours, terms.spreadShare, price, instrument);
    }
    const view = this.view(contract, day);
    const typical = contractDay(contractLots(view));
    const lots = Math.max(Math.floor(typical.lots * this.busynessOf(day) + 0.5), atLeast);
    return liquidity(typical, lots, hours, contractSpreadShare(view, terms.spreadShare), price, instrument);
  }

  /** How many times the typical volume a day brings. The contracts of an underlying are busy when it is. */
  private busynessOf(day: IstDay): number {
    const { dayActivity, seed } = (this.terms.underlying ?? this).terms;
    return busyness(seed, day, dayActivity(day));
  }

  /** The lots that are open when a day begins: those of the day before, of the contract that this one replaces if need be. */
  private openBefore(day: IstDay): number {
    const before = this.dayBefore(day);
    if (before !== undefined) return this.openAtEndOf(before);
    return this.terms.predecessor?.listed.openBefore(day) ?? 0;
  }

  private openAtEndOf(day: IstDay): number {
    const { instrument } = this;
    return isDerivative(instrument) ? openLots(this.view(instrument, day)) : 0;
  }

  private view(contract: Derivative, day: IstDay): ContractView {
    const annualVolatility = this.terms.volatility;
    const crowding = this.terms.underlying?.terms.crowding?.(day) ?? 1;
    const view = { annualVolatility, cashVolume: this.typicalVolume(day), spot: this.spot(day), crowding };
    return { contract, ...this.origin(contract), ...view, day };
  }

  /** The first day and the seed of a contract, or of the first one in whose place it came: what is open goes on with it. */
  private origin(contract: Derivative): Pick<ContractView, 'bornOn' | 'seed'> {
    let first = contract;
    let { predecessor, seed } = this.terms;
    while (predecessor !== undefined) {
      const { instrument, terms } = predecessor.listed;
      if (isDerivative(instrument)) first = instrument;
      ({ predecessor, seed } = terms);
    }
    return { bornOn: first.listedOn, seed };
  }

  private unitsOn(day: IstDay): number {
    return this.terms.ratios?.unitsOn(day) ?? 1;
  }

  /** The underlying's value in paise when a day begins. */
  private spot(day: IstDay): number {
    return (this.terms.underlying ?? this).terms.source.at(day, 0);
  }
}
