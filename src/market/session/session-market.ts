/**
 * The market as the core asks it: sessions, prints, books, bands, auctions, closes, candles and the figures of margins,
 * by the rules that all markets obey. The tapes come from a source; no price is made here.
 */

import { must } from '../../base/assert.ts';
import type { Exchange, InstrumentId, Tick } from '../../base/ids.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import { type Price, type Quantity, ZERO_QUANTITY } from '../../base/money.ts';
import { RecentMap } from '../../base/tables/recent-map.ts';
import { dayOf, firstTickOf, tickOf } from '../../base/tick.ts';
import { type EpochMs, type IstDay, istDay, SECOND_MS } from '../../base/time.ts';
import { NO_SHARE_BANDS, type ShareBands, shareBandOn } from '../../core/exchange/guards/share-band.ts';
import { auctionSession, type Phase } from '../../core/exchange/phase.ts';
import {
  type AuctionInterest,
  type Candle,
  type DayFigures,
  type Depth,
  type ExchangeSession,
  type LaterTerms,
  type MarketData,
  type MarketWidePositions,
  NO_TURNOVER,
  noInterest,
  type OptionGreeks,
  type PriceBand,
  type Print,
  type Reach,
  type RecordedSpan,
  type RiskFigures,
  type Turnover,
  type Valuation,
} from '../../core/market.ts';
import type { Side } from '../../core/order.ts';
import {
  type ActionIndex,
  type ActionSource,
  AnnouncedActions,
  NO_ACTIONS,
} from '../../reference/corporate-actions/announced-actions.ts';
import type { MarketFacts } from '../../reference/instruments/facts.ts';
import { MINUTE_SECONDS } from '../day-tape.ts';
import { KEPT_INSTRUMENTS, type Listings, type MarketBook, type TradedDay } from '../listing.ts';
import { type ContractsOn, marketWidePositions } from '../options/open-positions.ts';
import { greeksAt, riskAt, valuationAt } from '../options/risk-figures.ts';
import { atTheClose, closingTrade, inLaterTerms, NO_DEPTH, printOf } from './answers-of-a-day.ts';
import { auctionShape, closingBand, closingReference } from './auction-shape.ts';
import { BandOfDay, hasSlidingBand } from './bands/day-band.ts';
import { Candles } from './candles.ts';
import { DaySums } from './day-figures.ts';
import { DayFolds } from './day-folds.ts';
import { exchangeSession } from './exchange-session.ts';
import type { Listed } from './listed.ts';
import { closeOverExchanges, hasClosingAuction } from './official-close.ts';
import { type DayView, type Seen, unseen } from './seen.ts';
import { type MarketDays, phaseAt, phaseSpanAt, Sessions, type TradingHours, withinDays } from './sessions.ts';
import { standsOn } from './stands-on.ts';

/** Makes the listings, with their tapes, under the corporate actions of the start. */
export type MakeListings<Known extends Listed = Listed> = (actions: ActionIndex, sessions: Sessions) => Listings<Known>;

/** The inputs of any market, whatever its source. */
export interface SessionMarketTerms<Known extends Listed = Listed> {
  readonly regime: HoursRegime;
  /** Draws the random closes of sessions. */
  readonly seed: number;
  /** The days that the source knows. */
  readonly days: MarketDays;
  readonly calendar: TradingHours;
  readonly facts: MarketFacts;
  readonly listings: MakeListings<Known>;
  /** None when left out. */
  readonly actions?: ActionSource;
  /** The contracts on a share, which are summed up; without it no limit of positions is known. */
  readonly contractsOn?: ContractsOn;
  /** Fixed bands that operators set, each from a day to come on; none when left out. Source: market-rules R1.40. */
  readonly shareBands?: () => ShareBands;
}

const NO_PRINTS: readonly Print[] = [];

/** The listings that were made under the corporate actions of an index. */
interface Kept<Known extends Listed> {
  actions: ActionIndex;
  readonly listings: Listings<Known>;
  readonly sums: DaySums;
  readonly candles: Candles;
  readonly seen: RecentMap<InstrumentId, Seen>;
}

/**
 * A market over the tapes of any source. Its memory only saves time. Source: architecture 2.6; see docs/market.md.
 */
export class SessionMarket<Known extends Listed = Listed> implements MarketData {
  private readonly terms: SessionMarketTerms<Known>;
  private readonly sessions: Sessions;
  private readonly announced: AnnouncedActions;
  private readonly kept: Kept<Known>;

