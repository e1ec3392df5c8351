/**
 * The operation `/timePriceSeries`: the candles of an instrument between two moments. A long series is made and sent in
 * pieces (`long-answer.ts`). The candles themselves are worked out in `src/views` and written in `candle-texts.ts`.
 */

import Type, { type Static } from 'typebox';
import type { InstrumentId, Tick } from '../../../base/ids.ts';
import { dayOf } from '../../../base/tick.ts';
import { DAY_MS, type EpochMs, type IstDay, istDay, istInstant, MINUTE_MS } from '../../../base/time.ts';
import { type Instrument, isDerivative } from '../../../core/instrument.ts';
import type { Candle, MarketData } from '../../../core/market.ts';
import type { State } from '../../../core/state.ts';
import { dailyCandles, intradayCandles } from '../../../views/quote.ts';
import type { Views } from '../../../views/views.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayDeps, GatewayParts } from '../../deps.ts';
import { listOf } from '../../fields/answers.ts';
import { badRequest, type Failure } from '../../fields/envelope.ts';
import { exchange, SIGNED_IN, text, tradingSymbol } from '../../fields/fields.ts';
import { findInstrument } from '../../fields/symbols.ts';
import { parseMoment } from '../../fields/times.ts';
import { longAnswer, type Piece } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { CANDLE, type CandleRange, type CandlesText, dailyText, dayText, minuteText } from './candle-texts.ts';

/** Source: contract W15. */
export const INTERVALS = [
  '1mi',
  '2mi',
  '3mi',
  '5mi',
  '10mi',
  '15mi',
  '20mi',
  '30mi',
  '60mi',
  '120mi',
  '240mi',
  '1d',
] as const;
export type Interval = (typeof INTERVALS)[number];

/** Source: contract W14. */
const MAX_CANDLES = 100_000;
const TOO_MANY = badRequest('startTime', `the range holds more than ${MAX_CANDLES} candles`);

const request = Type.Object({
  ...SIGNED_IN,
  exchange: exchange(),
  tradingSymbol: tradingSymbol(),
  startTime: text(19, { 'x-invalid': 'Invalid startTime', description: 'HH:MM:SS DD-MM-YYYY' }),
  endTime: text(19, { 'x-invalid': 'Invalid endTime', description: 'HH:MM:SS DD-MM-YYYY, after startTime' }),
  interval: Type.Enum(INTERVALS, { 'x-invalid': 'Invalid interval' }),
});

const answer = success('Successfully fetched charts data', listOf(CANDLE));

/** Source: interface §timePriceSeries, contract 3.11, W14 to W17. */
export const timePriceSeries = operation({
  path: '/timePriceSeries',
  summary: 'Candles, by minutes or by days',
  request,
  missing: 'MISSING_FIELD',
  rate: 'candle',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const asked = rangeOf(fields);
    if ('status' in asked) return asked;
    const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, deps.engine.now());
    if ('status' in named) return named;
    const until = deps.market.tickAt(deps.engine.now());
    const range = inLife(deps.market, named.instrument, asked, until);
    const bars = Math.max(0, Math.ceil(barsBetween(range.from, range.to, fields.interval)) + 1);
    const mostBytes = Math.min(MAX_CANDLES, bars) * CANDLE_BYTES;
    const pieces = inSlices(deps, named.instrument.id, fields.interval, range, until);
    return longAnswer(deps, caller, answer.head, mostBytes, pieces);
  },
});

/**
 * Days that are computed and written at most in one turn of the loop, so that a long range does not delay others. A day
 * of an index that nobody asked for is drawn from its members, in two milliseconds.
 */
const SLICE_DAYS = 5;

/** The most that a candle takes as text. */
const CANDLE_BYTES = 160;

/**
 * The candles of each slice, written; the failure in place of those that are too many. A range of years may hold few:
 * nobody knows it before they are counted.
 */
function* inSlices(
  deps: GatewayParts,
  id: InstrumentId,
  interval: Interval,
  range: CandleRange,
  until: Tick,
): Generator<Piece> {
  let count = 0;
  const together = (parts: readonly CandlesText[]): Buffer | Failure => {
    for (const part of parts) count += part.count;
    if (count > MAX_CANDLES) return TOO_MANY;
    const [only] = parts;
    return only !== undefined && parts.length === 1 ? only.bytes : Buffer.concat(parts.map(({ bytes }) => bytes));
  };
  for (const slice of slicesOf(range, sliceDays(interval))) {
    yield () =>
      deps.engine.read((state, views) => together(textsOf(deps, { state, views }, id, interval, slice, until)));
  }
}

