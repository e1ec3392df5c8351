/** How far the first steps are, from what the page sees. */

export interface Progress {
  readonly hasInstrument: boolean;
  readonly hasTicket: boolean;
  readonly hasSent: boolean;
  readonly hasTrade: boolean;
}

/**
 * The step to show, from 0; `count` when all are done. A later thing that is done includes the earlier ones, so a user
 * who runs ahead is not held back. `passed` is the step up to which the user pressed Next.
 */
export function stepOf(
  { hasInstrument, hasTicket, hasSent, hasTrade }: Progress,
  passed: number,
  count: number,
): number {
  const seen = hasTrade ? 5 : hasSent ? 4 : hasTicket ? 2 : hasInstrument ? 1 : 0;
  return Math.min(count, Math.max(seen, passed));
}