  constructor(terms: SessionMarketTerms<Known>) {
    this.terms = terms;
    this.sessions = new Sessions(terms.regime, terms.calendar, terms.seed, terms.days);
    this.announced = new AnnouncedActions(terms.actions ?? NO_ACTIONS);
    this.kept = this.afresh(this.announced.index());
  }

  tickAt(at: EpochMs): Tick {
    return Math.floor(at / SECOND_MS) as Tick;
  }

  phase(id: InstrumentId, tick: Tick): Phase {
    return this.at(id, tick).phase;
  }

  isOpen(id: InstrumentId, tick: Tick): boolean {
    return this.at(id, tick).phase === 'Continuous';
  }

  depth(id: InstrumentId, tick: Tick, most?: number): Depth {
    const seen = this.at(id, tick);
    if (seen.depth !== undefined) return seen.depth;
    // Quotes ask once: what thousands of instruments kept for a second each would be moved by the collector of garbage.
    if (seen.depthAskedAt !== tick) {
      seen.depthAskedAt = tick;
      return this.findDepth(seen, most);
    }
    seen.depth = this.findDepth(seen, undefined);
    return seen.depth;
  }

  private findDepth(seen: Seen, most: number | undefined): Depth {
    const { phase, listed, traded } = seen;
    if (phase === 'PostClose') return atTheClose(listed, traded);
    return this.bookOf(seen)?.depth(most) ?? NO_DEPTH;
  }

  quantityAt(id: InstrumentId, tick: Tick, side: Side, price: Price): Quantity {
    return this.bookOf(this.at(id, tick))?.quantityAt(side, price) ?? ZERO_QUANTITY;
  }

  print(id: InstrumentId, tick: Tick): Print | undefined {
    const { traded, second } = this.at(id, tick);
    if (traded === undefined || second < traded.tape.begin || second >= traded.tape.end) return undefined;
    return traded.tape.lastPrint(second) === second ? printOf(traded, second) : undefined;
  }

  printsAt(id: InstrumentId, tick: Tick): readonly Print[] {
    const last = this.print(id, tick);
    if (last === undefined) return NO_PRINTS;
    const { traded, second } = this.at(id, tick);
    return traded?.tape.printsAt?.(second).map((print) => ({ tick, ...print })) ?? [last];
  }

  lastPrint(id: InstrumentId, tick: Tick): Print {
    const seen = this.at(id, tick);
    seen.last ??= this.findLast(seen);
    return seen.last;
  }

  /** The reach of prices through the minute of the tick: by the bounds of its line, or the last print after hours. */
  reach(id: InstrumentId, tick: Tick): Reach | undefined {
    const seen = this.at(id, tick);
    const { traded, second, phase, listed } = seen;
    const minute = Math.floor(second / MINUTE_SECONDS);
    const end = (minute + 1) * MINUTE_SECONDS - 1;
    const until = (tick + end - second) as Tick;
    if (traded === undefined || second >= traded.tape.end || end < traded.tape.open) {
      if (phase !== 'Closed' || (traded !== undefined && this.phaseOn(traded, end) !== 'Closed')) return undefined;
      const { price } = this.lastPrint(id, tick);
      return { lowest: price, highest: price, until, isClosed: true };
    }
    const { tape } = traded;
    if (second < tape.open || end >= tape.end || this.phaseOn(traded, end) !== phase) return undefined;
    // An index is never traded, and moves while the market does.
    const isIndex = phase === 'Closed' && tape.lot === 0;
    if (!isIndex && phase !== 'Continuous') return undefined;
    const first = (until - MINUTE_SECONDS + 1) as Tick;
    const slides = !isIndex && hasSlidingBand(listed.instrument);
    const band = slides ? this.standingBand(id, first, until) : undefined;
    if (slides && band === undefined) return undefined;
    const last = this.lastPrint(id, tick).price;
    const lowest = Math.min(tape.lowBound(minute) * tape.tick, last);
    const highest = Math.max(tape.highBound(minute) * tape.tick, last);
    return { lowest, highest, until, ...(isIndex && { isClosed: true }), ...(band && { band }) };
  }

