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

/** The operator who acts. */
export const BY = operatorText(1, 100);

/** The operator who acts, and the reason. */
export const GROUNDS = { by: BY, why: operatorText(1, 200) };

type SchemaFault = Parameters<NonNullable<FastifyServerOptions['schemaErrorFormatter']>>[0][number];

/** The faults of a request, in words for an operator: the allowed values, without patterns. */
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
