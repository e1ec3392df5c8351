/**
 * Candles as JSON, one by one and by days of minutes. The text of a day that is over is kept, so that a chart which is
 * opened again is copied and not worked out. The range that a client asks for is cut in `time-price-series.ts`.
 */

import Type, { type Static } from 'typebox';
import type { InstrumentId, Tick } from '../../../base/ids.ts';
import { DAY_MS, type EpochMs, type IstDay, istDay, istInstant, MINUTE_MS, SECOND_MS } from '../../../base/time.ts';
import type { Candle, MarketData } from '../../../core/market.ts';
import type { State } from '../../../core/state.ts';
import { dailyCandles, intradayCandles } from '../../../views/quote.ts';
import type { Views } from '../../../views/views.ts';
import { listOf, plain } from '../../fields/answers.ts';
import { rupeesNumber } from '../../fields/numbers.ts';
import { epochSeconds, formatT1, formatT4 } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { partOf, type TextPart, WrittenText } from '../../fields/written-text.ts';

/** All kept texts together: two and a half years of the minutes of a share in `exchange` hours. */
const MOST_BYTES = 32 * 1024 * 1024;
/** An empty text takes room too. */
const LEAST_BYTES = 256;

/** Source: interface §timePriceSeries. */
export const CANDLE = Type.Object({
  time: plain(
    '^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}|00:00:00 [0-9]{2}-[0-9]{2}-[0-9]{4})$',
    'T4; T1 for daily candles',
  ),
  epochTime: Type.Integer(),
  open: Type.Number(),
  high: Type.Number(),
  low: Type.Number(),
  close: Type.Number(),
  volume: Type.Integer(),
  oi: Type.Integer(),
});

/** The text before the date of a candle. */
const OPENING = ',{"time":"';
/** The texts before the figures of a candle, and after the last of them. */
const PARTS = {
  opening: partOf(OPENING),
  open: partOf(',"open":'),
  high: partOf(',"high":'),
  low: partOf(',"low":'),
  close: partOf(',"close":'),
  volume: partOf(',"volume":'),
  oi: partOf(',"oi":'),
  end: partOf('}'),
} as const;
/** `YYYY-MM-DDT`, which a clock time follows in T4. */
const DATE_LENGTH = 11;
/** The clock times of the minutes of a day, with what comes between them and the epoch time. */
const CLOCK_TIMES = Array.from({ length: DAY_MS / MINUTE_MS }, (_, minute) =>
  partOf(`${formatT4(istInstant(0 as IstDay, minute * MINUTE_MS)).slice(DATE_LENGTH)}","epochTime":`),
);

const writeOne = compileWriter(CANDLE);
const writeList = compileWriter(listOf(CANDLE));

/** Candles as JSON, with a comma in front of each, and how many they are. */
export interface CandlesText {
  readonly bytes: Buffer;
  readonly count: number;
}