  /**
   * A band that may slide, when it is the same in a minute as just before it. It slides at whole minutes alone, and
   * cancels the orders that it leaves behind. Source: market-rules R1.42.
   */
  private standingBand(id: InstrumentId, first: Tick, last: Tick): PriceBand | undefined {
    const before = this.band(id, (first - 1) as Tick);
    const stands = [first, last].every((tick) => {
      const { lower, upper } = this.band(id, tick);
      return lower === before.lower && upper === before.upper;
    });
    return stands ? before : undefined;
  }

  private phaseOn({ tape, phases }: TradedDay, second: number): Phase {
    return tape.lot === 0 ? 'Closed' : phaseAt(phases, second);
  }

  turnover(id: InstrumentId, tick: Tick, seconds: number): Turnover {
    const seen = this.at(id, tick);
    if (seen.traded === undefined) return NO_TURNOVER;
    const known = seen.turnovers.find((turnover) => turnover.seconds === seconds);
    if (known !== undefined) return known;
    const { tape } = seen.traded;
    const { lots, ticksTimesLots } = tape.tradedWithin(seen.second - seconds, seen.second);
    const fresh = { seconds, quantity: lots * tape.lot, value: tape.turnoverOf(ticksTimesLots) };
    seen.turnovers.push(fresh);
    return fresh;
  }

  previousClose(id: InstrumentId, tick: Tick, asTraded = false): Price {
    const seen = this.at(id, tick);
    const { day, askedOn } = this.viewOf(seen);
    return (asTraded ? seen.listed.officialCloseBefore(day) : seen.listed.closeBefore(day, askedOn)).price;
  }

  /**
   * The last trade in continuous trading of a day, or of the last trading day before it; strikes are listed around it.
   * A day that the market does not know closes like the nearest one that it knows. The price is in the terms of `asOf`,
   * the next day when left out.
   */
  closeOn(id: InstrumentId, day: IstDay, asOf?: IstDay): Price {
    const last = withinDays(this.terms.days, day);
    return this.memory()
      .listings.get(id)
      .tradeBefore((last + 1) as IstDay, asOf).price;
  }

  band(id: InstrumentId, tick: Tick): PriceBand {
    const seen = this.at(id, tick);
    const { traded, phase } = seen;
    if (traded === undefined || auctionSession(phase) !== 'Close') return this.bandOf(seen);
    return closingBand(this.closingReference(seen, traded), traded.tape.tick);
  }

  settlementPrice(id: InstrumentId, tick: Tick): Price {
    const { listed, traded } = this.at(id, tick);
    if (this.terms.regime === 'always' || traded === undefined) return this.lastPrint(id, tick).price;
    const { day } = traded.tape;
    if (!hasClosingAuction(traded)) return listed.closeOf(day);
    const twin = this.terms.facts.twinOf(id);
    const elsewhere = twin === undefined ? undefined : closingTrade(this.kept.listings.get(twin), day);
    const here = must(closingTrade(listed, day), 'the share has traded in its closing auction');
    return closeOverExchanges(elsewhere === undefined ? [here] : [here, elsewhere]);
  }

  marketWidePositions(share: InstrumentId, day: IstDay): MarketWidePositions | undefined {
    const { facts, contractsOn } = this.terms;
    const { listings } = this.memory();
    return contractsOn && marketWidePositions({ listings, facts, contractsOn }, share, day);
  }

  recordedDays(id: InstrumentId): RecordedSpan | 'none' | undefined {
    const { played } = this.listings().get(id).terms;
    return played === undefined ? undefined : (played.span ?? 'none');
  }

  outsideRecord(id: InstrumentId, day: IstDay): RecordedSpan | 'none' | undefined {
    const { instrument, terms } = this.listings().get(id);
    const { played } = terms;
    if (played === undefined || played.has(day)) return undefined;
    if (played.span === undefined) return 'none';
    const { from, to } = played.span;
    const isHoliday = this.sessions.tradingDay(instrument.exchange, day) !== day;
    return isHoliday && day > from && day < to ? undefined : played.span;
  }

  auction(id: InstrumentId, tick: Tick): AuctionInterest {
    const band = this.band(id, tick);
    const seen = this.at(id, tick);
    const { traded, second, phase } = seen;
    if (traded === undefined) return noInterest(this.previousClose(id, tick));
    const session = auctionSession(phase) ?? 'Open';
    const reference = session === 'Close' ? this.closingReference(seen, traded) : this.previousClose(id, tick);
    const { tape, phases } = traded;
    const { lot } = seen.listed.instrument;
    return auctionShape({ tape, lot, phases, session, second, reference, band });
  }

