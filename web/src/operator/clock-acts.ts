/** The acts on the market clock. Each is a request of the operator's port, and the port answers with the clock. */
import type { MarketClock } from '../../../client/src/time.ts';
import type { Act } from './acts.ts';

/** The speeds that have a button: the wall's, and faster ones. */
export const SPEEDS = [1, 10, 60, 600, 'max'] as const;

/** A step may take minutes of the wall: as long as the books need for its seconds. */
const LONGEST_STEP_MS = 240_000;
const FIRST =
  'The market follows the wall now. From here on it has a clock of its own and never follows the wall again.';

/** The speed in words, for a sentence about the market. */
export function paceOf(speed: MarketClock['speed']): string {
  if (speed === 0) return 'stands still';
  return speed === 'max' ? 'runs as fast as it can' : `runs at x${speed}`;
}

/** `The market stands still; it is 2026-11-23 10:15:00`. */
function clockText({ speed, market, until }: MarketClock): string {
  const now = `The market ${paceOf(speed)}; it is ${market}`;
  return until === undefined ? now : `${now}, on the way to ${until}`;
}

export function runAt(speed: MarketClock['speed']): Act {
  return {
    title: speed === 0 ? 'Pause the market' : `Run at ${speed === 'max' ? 'max' : `x${speed}`}`,
    effect: `The market ${paceOf(speed)} from now on, for all users. ${FIRST}`,
    button: speed === 0 ? 'Pause' : 'Run',
    path: '/clock',
    body: () => ({ speed }),
    done: clockText,
  };
}

/** `length`: `1m`, `5m`, `boundary`. */
export function stepOf(length: string): Act {
  return {
    title: length === 'boundary' ? 'Step to the next boundary' : `Step ${length}`,
    effect: `That much market time passes as fast as it can; then the market stands still, for all users. ${FIRST}`,
    button: 'Step',
    path: '/clock/step',
    longestMs: LONGEST_STEP_MS,
    body: () => ({ for: length }),
    done: clockText,
  };
}

/** `at`: `open`, `close`, `expiry of NIFTY`, `15:14:59`, `2026-11-24T15:14:59`. */
export function goTo(at: string): Act {
  return {
    title: `Go to ${at}`,
    effect: `Market time passes up to there as fast as it can; then the market stands still, for all users. ${FIRST}`,
    button: 'Go',
    path: '/clock/to',
    longestMs: LONGEST_STEP_MS,
    body: () => ({ at }),
    done: clockText,
  };
}
