/**
 * The width of a day's price band by instrument, and the band whose edge gives way in steps. The sliding band of shares
 * with contracts is in `sliding-band.ts` and `flexes.ts`; `day-band.ts` chooses between them.
 */

import { ceilToTick, floorToTick, type Price } from '../../../base/money.ts';
import { USUAL_BAND } from '../../../core/exchange/guards/share-band.ts';
import type { PriceBand } from '../../../core/market.ts';
import { type DayTape, MINUTE_SECONDS } from '../../day-tape.ts';

/** Half the width of a future's band as a percentage of the previous settlement. Source: market-rules R1.43. */
const FUTURE_PERCENT = 10;
/**
 * The step by which an edge gives way when the market stands at it, as a percentage of the close. Source: market-rules
 * R1.42.
 */
export const FLEX_PERCENT = 5;
/** Source: market-rules R1.44. */
const OPTION_SPOT_SHARE = 0.2;
const OPTION_VALUE_SHARE = 0.4;
const OPTION_LEAST_PAISE = 2_000;

/** A band and the step in paise by which its edges give way. */
export interface DayBand {
  readonly edges: PriceBand;
  readonly flex: number;
}

/**
 * The band about the previous close of a share, an index or a future, rounded inwards to the tick. `fixed` is the
 * percentage of a share.
 * Source: market-rules R1.40, R1.43.
 */
export function bandAround(
  close: Price,
  kind: 'index' | 'equity' | 'future',
  tick: Price,
  fixed: number = USUAL_BAND,
): DayBand {
  const percent = kind === 'future' ? FUTURE_PERCENT : fixed;
  const lower = Math.max(tick, ceilToTick((close * (100 - percent)) / 100, tick)) as Price;
  const upper = Math.max(tick, floorToTick((close * (100 + percent)) / 100, tick)) as Price;
  return { edges: { lower, upper }, flex: (close * Math.min(FLEX_PERCENT, percent)) / 100 };
}

/** The band about an option's model value, of its delta and the spot. Paise. Source: market-rules R1.44. */
export function optionBand(value: number, delta: number, spot: number, tick: Price): DayBand {
  const half = Math.max(Math.abs(delta) * OPTION_SPOT_SHARE * spot, OPTION_VALUE_SHARE * value, OPTION_LEAST_PAISE);
  const lower = Math.max(tick, ceilToTick(value - half, tick)) as Price;
  const upper = Math.max(tick, floorToTick(value + half, tick)) as Price;
  return { edges: { lower, upper }, flex: half / 2 };
}

/**
 * The band at a second: while the market's own prices of the minute are beyond an edge, that edge gives way by as many
 * whole steps as needed. Source: market-rules R1.42, R1.43, made a function of the minute.
 */
export function bandAt({ edges, flex }: DayBand, tape: DayTape, second: number): PriceBand {
  const { tick } = tape;
  const { lower, upper } = edges;
  const minute = Math.floor(second / MINUTE_SECONDS);
  if (tape.highBound(minute) * tick <= upper - tick && tape.lowBound(minute) * tick >= lower + tick) return edges;
  const near = tape.nearBounds(minute);
  const high = Math.ceil(near.high) * tick;
  const low = Math.max(Math.floor(near.low), 1) * tick;
  if (high <= upper && low >= lower) return edges;
  const up = Math.max(0, Math.ceil((high - upper) / flex));
  const down = Math.max(0, Math.ceil((lower - low) / flex));
  return {
    lower: Math.max(tick, floorToTick(lower - down * flex, tick)) as Price,
    upper: ceilToTick(upper + up * flex, tick),
  };
}
