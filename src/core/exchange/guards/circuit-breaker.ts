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

/** How far the indices have halted the market today. */
export interface Breaker {
  /** The widest stage that made a halt; 0 before the first. */
  readonly stage: BreakerStage | 0;
  /** The first tick that trades again. */
  readonly until: Tick;
}

export const NO_BREAKER: Breaker = { stage: 0, until: 0 as Tick };

const REST_OF_DAY = Number.POSITIVE_INFINITY;
const REOPENING_MINUTES = 15;

/**
 * Until which time of the day which halt is made, in minutes with the pre-open that reopens the market; none after the
 * last.
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

/** The widest stage that a level of an index has reached, upwards or downwards. Source: market-rules R1.49. */
export function breakerStage(close: Price, level: Price): BreakerStage | undefined {
  const moved = Math.abs(level - close) * 100;
  return BREAKER_STAGES.findLast((stage) => moved >= stage * close);
}

/**
 * For how long a stage that is reached at a time of the day (milliseconds after IST midnight) halts the market, in
 * milliseconds, its reopening included: infinite for the rest of the day, 0 when it does not halt it any more. Source:
 * market-rules R1.49.
 */
export function haltMs(stage: BreakerStage, timeOfDay: number): number {
  const halt = HALTS[stage].find(([before]) => timeOfDay < before);
  return halt === undefined ? 0 : halt[1] * MINUTE_MS;
}
