import type { Phase } from '../phase.ts';

/** The last minutes of a halt, in seconds before trading begins again: its order entry, its matching, and the rest. */
const ENTRY = 15 * 60;
const MATCHING = 7 * 60;
const BUFFER = 3 * 60;

/**
 * The phase of the auction that ends a halt of the whole market, `seconds` before trading is continuous again: eight
 * minutes of entry and four of matching, as at the open. Nothing before it begins and from when it is over. Source:
 * market-rules R1.49, R2.1.
 */
export function reopeningPhase(seconds: number): Phase | undefined {
  if (seconds <= 0 || seconds > ENTRY) return undefined;
  if (seconds > MATCHING) return 'PreOpen';
  return seconds > BUFFER ? 'PreOpenMatching' : 'Buffer';
}
