import type { TString } from 'typebox';
import type { TriggerWay } from '../../core/standing/standing-trigger.ts';
import { plain } from './answers.ts';

/** The way to a trigger in the words of the wire. */
export const WAY_WORDS = { Rising: 'ABOVE', Falling: 'BELOW' } as const satisfies Record<TriggerWay, string>;

/** The way that a word of the wire names. */
export const WAYS = { ABOVE: 'Rising', BELOW: 'Falling' } as const satisfies Record<string, TriggerWay>;

/** The word for a way in an answer. */
export function wayWord(description: string): TString {
  return plain('^(ABOVE|BELOW)$', description);
}
