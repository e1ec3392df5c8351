/** An order and its state in one line for a reader. */
import type { Side } from '../../../client/src/generated/operations.ts';
import { fromPaise, toPaise } from '../../../client/src/money.ts';
import type { NewOrder } from '../../../client/src/orders.ts';
import type { OrderRow } from '../../../client/src/wire.ts';
import { withoutControls } from '../../base/printable.ts';
import { nameOf } from '../market/instrument.ts';
import { grouped } from '../text/amounts.ts';
import type { Cell } from '../text/table.ts';

/** The terms that name an order in words. */
type Terms = Pick<
  NewOrder,
  'exchange' | 'tradingSymbol' | 'transactionType' | 'quantity' | 'product' | 'priceType' | 'price' | 'triggerPrice'
>;

/** The sides as traders name them. */
export const SIDES = { buy: 'B', sell: 'S' } as const;

/** The side of an order as a cell of a table. */
export function sideCell(side: Side): Cell {
  return side === 'B' ? { text: 'buy', tone: 'up' } : { text: 'sell', tone: 'down' };
}

/** The limit of an order as a cell of a table. */
export function limitCell({ priceType, price }: Pick<OrderRow, 'priceType' | 'price'>): Cell {
  return priceType.endsWith('MKT') ? 'market' : grouped(price);
}

/** `buy 10 NSE:ITC-EQ at 425.50, product C` */
export function termsText(order: Terms): string {
  const { transactionType, quantity, product } = order;
  const side = transactionType === 'B' ? 'buy' : 'sell';
  return `${side} ${grouped(String(quantity))} ${nameOf(order)} ${priceText(order)}, product ${product}`;
}

function priceText({ priceType, price = '0', triggerPrice = '0' }: Terms): string {
  const limit = priceType.endsWith('LMT') ? `at ${grouped(price)}` : 'at market';
  return priceType.startsWith('SL') ? `${limit} once the last price is ${grouped(triggerPrice)}` : limit;
}

/** The state of an order that was placed or changed. */
export function stateText(row: OrderRow): string {
  const { orderNumber, status } = row;
  switch (status) {
    case 'COMPLETE':
      return `${filledText(row)}, order ${orderNumber}`;
    case 'REJECTED':
      return `order ${orderNumber} is refused: ${withoutControls(row.rejectReason.trim())}`;
    case 'CANCELED':
    case 'AMO CANCELED':
      return `order ${orderNumber} is cancelled: ${termsText(row)}${partText(row)}${reasonText(row)}`;
    case 'TRIGGER_PENDING':
      return `order ${orderNumber} waits for its trigger: ${termsText(row)}`;
    case 'AMO OPEN':
    case 'AMO MODIFIED':
      return `order ${orderNumber} waits for the next session: ${termsText(row)}`;
    case 'PENDING':
      return `order ${orderNumber} is on its way: ${termsText(row)}`;
    case 'OPEN':
      return `order ${orderNumber} is open: ${termsText(row)}${partText(row)}`;
  }
}

/** `bought 10 NSE:ITC-EQ at 425.35 (4,253.50)` */
function filledText(row: OrderRow): string {
  const { transactionType, fillShares, averagePrice } = row;
  const verb = transactionType === 'B' ? 'bought' : 'sold';
  const worth = worthOf(averagePrice, fillShares);
  return `${verb} ${grouped(fillShares)} ${nameOf(row)} at ${grouped(averagePrice)} (${worth})`;
}

/** Units at a price, in rupees with commas. */
export function worthOf(price: string, units: string | number): string {
  return grouped(fromPaise(toPaise(price) * Number(units)));
}

/** The part that has traded, where it is not all. */
function partText(row: OrderRow): string {
  return filledOf(row) === 0 ? '' : `; ${filledText(row)} of it`;
}

/** The reason of the service, where it gives one. */
function reasonText({ rejectReason }: OrderRow): string {
  const reason = rejectReason.trim();
  return reason === '' ? '' : ` (${withoutControls(reason)})`;
}

/** The units of an order that have traded. */
export function filledOf({ fillShares }: OrderRow): number {
  return fillShares === '' ? 0 : Number(fillShares);
}
