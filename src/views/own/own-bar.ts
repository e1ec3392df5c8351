/** Users' trades in one instrument over a minute, and the log of the minutes that are over. */

import { type Complete, type Json, real, whole } from '../../base/codec.ts';
import type { Tick } from '../../base/ids.ts';
import type { MakeStore } from '../../base/logs/byte-log.ts';
import { RowLog } from '../../base/logs/row-log.ts';
import type { Price } from '../../base/money.ts';
import { type EpochMs, MINUTE_MS, SECOND_MS } from '../../base/time.ts';

/** Users' trades in one instrument over a stretch of time: a minute, or minutes put together. */
export interface OwnBar {
  /** The start of its first minute. */
  readonly start: EpochMs;
  readonly open: Price;
  high: Price;
  low: Price;
  /** The price of the last trade in which a user was the aggressor; where there is none, of the last. */
  close: Price;
  /** Units beside those of the market's prints. */
  volume: number;
  /** Sum of price times quantity, in paise. */
  turnover: number;
  /** The tick of the first trade. */
  readonly firstTick: Tick;
  /** The tick of the last trade in which a user was the aggressor; `NEVER` where there is none. */
  lastTick: Tick;
}

/** The numbers of a bar, and their order in a stored row. The start of a bar is the minute of its first tick. */
export function encodeBar({ firstTick, lastTick, open, high, low, close, volume, turnover }: OwnBar) {
  return [firstTick, lastTick, open, high, low, close, volume, turnover] as const;
}

/** The bar of such numbers. Throws `Undecodable`. */
export function decodeBar(numbers: readonly Json[]): OwnBar {
  const firstTick: Tick = whole(numbers[0], 'firstTick');
  return {
    start: minuteOf(firstTick),
    open: whole(numbers[2], 'open'),
    high: whole(numbers[3], 'high'),
    low: whole(numbers[4], 'low'),
    close: whole(numbers[5], 'close'),
    volume: whole(numbers[6], 'volume'),
    turnover: real(numbers[7], 'turnover'),
    firstTick,
    lastTick: whole(numbers[1], 'lastTick'),
  } satisfies Complete<OwnBar>;
}

/** The start of the minute that holds a tick. */
export function minuteOf(tick: Tick): EpochMs {
  return (Math.floor((tick * SECOND_MS) / MINUTE_MS) * MINUTE_MS) as EpochMs;
}

const WIDTH = 8;

/** The bars of minutes that are over, as rows. */
export class OwnBarLog {
  private readonly log: RowLog;
  private readonly numbers = new Float64Array(WIDTH);

  constructor(makeStore: MakeStore) {
    this.log = new RowLog(WIDTH, makeStore());
  }

  /** Adds bars one behind the other, and returns the place of the first. */
  add(bars: readonly OwnBar[]): number {
    const place = this.log.size;
    for (const bar of bars) {
      this.numbers.set(encodeBar(bar));
      this.log.append(this.numbers, 0);
    }
    return place;
  }

  read(place: number): OwnBar {
    this.log.read(place, this.numbers, 0);
    return decodeBar(Array.from(this.numbers));
  }
}
