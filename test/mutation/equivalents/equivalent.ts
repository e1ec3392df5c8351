import type { Mutant, MutationKind } from '../mutants.ts';

/**
 * Mutants that no test can distinguish from the original, and why. A line is named by its text, so it is found wherever
 * it moves to.
 */
export interface Equivalent {
  readonly file: string;
  /** A part of the line, in which the mutant begins. */
  readonly line: string;
  readonly kind: MutationKind;
  /** The text in its place; any when left out. */
  readonly replacement?: string;
  readonly reason: string;
}

/** Reasons that several have. */
export const SPEED = 'what is kept only saves time: the same is found without it';
export const FAR_BOUND = 'a bound of memory; what is beyond it has no effect on an answer';
export const OVERWRITTEN = 'written before it is first read';
export const NO_UNITS = 'the share of no units is nothing';

/** True for a mutant that begins in the named part of its line. */
export function isDeclared({ line, kind, replacement }: Equivalent, mutant: Mutant, source: string): boolean {
  if (kind !== mutant.kind || (replacement ?? mutant.replacement) !== mutant.replacement) return false;
  const begin = source.lastIndexOf('\n', mutant.start - 1) + 1;
  const end = source.indexOf('\n', mutant.start);
  const at = source.slice(begin, end < 0 ? undefined : end).indexOf(line);
  return at >= 0 && mutant.start >= begin + at && mutant.start < begin + at + line.length;
}
