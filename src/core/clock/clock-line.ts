import type { AccountId } from '../../base/ids.ts';
import type { ClockSpeed, EpochMs, WallMs } from '../../base/time.ts';

/**
 * The market clock that an operator has set: market time was `market` at the wall's instant `at`, and runs `speed`
 * times as fast as the wall.
 */
export interface ClockLine {
  readonly at: WallMs;
  readonly market: EpochMs;
  readonly speed: ClockSpeed;
  /** The instant at which a step of the clock ends: market time does not pass it. Absent where there is no step. */
  readonly until?: EpochMs;
  /** The account whose next event ends the step before `until`; absent where none does. */
  readonly eventOf?: AccountId;
  /** The operator who set it, and the reason. */
  readonly by: string;
  readonly why: string;
  /** The instant that the last start with `--clock` asked for; absent where none did. */
  readonly asked?: EpochMs;
}

/** An operator has set the market clock. */
export interface ClockSet extends ClockLine {
  readonly type: 'ClockSet';
}

/** Market time has come as far as this record. It keeps time that passed while nothing else was recorded. */
export interface ClockMarked {
  readonly type: 'ClockMarked';
}
