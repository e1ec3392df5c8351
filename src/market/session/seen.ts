/**
 * The memory of one instrument in a market: what was found for the tick that was asked for last, and what stays from
 * tick to tick. It changes no answer.
 */
import type { Tick } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { Phase } from '../../core/exchange/phase.ts';
import type { DayFigures, Depth, Print, Turnover } from '../../core/market.ts';
import type { MarketBook, TradedDay } from '../listing.ts';
import type { BandOfDay } from './bands/day-band.ts';
import type { Listed } from './listed.ts';

/** The figures of one trading day. */
export interface DayView {
  /** The calendar day that it was asked on. */
  readonly askedOn: IstDay;
  readonly day: IstDay;
  readonly traded: TradedDay | undefined;
  band: BandOfDay | undefined;
  /** Of the closing auction. */
  closingReference: Price | undefined;
}

/** One instrument as it was last looked at. */
export interface Seen {
  readonly listed: Listed;
  tick: Tick;
  /** The calendar day, its trading, if it trades, and the second of the day. */
  day: IstDay;
  traded: TradedDay | undefined;
  second: number;
  phase: Phase;
  /** The seconds of the day in which the phase is this one: from the first, up to but without the other. */
  phaseFrom: number;
  phaseUntil: number;
  last: Print | undefined;
  /** The last print of a day that was asked for, in the terms of that day. It stays until there is another. */
  printed: Print | undefined;
  /** The book, and the tick that it stands at. */
  book: MarketBook | undefined;
  bookTick: Tick;
  /** Kept from the second question of a tick on. */
  depth: Depth | undefined;
  depthAskedAt: Tick;
  /** As `depth`; null where they are not kept. */
  figures: DayFigures | undefined | null;
  figuresAskedAt: Tick;
  /** Of the seconds that end with the tick. */
  turnovers: (Turnover & { readonly seconds: number })[];
  view: DayView | undefined;
}

/** The memory of an instrument that was not looked at yet. */
export function unseen(listed: Listed): Seen {
  return {
    listed,
    tick: -1 as Tick,
    day: -1 as IstDay,
    traded: undefined,
    second: 0,
    phase: 'Closed',
    phaseFrom: 0,
    phaseUntil: 0,
    last: undefined,
    printed: undefined,
    book: undefined,
    bookTick: -1 as Tick,
    depth: undefined,
    depthAskedAt: -1 as Tick,
    figures: null,
    figuresAskedAt: -1 as Tick,
    turnovers: [],
    view: undefined,
  };
}
