import type { Phase } from '../phase.ts';

/**
 * The parts of a reopening, in seconds before trading begins again: the start of order entry, of matching and of the
 * buffer.
 */
const ENTRY = 15 * 60;
const MATCHING = 7 * 60;
const BUFFER = 3 * 60;

/**
 * The phase of the auction that ends a halt of the whole market, `seconds` before continuous trading: eight minutes of
 * entry, four of matching and three of buffer, as at the open. `undefined` before and after it. Source: market-rules
 * R1.49, R2.1.
 */
export function reopeningPhase(seconds: number): Phase | undefined {
  if (seconds <= 0 || seconds > ENTRY) return undefined;
  if (seconds > MATCHING) return 'PreOpen';
  return seconds > BUFFER ? 'PreOpenMatching' : 'Buffer';
}
