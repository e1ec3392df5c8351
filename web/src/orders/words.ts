/** The words for orders, their states and their failures, as people read them. */
import { RateLimited, RequestError, TransportError, Unavailable } from '../../../client/src/errors.ts';
import type { OrderStatus, PriceType, Product, Side } from '../../../client/src/generated/operations.ts';
import type { NewGtt } from '../../../client/src/gtt.ts';
import type { NewOrder } from '../../../client/src/orders.ts';
import type { OrderRow } from '../../../client/src/wire.ts';

/** C is delivery, M is carried on derivatives and intraday in cash, I is intraday. */
export const PRODUCT_WORDS: Readonly<Record<Product, string>> = { C: 'Delivery', M: 'Carry', I: 'Intraday' };
export const SIDE_WORDS: Readonly<Record<Side, string>> = { B: 'Buy', S: 'Sell' };
export const TYPE_WORDS: Readonly<Record<PriceType, string>> = {
  LMT: 'Limit',
  MKT: 'Market',
  'SL-LMT': 'Stop limit',
  'SL-MKT': 'Stop market',
};
const STATUS_WORDS: Readonly<Record<OrderStatus, string>> = {
  PENDING: 'Pending',
  'AMO OPEN': 'AMO waits',
  'AMO MODIFIED': 'AMO modified',
  'AMO CANCELED': 'AMO cancelled',
  OPEN: 'Open',
  TRIGGER_PENDING: 'Trigger pending',
  COMPLETE: 'Complete',
  CANCELED: 'Cancelled',
  REJECTED: 'Rejected',
};

export function statusWord(status: OrderStatus): string {
  return STATUS_WORDS[status];
}

/** `Buy 5 ITC-EQ at 405.00`. */
export function orderWords(order: NewOrder | OrderRow): string {
  const { transactionType, quantity, tradingSymbol, priceType, price, triggerPrice } = order;
  const at = priceType.endsWith('MKT') ? 'at the market' : `at ${price}`;
  const trigger = priceType.startsWith('SL') ? `, trigger ${triggerPrice}` : '';
  return `${SIDE_WORDS[transactionType]} ${quantity} ${tradingSymbol} ${at}${trigger}`;
}

/** `GTT Buy 5 ITC-EQ at 400.00, at 401.00 or 410.00`. */
export function gttWords({ tradingSymbol, OrderParams: order, value, value2 }: NewGtt): string {
  const { transactionType, quantity, priceType, price } = order;
  const at = priceType === 'MKT' ? 'at the market' : `at ${price}`;
  const when = value2 === undefined ? value : `${value} or ${value2}`;
  return `GTT ${SIDE_WORDS[transactionType]} ${quantity} ${tradingSymbol} ${at}, when ${when} comes`;
}

/** The state of an order that the service took, with its average when it traded. */
export function stateWords({ status, averagePrice, fillShares }: OrderRow): string {
  return fillShares === '' ? STATUS_WORDS[status] : `${STATUS_WORDS[status]}, ${fillShares} at ${averagePrice}`;
}

/** The reason of a refused order without the blank that stands for none. */
export function reasonOf({ rejectReason }: Pick<OrderRow, 'rejectReason'>): string {
  return rejectReason.trim();
}

/** The reason of a failed call in words. The call changed nothing unless the error is in doubt. */
export function failureWords(error: unknown): string {
  if (error instanceof TransportError) return 'The service was not reached.';
  if (error instanceof RateLimited) return `Too many requests: ${plainWords(error)}.`;
  if (error instanceof Unavailable) return 'The service takes nothing now.';
  if (error instanceof RequestError) return plainWords(error);
  return error instanceof Error ? error.message : String(error);
}

/** The words of the service without the code and the field in front of them. */
function plainWords({ code, field, message }: RequestError): string {
  const head = `${code} (${field}): `;
  return message.startsWith(head) ? message.slice(head.length) : message;
}