  risk(id: InstrumentId, tick: Tick): RiskFigures {
    return riskAt(this.listings().get(id), tick);
  }

  greeks(id: InstrumentId, tick: Tick): OptionGreeks | undefined {
    return greeksAt(this.listings().get(id), tick);
  }

  valuation(id: InstrumentId, tick: Tick): Valuation {
    return valuationAt(this.listings().get(id), tick);
  }

  session(exchange: Exchange, tick: Tick): ExchangeSession {
    return exchangeSession(this.sessions, exchange, tick);
  }

  dayFigures(id: InstrumentId, tick: Tick): DayFigures | undefined {
    const seen = this.at(id, tick);
    if (seen.figures !== null) return seen.figures;
    if (seen.figuresAskedAt !== tick) {
      seen.figuresAskedAt = tick;
      return this.findFigures(seen);
    }
    seen.figures = this.findFigures(seen);
    return seen.figures;
  }

  private findFigures(seen: Seen): DayFigures | undefined {
    const { listed, tick } = seen;
    const { traded } = this.viewOf(seen);
    const figures = traded && this.kept.sums.figures(listed, traded, secondIn(traded, tick));
    return figures && inLaterTerms(figures, this.laterTerms(listed.id, tick), this.previousClose(listed.id, tick));
  }

  laterTerms(id: InstrumentId, tick: Tick): LaterTerms | undefined {
    const seen = this.at(id, tick);
    const { day, askedOn } = this.viewOf(seen);
    return day === askedOn ? undefined : seen.listed.laterTerms(day, askedOn);
  }

  openInterest(id: InstrumentId, tick: Tick): Quantity {
    const seen = this.at(id, tick);
    const { traded } = this.viewOf(seen);
    if (traded === undefined) return seen.listed.openInterestTakenOver(dayOf(tick));
    return seen.listed.openInterest(traded, secondIn(traded, tick));
  }

  intraday(id: InstrumentId, minutes: number, from: EpochMs, to: EpochMs, until: Tick): Candle[] {
    const { candles, listings } = this.memory();
    return candles.intraday(listings.get(id), { minutes, from, to, until });
  }

  daily(id: InstrumentId, from: IstDay, to: IstDay, until: Tick): Candle[] {
    const { candles, listings } = this.memory();
    return candles.daily(listings.get(id), from, to, until);
  }

  /** The IST day of the instant when NSE trades on it, else the trading day before. Source: market-rules R0.6. */
  tradingDay(at: EpochMs): IstDay {
    return this.sessions.tradingDay('NSE', istDay(at)) ?? this.terms.days.first;
  }

  protected listings(): Listings<Known> {
    return this.memory().listings;
  }

  /** The memory for the actions that are announced now. A change drops what stands on the shares of changed actions. */
  private memory(): Kept<Known> {
    const { kept } = this;
    const actions = this.announced.index();
    if (kept.actions === actions) return kept;
    const isChanged = standsOn(actions.changedFrom(kept.actions), this.terms.facts);
    kept.listings.heed(actions, isChanged);
    kept.seen.forget(({ listed }) => isChanged(listed.instrument));
    kept.actions = actions;
    return kept;
  }

  private afresh(actions: ActionIndex): Kept<Known> {
    const folds = new DayFolds();
    const sums = new DaySums(folds);
    return {
      actions,
      listings: this.terms.listings(actions, this.sessions),
      sums,
      candles: new Candles(folds, sums, this.terms.days.first),
      seen: new RecentMap(KEPT_INSTRUMENTS),
    };
  }

  private at(id: InstrumentId, tick: Tick): Seen {
    const known = this.memory().seen.get(id);
    if (known === undefined) return this.look(this.meet(id), tick);
    return known.tick === tick ? known : this.look(known, tick);
  }

  private meet(id: InstrumentId): Seen {
    const { seen, listings } = this.kept;
    const fresh = unseen(listings.get(id));
    seen.set(id, fresh);
    return fresh;
  }

  private look(seen: Seen, tick: Tick): Seen {
    const day = dayOf(tick);
    if (seen.day !== day || seen.traded === undefined) beginDay(seen, day);
    seen.tick = tick;
    seen.second = tick - firstTickOf(day);
    if (seen.second < seen.phaseFrom || seen.second >= seen.phaseUntil) findPhase(seen);
    seen.last = undefined;
    seen.depth = undefined;
    seen.figures = null;
    if (seen.turnovers.length > 0) seen.turnovers = [];
    if (seen.view !== undefined && seen.view.askedOn !== day) seen.view = undefined;
    return seen;
  }

