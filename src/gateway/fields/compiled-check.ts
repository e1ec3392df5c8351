/**
 * Checks of values by their schemas. A check is compiled when it is first asked: most are of single fields, and only
 * asked for the reason of a refusal. The compiler and its 310 modules come with the first.
 */

import { createRequire } from 'node:module';
import type { TSchema } from 'typebox';

export type Check = (value: unknown) => boolean;

const load = createRequire(import.meta.url);

/** The check of a schema. */
export function checkOf(schema: TSchema): Check {
  let validator: { Check(value: unknown): boolean } | undefined;
  return (value) => {
    validator ??= compiled(schema);
    return validator.Check(value);
  };
}

/** Loads the compiler, which the first check would wait for. */
export function loadCompiler(): typeof import('typebox/compile') {
  return load('typebox/compile');
}

function compiled(schema: TSchema): { Check(value: unknown): boolean } {
  return loadCompiler().Compile(schema);
}
