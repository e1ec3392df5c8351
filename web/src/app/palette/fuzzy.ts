/**
 * How well a text answers what was typed: each typed word must begin a word of it, stand in it, or be letters of it in
 * their order from the beginning of a word, as `relnce` in `RELIANCE-EQ`.
 */

/** Points a letter. */
const WORD_START = 4;
const INSIDE = 2;
const SCATTERED = 1;

/** More is better; undefined when the text does not answer. Case does not count. */
export function fuzzyScore(typed: string, text: string): number | undefined {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const points = pointsOf(word, lower);
    if (points === undefined) return undefined;
    score += points * word.length;
  }
  // Of two texts that answer alike, the shorter one is nearer.
  return score - lower.length / 1_000;
}

function pointsOf(word: string, text: string): number | undefined {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isWordStart(text, at)) return WORD_START;
  }
  if (text.includes(word)) return INSIDE;
  for (let at = text.indexOf(word.charAt(0)); at >= 0; at = text.indexOf(word.charAt(0), at + 1)) {
    if (isWordStart(text, at) && hasInOrder(word, text.slice(at))) return SCATTERED;
  }
  return undefined;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[a-z0-9]/.test(text.charAt(at - 1));
}

function hasInOrder(letters: string, text: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** A contract that was typed as one word, in the words of a search: `niftyfut`, `nifty24000ce`. */
export function contractWords(typed: string): string {
  return typed.replace(/([a-z])(\d)/gi, '$1 $2').replace(/([a-z\d])(fut|(?<=\d)[cp]e)$/i, '$1 $2');
}
