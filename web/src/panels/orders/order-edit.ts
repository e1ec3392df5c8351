/** An open order that is changed in its row: the terms as they were typed, and the change that they make. */
import type { OrderChange } from '../../../../client/src/orders.ts';
import type { OrderRow } from '../../../../client/src/wire.ts';

export type EditField = 'price' | 'triggerPrice' | 'quantity';

export interface Edit extends Pick<OrderRow, EditField> {
  /** The order as it was when the edit began. */
  readonly from: OrderRow;
  /** The field that takes the focus. */
  readonly first: EditField;
}

const FIELDS: readonly EditField[] = ['price', 'triggerPrice', 'quantity'];

export function editOf(from: OrderRow, first: EditField = 'price'): Edit {
  const { price, triggerPrice, quantity } = from;
  return { from, price, triggerPrice, quantity, first };
}

/**
 * The terms that were edited, for the order as it is now; undefined when none was. The others are not sent: they may
 * have been changed elsewhere since.
 */
export function changeOf(row: OrderRow, edit: Edit): OrderChange | undefined {
  // A market order that rests has a protected price, at which it goes on as a limit.
  const isMarket = row.priceType.endsWith('MKT');
  const isStop = row.priceType.startsWith('SL');
  const fields = FIELDS.filter((field) => edit[field] !== edit.from[field] && (field !== 'triggerPrice' || isStop));
  if (fields.length === 0) return undefined;
  const change = Object.fromEntries(fields.map((field) => [field, edit[field]]));
  return { priceType: isStop ? 'SL-LMT' : 'LMT', ...(isMarket ? { price: row.price } : {}), ...change };
}
