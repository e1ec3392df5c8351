import type { FastifyServerOptions } from 'fastify';
import { Type } from 'typebox';
import { PRINTABLE } from '../../base/printable.ts';

/**
 * Text that an operator types and that logs and the audit trail keep on a line: printable, `minLength` to `maxLength`
 * characters.
 */
export function operatorText(minLength: number, maxLength: number) {
  return Type.String({ minLength, maxLength, pattern: PRINTABLE });
}

/** Who does something. */
export const BY = operatorText(1, 100);

/** Who does something and why. */
export const GROUNDS = { by: BY, why: operatorText(1, 200) };

type SchemaFault = Parameters<NonNullable<FastifyServerOptions['schemaErrorFormatter']>>[0][number];

/** What is wrong with a request, in words for an operator: which values there are, and no pattern. */
export function schemaFault(faults: readonly SchemaFault[], where: string): Error {
  return new Error(faults.map((fault) => `${where}${fault.instancePath} ${faultText(fault)}`).join(', '));
}

function faultText({ keyword, params, message }: SchemaFault): string {
  const { allowedValues } = params;
  if (keyword === 'enum' && Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`;
  if (keyword === 'pattern' && params.pattern === PRINTABLE)
    return 'must be text on one line, without control characters';
  return message ?? 'is wrong';
}
