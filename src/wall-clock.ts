import type { WallMs } from './base/time.ts';

/**
 * The wall clock of the machine, and the only place that reads it. It guards the door and dates what the machine does; market time is asked of the
 * engine.
 */
export function wallClock(): WallMs {
  return Date.now() as WallMs;
}
