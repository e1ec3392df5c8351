import type { OrderNumber } from '../../../base/ids.ts';

/** The parts of one placement: the slices of an order, or the legs of a basket. */
type Part = 'slice' | 'leg';

const PARTS: readonly Part[] = ['slice', 'leg'];

/**
 * The key of one part of a placement, counted from 1. The first has the client's own key; no client can send a key of
 * the others, since they have a blank. Source: contract W25.
 */
export function keyOfPart(key: string, part: Part, place: number): string {
  return place === 1 ? key : `${key} ${part} ${place}`;
}

/**
 * The orders that were placed under a key, in their order. `most`: the parts of the largest placement. A part may be
 * missing between two others, since each is taken or left by itself.
 */
export function placedUnder(
  key: string,
  most: number,
  orderOf: (key: string) => OrderNumber | undefined,
): readonly OrderNumber[] {
  const keys = PARTS.flatMap((part) => Array.from({ length: most - 1 }, (_, index) => keyOfPart(key, part, index + 2)));
  return [key, ...keys].map(orderOf).filter((order) => order !== undefined);
}