/** The candles of a slice, by days where they are of minutes. */
function textsOf(
  { candleTexts, market }: GatewayParts,
  { state, views }: { readonly state: State; readonly views: Views },
  id: InstrumentId,
  interval: Interval,
  slice: CandleRange,
  until: Tick,
): CandlesText[] {
  if (interval === '1d') return [dailyText({ views, market }, id, slice, until)];
  return Array.from(slicesOf(slice, 1), (day) =>
    candleTexts.minutesOf(state, views, id, minutesOf(interval), day, until),
  );
}

/**
 * Fewer of short bars: the text of a day of minutes is about as much as a processor's cache keeps until it is in one
 * piece.
 */
function sliceDays(interval: Interval): number {
  return interval === '1d' ? SLICE_DAYS : Math.min(SLICE_DAYS, minutesOf(interval));
}

/** The range cut at IST midnights: no bar crosses one. */
function* slicesOf({ from, to }: CandleRange, days: number): Generator<CandleRange> {
  for (let start = from; start <= to; ) {
    const next = istInstant((istDay(start) + days) as IstDay);
    yield { from: start, to: Math.min(to, next - 1) as EpochMs };
    start = next;
  }
}

function rangeOf(fields: Static<typeof request>): CandleRange | Failure {
  const from = parseMoment(fields.startTime);
  if (from === undefined) return badRequest('startTime', 'Invalid startTime');
  const to = parseMoment(fields.endTime);
  if (to === undefined) return badRequest('endTime', 'Invalid endTime');
  const daily = fields.interval === '1d';
  const ordered = daily ? istDay(from) <= istDay(to) : from < to;
  if (!ordered) return badRequest('endTime', 'endTime must be after startTime');
  return daily ? wholeDays(from, to) : { from, to };
}

/**
 * The part of a range in which an instrument may have candles: from the first day of the market, or that of its
 * listing, to the day that runs, or its last one.
 */
function inLife(market: MarketData, instrument: Instrument, { from, to }: CandleRange, until: Tick): CandleRange {
  const isContract = isDerivative(instrument);
  const first = Math.max(market.tradingDay(0 as EpochMs), isContract ? instrument.listedOn : 0) as IstDay;
  const last = Math.min(dayOf(until), isContract ? istDay(instrument.expiresAt) : dayOf(until));
  const end = istInstant((last + 1) as IstDay) - 1;
  return { from: Math.max(from, istInstant(first)) as EpochMs, to: Math.min(to, end) as EpochMs };
}

/** Daily bars go by the date: clock times are ignored. Source: contract W16. */
function wholeDays(from: EpochMs, to: EpochMs): CandleRange {
  return { from: istInstant(istDay(from)), to: (istInstant((istDay(to) + 1) as IstDay) - 1) as EpochMs };
}

function barsBetween(from: EpochMs, to: EpochMs, interval: Interval): number {
  return (to - from) / (interval === '1d' ? DAY_MS : minutesOf(interval) * MINUTE_MS);
}

/** How many minutes an interval has. */
export function minutesOf(interval: Exclude<Interval, '1d'>): number {
  return Number.parseInt(interval, 10);
}

/** A candle as JSON. `start`: when its bar begins. */
export interface CandleText {
  readonly start: EpochMs;
  readonly text: string;
}

/**
 * The newest candles of an instrument at an instant: at most two bars of the same day or, for intervals of a day, one.
 * None before the first trade.
 */
export function newestCandles(
  deps: Pick<GatewayDeps, 'market'>,
  views: Views,
  id: InstrumentId,
  interval: Interval,
  at: EpochMs,
): CandleText[] {
  const back = interval === '1d' ? 0 : 2 * minutesOf(interval) * MINUTE_MS;
  const range = { from: (at - back) as EpochMs, to: at };
  const candles = candlesOf(deps, views, id, interval, range, deps.market.tickAt(at));
  const write = interval === '1d' ? dayText : minuteText;
  return candles.slice(-2).map((candle) => ({ start: candle.start, text: write(candle) }));
}

function candlesOf(
  deps: Pick<GatewayDeps, 'market'>,
  views: Views,
  id: InstrumentId,
  interval: Interval,
  { from, to }: CandleRange,
  until: Tick,
): readonly Candle[] {
  const { market } = deps;
  if (interval === '1d') return dailyCandles(views, market, id, istDay(from), istDay(to), until);
  return intradayCandles(views, market, id, minutesOf(interval), from, to, until);
}
