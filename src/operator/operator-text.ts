import { Type } from 'typebox';
import { PRINTABLE } from '../base/printable.ts';

/** Text that an operator types and that logs and the audit trail keep on a line: printable, `minLength` to `maxLength` characters. */
export function operatorText(minLength: number, maxLength: number) {
  return Type.String({ minLength, maxLength, pattern: PRINTABLE });
}

/** Who does something. */
export const BY = operatorText(1, 100);

/** Who does something and why. */
export const GROUNDS = { by: BY, why: operatorText(1, 200) };
