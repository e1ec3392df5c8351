/**
 * The candles of one instrument and interval: a stretch of the past, older ones as the user goes back, and the live one
 * from the stream. After a cut the stretch is read again, so that no candle stays half made; and so are the candles
 * that a fast or stepped market passed between two of the stream.
 */
import { effect } from '@preact/signals';
import { InvalidRequest, SaudaError } from '../../../../client/src/errors.ts';
import type { InstrumentName } from '../../../../client/src/instrument.ts';
import { instantOf } from '../../../../client/src/times.ts';
import { failureWords } from '../../orders/words.ts';
import { atNextFrame } from '../../store/frame.ts';
import { link, marketStatus } from '../../store/link.ts';
import { client, desk } from '../../store/session.ts';
import {
  type Candle,
  type ChartInterval,
  candleOf,
  filled,
  hasGap,
  joined,
  justBefore,
  stretchBetween,
  stretchTo,
} from './candles.ts';

/** The stretch up to now is read again this long after a failure. */
const RETRY_MS = 5_000;
/**
 * The longest stretch that is asked for behind empty ones, in stretches: months of minutes, and of candles still fewer
 * than the service gives at once.
 */
const LONGEST_TIMES = 32;

export interface CandleSink {
  reset(candles: readonly Candle[], isFresh: boolean): void;
  newest(candle: Candle): void;
  /** The candle whose figures are to be shown: that under the pointer, or else the newest. */
  shown(candle: Candle | undefined): void;
  /** Why there are no candles, in words; blank when there are. */
  failed(reason: string): void;
}

export class CandleFeed {
  private readonly instrument: InstrumentName;
  private readonly interval: ChartInterval;
  private readonly sink: CandleSink;
  private candles: readonly Candle[] = [];
  private fresh: Candle[] = [];
  private pointed: number | undefined;
  private isClosed = false;
  private isReading = false;
  private gaps: (readonly [last: Candle, next: Candle])[] = [];
  private isFilling = false;
  private isAtStart = false;
  /** The service has answered once: live candles join what it said. */
  private isBegun = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private stops: (() => void)[] = [];

  constructor(instrument: InstrumentName, interval: ChartInterval, sink: CandleSink) {
    this.instrument = instrument;
    this.interval = interval;
    this.sink = sink;
  }

  open(): void {
    let wasLive = false;
    this.stops.push(
      effect(() => {
        const now = link.value === 'live' && marketStatus.value !== undefined;
        if (now && !wasLive) void this.read();
        wasLive = now;
      }),
    );
    const live = desk.peek()?.stream.candles([this.instrument], this.interval);
    live?.on(
      ({ data }) => {
        this.fresh.push(candleOf(data));
        atNextFrame(this.take);
      },
      () => undefined,
    );
    this.stops.push(() => live?.close());
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    for (const stop of this.stops) stop();
  }

  /** The pointer is over the candle of a time, or over none. */
  point(time: number | undefined): void {
    this.pointed = time;
    this.showFigures();
  }

  /** Hands all candles on again, as in other colours. */
  redraw(): void {
    if (this.candles.length > 0) this.sink.reset(this.candles, false);
  }

  /** Reads candles before the first one. */
  older(): void {
    const [first] = this.candles;
    if (first === undefined || this.isReading || this.isAtStart) return;
    void this.read(first);
  }

  private async read(before?: Candle): Promise<void> {
    this.isReading = true;
    if (before === undefined) clearTimeout(this.retry);
    try {
      const end = before === undefined ? instantOf(marketStatus.peek()?.marketTime ?? '') : justBefore(before);
      const read = await this.lastBefore(end);
      if (this.isClosed) return;
      this.isBegun = true;
      const isFirst = this.candles.length === 0;
      this.candles = before === undefined ? joined(this.candles, read) : joined(read, this.candles);
      if (before !== undefined && read.length === 0) this.isAtStart = true;
      this.sink.reset(this.candles, isFirst);
      this.sink.failed(this.candles.length === 0 ? 'There are no candles yet.' : '');
      this.showFigures();
    } catch (error) {
      if (this.isClosed) return;
      this.sink.failed(failureWords(error));
      if (before === undefined && !(error instanceof InvalidRequest)) this.readSoon();
    } finally {
      this.isReading = false;
    }
  }

  /**
   * The candles of the stretch that ends at an instant, or of the last one before it that has some: a weekend and
   * holidays have none. Each is twice as long as the one after it. Empty where the market has nothing before.
   */
  private async lastBefore(end: Date): Promise<readonly Candle[]> {
    for (let [to, times] = [end, 1]; times <= LONGEST_TIMES && !this.isClosed; times *= 2) {
      const range = stretchTo(to, this.interval, times);
      const rows = await client().market.candles(this.instrument, { ...range, interval: this.interval });
      if (rows.length > 0) return rows.map(candleOf);
      to = new Date(range.from.getTime() - 1_000);
    }
    return [];
  }

  /** A cut link is waited for: when it is live again the stretch is read in any case. */
  private readSoon(): void {
    this.retry = setTimeout(() => {
      if (link.peek() === 'live') void this.read();
    }, RETRY_MS);
  }

  private readonly take = (): void => {
    const fresh = this.fresh;
    this.fresh = [];
    if (this.isClosed || !this.isBegun) return;
    if (this.candles.length === 0) this.sink.failed('');
    for (const candle of fresh) {
      const last = this.candles.at(-1);
      if (last !== undefined && candle.time < last.time) continue;
      if (last !== undefined && hasGap(last, candle, this.interval)) this.gaps.push([last, candle]);
      this.candles = last?.time === candle.time ? this.candles.with(-1, candle) : [...this.candles, candle];
      this.sink.newest(candle);
    }
    this.showFigures();
    if (!this.isFilling) void this.fill();
  };

  /** Reads the candles of all gaps, one after the other. One that cannot be read stays open until the next reading. */
  private async fill(): Promise<void> {
    this.isFilling = true;
    for (let gap = this.gaps.shift(); gap !== undefined && !this.isClosed; gap = this.gaps.shift()) {
      const [last, next] = gap;
      try {
        const range = { ...stretchBetween(last, next), interval: this.interval };
        const rows = await client().market.candles(this.instrument, range);
        if (this.isClosed || rows.length === 0) continue;
        this.candles = filled(this.candles, rows.map(candleOf));
        this.sink.reset(this.candles, false);
      } catch (error) {
        if (!(error instanceof SaudaError)) throw error;
      }
    }
    this.isFilling = false;
  }

  private showFigures(): void {
    const pointed = this.candles.findLast(({ time }) => time === this.pointed);
    this.sink.shown(pointed ?? this.candles.at(-1));
  }
}