/** A range of bars: their starts in [from, to]. */
export interface CandleRange {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** A candle of minutes as JSON. */
export function minuteText(candle: Candle): string {
  return writeOne(item(candle, formatT4(candle.start)));
}

/** A candle of a day as JSON. */
export function dayText(candle: Candle): string {
  return writeOne(item(candle, formatT1(candle.start)));
}

/** The daily candles of a range, up to a tick. */
export function dailyText(
  { views, market }: { readonly views: Views; readonly market: MarketData },
  id: InstrumentId,
  { from, to }: CandleRange,
  until: Tick,
): CandlesText {
  const candles = dailyCandles(views, market, id, istDay(from), istDay(to), until);
  const text = writeList(candles.map((candle) => item(candle, formatT1(candle.start)))).slice(1, -1);
  return { bytes: Buffer.from(text === '' ? text : `,${text}`), count: candles.length };
}

type Item = Static<typeof CANDLE>;

function item(candle: Candle, time: string): Item {
  return {
    time,
    epochTime: epochSeconds(candle.start),
    open: rupeesNumber(candle.open),
    high: rupeesNumber(candle.high),
    low: rupeesNumber(candle.low),
    close: rupeesNumber(candle.close),
    volume: candle.volume,
    oi: candle.openInterest,
  };
}

/** The candles that are being written. */
const written = new WrittenText();

/**
 * Candles of minutes as JSON with a comma in front of each, straight from their numbers, since a year of them is 12 MB:
 * the same bytes as the writer of the schema has. Each starts with a whole minute.
 */
function minutesBytes(candles: readonly Candle[]): Buffer {
  written.clear();
  let midnight = Number.NEGATIVE_INFINITY;
  let opening = PARTS.opening;
  for (let i = 0; i < candles.length; i += 1) {
    const candle = candles[i] as Candle;
    const { start } = candle;
    if (start < midnight || start >= midnight + DAY_MS) {
      midnight = istInstant(istDay(start));
      opening = partOf(`${OPENING}${formatT4(start).slice(0, DATE_LENGTH)}`);
    }
    written.part(opening);
    written.part(CLOCK_TIMES[(start - midnight) / MINUTE_MS] as TextPart);
    written.integer(start / SECOND_MS);
    addFigures(candle);
  }
  return written.toBytes();
}

function addFigures({ open, high, low, close, volume, openInterest }: Candle): void {
  written.part(PARTS.open);
  written.rupeesNumber(open);
  written.part(PARTS.high);
  written.rupeesNumber(high);
  written.part(PARTS.low);
  written.rupeesNumber(low);
  written.part(PARTS.close);
  written.rupeesNumber(close);
  written.part(PARTS.volume);
  written.integer(volume);
  written.part(PARTS.oi);
  written.integer(openInterest);
  written.part(PARTS.end);
}

/**
 * Minute candles as JSON, day by day. The text of a whole day that is over is kept: only a change of the corporate
 * actions brings other figures then. A day on which users traded is not kept, since a trade may still come to it late,
 * and none while scenarios rule the market. At most 32 MiB are kept, and the day that was written first goes first.
 */
export class CandleTexts {
  private readonly market: MarketData;
  private readonly most: number;
  private readonly kept = new Map<string, CandlesText>();
  private actions: State['corporateActions'] | undefined;
  private bytes = 0;
  /** How many days were answered from memory, and how many were written, since the start. */
  readonly counts = { kept: 0, written: 0 };

  /** `most`: bytes of all texts that are kept. */
  constructor(market: MarketData, most = MOST_BYTES) {
    this.market = market;
    this.most = most;
  }

  /** The candles of `minutes` of a range within one day, none of which starts after `until`. */
  minutesOf(
    state: State,
    views: Views,
    id: InstrumentId,
    minutes: number,
    range: CandleRange,
    until: Tick,
  ): CandlesText {
    this.look(state);
    const key = this.canKeep(state, views, id, range, until) ? `${id} ${minutes} ${range.from}` : undefined;
    const known = key === undefined ? undefined : this.kept.get(key);
    if (known !== undefined) {
      this.counts.kept += 1;
      return known;
    }
    this.counts.written += 1;
    const candles = intradayCandles(views, this.market, id, minutes, range.from, range.to, until);
    const made = { bytes: minutesBytes(candles), count: candles.length };
    if (key !== undefined) this.keep(key, made);
    return made;
  }

  /** Forgets all texts when the corporate actions are others. */
  private look({ corporateActions }: State): void {
    if (this.actions === corporateActions) return;
    this.actions = corporateActions;
    this.kept.clear();
    this.bytes = 0;
  }

  private canKeep(state: State, views: Views, id: InstrumentId, { from, to }: CandleRange, until: Tick): boolean {
    const day = istDay(from);
    const midnight = istInstant(day);
    const isWhole = from === midnight && to === midnight + DAY_MS - 1 && until >= this.market.tickAt(to);
    return isWhole && state.scenarioRules.size === 0 && views.ownTrades.dayOf(id, day) === undefined;
  }

  private keep(key: string, made: CandlesText): void {
    this.kept.set(key, made);
    this.bytes += made.bytes.length + LEAST_BYTES;
    for (const [oldest, { bytes }] of this.kept) {
      if (this.bytes <= this.most) return;
      this.kept.delete(oldest);
      this.bytes -= bytes.length + LEAST_BYTES;
    }
  }
}
