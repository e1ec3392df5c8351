/** The phases of a session in words. */
import type { MarketStatus } from '../../../client/src/wire.ts';

type Phase = MarketStatus['exchanges'][number]['phase'];

const WORDS: Readonly<Record<Phase, string>> = {
  Closed: 'Closed',
  PreOpen: 'Pre-open',
  PreOpenLimitOnly: 'Pre-open, limit orders only',
  PreOpenMatching: 'Pre-open, matching',
  Buffer: 'Opens in a moment',
  Continuous: 'Open',
  ClosingReference: 'Closing, reference price',
  ClosingEntry: 'Closing auction',
  ClosingLimitOnly: 'Closing auction, limit orders only',
  ClosingMatching: 'Closing, matching',
  PostClose: 'Post-close',
  Halted: 'Halted',
};

export function phaseText(phase: string): string {
  return WORDS[phase as Phase] ?? phase;
}
