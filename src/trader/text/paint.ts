/** The tone of a piece of text on a terminal. */
export type Tone = 'up' | 'down' | 'strong' | 'faint' | 'flash-up' | 'flash-down';

/** Gives text its tone, or leaves it as it is where colours are not wanted. */
export type Paint = (text: string, tone: Tone | undefined) => string;

/** Codes of the terminal's own palette, which its theme keeps readable on dark and on light. */
const CODES: Readonly<Record<Tone, string>> = {
  up: '32',
  down: '31',
  strong: '1',
  faint: '2',
  'flash-up': '7;32',
  'flash-down': '7;31',
};

export const PLAIN: Paint = (text) => text;

/** Colours on a terminal that can show them, unless `NO_COLOR` is set. Source: no-color.org. */
export function paintFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  if (!isTerminal || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb') return PLAIN;
  return (text, tone) => (tone === undefined || text === '' ? text : `\x1b[${CODES[tone]}m${text}\x1b[0m`);
}
