import type { Quantity } from '../../../base/money.ts';
import type { Instrument } from '../../../core/instrument.ts';

/** Source: market-rules R1.29. */
const MOST_SLICES = 10;

/**
 * The quantities of the slices of an order above the freeze quantity: whole lots, the rest in the last one. An order is
 * not sliced when it is within the freeze quantity, or when it is not a whole number of lots and will be refused for
 * that. `undefined` when there would be more than ten. Source: market-rules R1.29.
 */
export function slicesOf(
  quantity: Quantity,
  { freeze, lot }: Pick<Instrument, 'freeze' | 'lot'>,
): readonly Quantity[] | undefined {
  const slice = Math.floor(freeze / lot) * lot;
  if (freeze === 0 || quantity <= freeze || slice === 0 || quantity % lot !== 0) return [quantity];
  const count = Math.ceil(quantity / slice);
  if (count > MOST_SLICES) return undefined;
  return Array.from({ length: count }, (_, index) => Math.min(slice, quantity - index * slice) as Quantity);
}
