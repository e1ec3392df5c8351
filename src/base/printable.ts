/** Text that can be written as UTF-8: no unpaired surrogate. A pattern. */
export const WELL_FORMED = '^(?:[^\\uD800-\\uDFFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF])*$';
/** Well-formed text that fits on one line of a log or a table: no control character. A pattern. */
export const PRINTABLE = '^(?:[^\\u0000-\\u001F\\u007F\\uD800-\\uDFFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF])*$';

const SEEN =
  '(?:[^\\u0000-\\u0020\\u007F-\\u00A0\\u00AD\\u061C\\u1680\\u180E\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u3000\\uD800-\\uDFFF\\uFEFF]|[\\uD800-\\uDBFF][\\uDC00-\\uDFFF])';
/**
 * Text of characters that are seen, with plain blanks and the joiners of Indian scripts and emoji between them: no
 * control, no mark of direction, nothing of no width at either end. A pattern.
 */
export const VISIBLE = `^${SEEN}(?:(?:${SEEN}|[ \\u200C\\u200D])*${SEEN})?$`;

/** Characters that end a line or steer a terminal, those of the second block of controls among them. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;

/** The text with every control character as its escape, so that it stays on its line and steers no terminal. */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The text without plain blanks (U+0020) in front and behind; blanks of other kinds, and controls, are a part of it.
 */
export function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === ' ') start += 1;
  while (end > start && text[end - 1] === ' ') end -= 1;
  return text.slice(start, end);
}

const BEYOND_ASCII = /\P{ASCII}/u;

/**
 * A text with the letters a to z as capitals. Others stay as they are: `toUpperCase` makes an S of the long s and an I
 * of the Turkish i, so that a name which is listed nowhere would become one that is.
 */
export function asciiUpper(text: string): string {
  return BEYOND_ASCII.test(text) ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : text.toUpperCase();
}
