import type { EpochMs } from '../base/time.ts';

/** The time of this machine. */
export const clock = (): EpochMs => Date.now() as EpochMs;
