/**
 * One instrument that has a tape, on its recorded days. The prints are the record's, depth around them is the liquidity
 * model's; closes, bands and auctions are those of every market.
 */
import type { Price, Quantity } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import { isDerivative } from '../../core/instrument.ts';
import type { PriceBand } from '../../core/market.ts';
import { type ClosingTape, MINUTE_SECONDS } from '../day-tape.ts';
import type { Close, MarketBook } from '../listing.ts';
import { closingMatchedAt } from '../session/closing-print.ts';
import type { DayPhase, Sessions, TradingMinutes } from '../session/sessions.ts';
import { type DrawnDay, ModelListed, type ModelTerms } from '../synthetic/model-listed.ts';
import { bookAt } from '../synthetic/trades/book-shape.ts';
import type { Liquidity } from '../synthetic/trades/liquidity.ts';
import type { PlayedDay, RecordedPlay } from './played-days.ts';
import type { RecordedDay, RecordedModel } from './recorded-days.ts';
import { RecordedTape } from './recorded-tape.ts';

export class RecordedListed extends ModelListed {
  private readonly play: RecordedPlay;

  constructor(terms: ModelTerms, sessions: Sessions, number: number, play: RecordedPlay) {
    super({ ...terms, played: play }, sessions, number);
    this.play = play;
  }

  protected override make(day: IstDay, calendarHours: TradingMinutes): DrawnDay {
    const { terms, instrument, play } = this;
    const derivative = isDerivative(instrument) ? instrument : undefined;
    const { lot, tick, kind } = instrument;
    const played = play.on(day);
    const model = modelOf(played.recorded);
    const hours = model === undefined ? calendarHours : hoursOf(model);
    const phases = model === undefined ? this.phasesOn(day, hours) : phasesOf(model);
    const liquidity = this.depthOf(day, hours, model);
    const tape = new RecordedTape({
      day,
      tick: played.tick,
      grid: tick,
      lot: kind === 'index' ? (0 as Quantity) : lot,
      seed: model?.seed ?? terms.seed,
      open: hours.open * MINUTE_SECONDS,
      close: hours.close * MINUTE_SECONDS,
      prints: played.prints,
      before: play.closeBefore(day),
      spreadShare: liquidity.spreadShare,
      closing: closingOf(played, phases, hours, kind === 'index'),
      officialClose: officialCloseOf(played.recorded, kind === 'future'),
      units: model && model.lots * lot,
      minutes: model?.minutes,
    });
    const openFrom = model?.openFrom ?? (derivative === undefined ? 0 : this.openBefore(day));
    const openTo = model?.openTo ?? (derivative === undefined ? 0 : this.openAtEndOf(day));
    const book = (second: number, band: PriceBand, before: MarketBook | undefined): MarketBook =>
      bookAt({ traded, second, band, isOption: kind === 'option' }, before);
    const traded: DrawnDay = { tape, phases, liquidity, tick, lot, openFrom, openTo, book };
    return traded;
  }

  /** Before the first recorded day no closes are known: margins begin with the volatility of that day's record. */
  override get volatility(): number {
    const first = this.play.span?.from;
    const model = first === undefined ? undefined : modelOf(this.play.on(first).recorded);
    return model?.volatility ?? super.volatility;
  }

  /** Behind days that were not recorded the published close before counts, where the record has it. */
  override officialCloseBefore(day: IstDay): Close {
    const published = this.play.has(day) ? (this.play.on(day).recorded.official?.previousClose ?? 0) : 0;
    const before = this.dayBefore(day);
    const yesterday = this.sessions.tradingDay(this.instrument.exchange, (day - 1) as IstDay);
    if (published === 0 || (before !== undefined && before === yesterday)) return super.officialCloseBefore(day);
    return { price: published as Price, day, second: 0 };
  }

  private depthOf(day: IstDay, hours: TradingMinutes, model: RecordedModel | undefined): Liquidity {
    const { instrument } = this;
    const drawn = this.liquidityOf(day, hours, isDerivative(instrument) ? instrument : undefined, 0);
    if (model === undefined) return drawn;
    const { depthLots, orderLots, gap } = model;
    return { ...drawn, depthLots, orderLots, gap };
  }

  protected override openAtEndOf(day: IstDay): number {
    const recorded = this.play.has(day) ? this.play.on(day).prints.openInterestAt(Number.MAX_SAFE_INTEGER) : undefined;
    return recorded === undefined ? super.openAtEndOf(day) : recorded / this.instrument.lot;
  }
}

function modelOf(recorded: RecordedDay): RecordedModel | undefined {
  return recorded.kind === 'ticks' ? recorded.model : undefined;
}

function hoursOf({ open, close }: RecordedModel): TradingMinutes {
  return { open: open / MINUTE_SECONDS, close: close / MINUTE_SECONDS };
}

function phasesOf({ phases }: RecordedModel): readonly DayPhase[] {
  return phases.map(([phase, start, end]) => ({ phase, start, end }));
}

/**
 * The close that follows continuous trading: the last recorded price, where the day has an auction, or an index has a
 * level behind it.
 */
function closingOf(
  { prints, tick, recorded }: PlayedDay,
  phases: readonly DayPhase[],
  { close }: TradingMinutes,
  isIndex: boolean,
): ClosingTape | undefined {
  const matched = closingMatchedAt(phases);
  const price = (recorded.official?.close || prints.closeBefore(Number.POSITIVE_INFINITY) * tick) as Price;
  if (!isIndex && matched !== undefined) {
    return { second: matched, lots: Math.max(prints.units - prints.unitsBefore(close), 1), price };
  }
  if (!isIndex || prints.end <= close) return undefined;
  return { second: prints.end * MINUTE_SECONDS - 1, lots: 0, price };
}

/** The published close; of a future its settlement price. A candle of a whole day ends with it. */
function officialCloseOf(recorded: RecordedDay, isFuture: boolean): Price | undefined {
  const { official } = recorded;
  const published = (isFuture ? official?.settlement : undefined) || official?.close;
  if (published) return published as Price;
  return recorded.kind === 'candles' && recorded.span === 'day' ? (recorded.candles.close[0] as Price) : undefined;
}