  /** The trading day that holds the tick: its own, or the one before while the exchange is closed for the day. */
  private viewOf(seen: Seen): DayView {
    if (seen.view === undefined) {
      const askedOn = dayOf(seen.tick);
      const day = seen.listed.tradingDay(askedOn) ?? this.terms.days.first;
      seen.view = { askedOn, day, traded: seen.listed.traded(day), band: undefined, closingReference: undefined };
    }
    return seen.view;
  }

  /** On a day without trading the last print is that of the trading day before, in the terms of the day. */
  private findLast(seen: Seen): Print {
    const { day, askedOn, traded } = this.viewOf(seen);
    const { listed } = seen;
    if (traded !== undefined) {
      const second = traded.tape.lastPrint(secondIn(traded, seen.tick));
      if (second >= 0) {
        const print = printAt(seen, traded, second);
        const price = listed.inTermsOf(askedOn, print.price, day);
        return price === print.price ? print : { ...print, price };
      }
    }
    const isNew = traded === undefined && listed.terms.predecessor !== undefined;
    const isOver = traded === undefined && !isNew;
    const close = isOver ? listed.tradeBefore(day, askedOn) : listed.closeBefore(isNew ? askedOn : day, askedOn);
    return { tick: tickOf(close.day, close.second), price: close.price, quantity: ZERO_QUANTITY, aggressor: 'B' };
  }

  private bookOf(seen: Seen): MarketBook | undefined {
    const { traded } = seen;
    if (seen.phase !== 'Continuous' || traded === undefined) return undefined;
    if (seen.book === undefined || seen.bookTick !== seen.tick)
      seen.book = traded.book(seen.second, this.bandOf(seen), seen.book);
    seen.bookTick = seen.tick;
    return seen.book;
  }

  private closingReference(seen: Seen, { tape }: TradedDay): Price {
    const view = this.viewOf(seen);
    view.closingReference ??= closingReference(tape, seen.listed.closeBefore(view.day).price);
    return view.closingReference;
  }

  private bandOf(seen: Seen): PriceBand {
    const view = this.viewOf(seen);
    view.band ??= this.dayBand(seen.listed, view.day);
    const { traded, second } = seen;
    return view.band.at(view.day === view.askedOn ? second : 0, seen.phase === 'Continuous' ? traded?.tape : undefined);
  }

  private dayBand(listed: Listed, day: IstDay): BandOfDay {
    const driver = hasSlidingBand(listed.instrument) ? this.driverOf(listed) : undefined;
    const percent = shareBandOn(this.terms.shareBands?.() ?? NO_SHARE_BANDS, listed.id, day);
    return new BandOfDay(listed, day, driver, percent);
  }

  /**
   * The listing that slides the bands of a share, of its twin and of their futures together. Source: market-rules
   * R1.42.
   */
  private driverOf(listed: Listed): Listed {
    const share = listed.underlying ?? listed;
    const twin = share.instrument.exchange === 'BSE' ? this.terms.facts.twinOf(share.id) : undefined;
    return twin === undefined ? share : this.kept.listings.get(twin);
  }
}

function beginDay(seen: Seen, day: IstDay): void {
  seen.day = day;
  seen.traded = seen.listed.traded(day);
  seen.phaseUntil = 0;
}

/** An index has no phase of trading. */
function findPhase(seen: Seen): void {
  const { traded, listed, second } = seen;
  const phases = traded === undefined || listed.instrument.kind === 'index' ? [] : traded.phases;
  const { phase, start, end } = phaseSpanAt(phases, second);
  seen.phase = phase;
  seen.phaseFrom = start;
  seen.phaseUntil = end;
}

/**
 * The print of a second that has one. Where nothing has traded since, it is not made again: a tape draws one minute at
 * a time, and the print may be of an earlier one than the book.
 */
function printAt(seen: Seen, traded: TradedDay, second: number): Print {
  if (seen.printed?.tick !== tickOf(traded.tape.day, second)) seen.printed = printOf(traded, second);
  return seen.printed;
}

/** The second of a traded day that a tick is, which is beyond its end on a later day. */
function secondIn(traded: TradedDay, tick: Tick): number {
  return tick - firstTickOf(traded.tape.day);
}
