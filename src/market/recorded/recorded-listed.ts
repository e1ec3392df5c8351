/**
 * One instrument that has a tape, on its recorded days. The prints are the record's, depth around them is the liquidity
 * model's; closes, bands and auctions are those of every market.
 */
import type { Price, Quantity } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import { isDerivative } from '../../core/instrument.ts';
import type { PriceBand } from '../../core/market.ts';
import { type ClosingTape, MINUTE_SECONDS } from '../day-tape.ts';
import type { MarketBook } from '../listing.ts';
import { closingMatchedAt } from '../session/closing-print.ts';
import type { DayPhase, Hours, Sessions } from '../session/sessions.ts';
import { type DrawnDay, ModelListed, type ModelTerms } from '../synthetic/model-listed.ts';
import { bookAt } from '../synthetic/trades/book-shape.ts';
import type { PlayedDay, RecordedPlay } from './played-days.ts';
import type { RecordedDay } from './recorded-days.ts';
import { RecordedTape } from './recorded-tape.ts';

export class RecordedListed extends ModelListed {
  private readonly play: RecordedPlay;

  constructor(terms: ModelTerms, sessions: Sessions, number: number, play: RecordedPlay) {
    super({ ...terms, played: play }, sessions, number);
    this.play = play;
  }

  protected override make(day: IstDay, hours: Hours): DrawnDay {
    const { terms, instrument, play } = this;
    const derivative = isDerivative(instrument) ? instrument : undefined;
    const { lot, tick, kind } = instrument;
    const phases = this.phasesOn(day, hours);
    const played = play.on(day);
    const closing = closingOf(played, phases, hours, kind === 'index');
    const liquidity = this.liquidityOf(day, hours, derivative, 0);
    const tape = new RecordedTape({
      day,
      tick: played.tick,
      grid: tick,
      lot: kind === 'index' ? (0 as Quantity) : lot,
      seed: terms.seed,
      open: hours.open * MINUTE_SECONDS,
      close: hours.close * MINUTE_SECONDS,
      prints: played.prints,
      before: play.closeBefore(day),
      spreadShare: liquidity.spreadShare,
      closing,
      officialClose: officialCloseOf(played.recorded, kind === 'future'),
    });
    const openFrom = derivative === undefined ? 0 : this.openBefore(day);
    const openTo = derivative === undefined ? 0 : this.openAtEndOf(day);
    const book = (second: number, band: PriceBand, before: MarketBook | undefined): MarketBook =>
      bookAt({ traded, second, band, isOption: kind === 'option' }, before);
    const traded: DrawnDay = { tape, phases, liquidity, tick, lot, openFrom, openTo, book };
    return traded;
  }

  protected override openAtEndOf(day: IstDay): number {
    const recorded = this.play.has(day) ? this.play.on(day).prints.openInterestAt(Number.MAX_SAFE_INTEGER) : undefined;
    return recorded === undefined ? super.openAtEndOf(day) : recorded / this.instrument.lot;
  }
}

/** The close that follows continuous trading: the last recorded price, where the day has an auction or an index's level. */
function closingOf(
  { prints, tick, recorded }: PlayedDay,
  phases: readonly DayPhase[],
  { close }: Hours,
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
