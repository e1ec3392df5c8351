/**
 * The figures of the market-wide circuit breaker: how far an index must move, and how long a halt lasts.
 * `market-breaker.ts` compares the indices with them. Source: market-rules R1.49.
 */

import type { InstrumentId, Tick } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import { HOUR_MS, MINUTE_MS } from '../../../base/time.ts';

/** Moves of an index against its previous close, in percent, that halt the whole market. Source: market-rules R1.49. */
export const BREAKER_STAGES = [10, 15, 20] as const;
export type BreakerStage = (typeof BREAKER_STAGES)[number];

/** An index has moved so far that all exchanges halt. Source: market-rules R1.49. */
export interface BreakerTripped {
  readonly type: 'BreakerTripped';
  readonly index: InstrumentId;
  readonly stage: BreakerStage;
  /** The first tick that trades again. */
  readonly until: Tick;
}

/** The widest halt of today, and its end. */
export interface Breaker {
  /** The widest stage that caused a halt; 0 before the first. */
  readonly stage: BreakerStage | 0;
  /** The first tick that trades again. */
  readonly until: Tick;
}

export const NO_BREAKER: Breaker = { stage: 0, until: 0 as Tick };

const REST_OF_DAY = Number.POSITIVE_INFINITY;
const REOPENING_MINUTES = 15;

/**
 * The halts of a stage by the time of day: each row holds before its time, and lasts for its minutes, which include the
 * pre-open session that reopens the market. After the last row there is no halt.
 */
type Halts = readonly (readonly [before: number, minutes: number])[];
const HALTS: Readonly<Record<BreakerStage, Halts>> = {
  10: [
    [13 * HOUR_MS, 45 + REOPENING_MINUTES],
    [14.5 * HOUR_MS, 15 + REOPENING_MINUTES],
  ],
  15: [
    [13 * HOUR_MS, 105 + REOPENING_MINUTES],
    [14 * HOUR_MS, 45 + REOPENING_MINUTES],
    [REST_OF_DAY, REST_OF_DAY],
  ],
  20: [[REST_OF_DAY, REST_OF_DAY]],
};

/** The widest stage that the level of an index has reached, up or down. Source: market-rules R1.49. */
export function breakerStage(close: Price, level: Price): BreakerStage | undefined {
  const moved = Math.abs(level - close) * 100;
  return BREAKER_STAGES.findLast((stage) => moved >= stage * close);
}

/**
 * How long a stage halts the market, in milliseconds, with the reopening. `timeOfDay` is in milliseconds after IST
 * midnight. Infinite for the rest of the day; 0 when the stage no longer halts the market. Source: market-rules R1.49.
 */
export function haltMs(stage: BreakerStage, timeOfDay: number): number {
  const halt = HALTS[stage].find(([before]) => timeOfDay < before);
  return halt === undefined ? 0 : halt[1] * MINUTE_MS;
}
