/** The places of an account's resting orders in their queues, as rows of the wire. */

import Type, { type Static } from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import { isQueued, type QueuePlaces } from '../../../core/exchange/book/queue-place.ts';
import type { Instrument } from '../../../core/instrument.ts';
import { type Order, remaining } from '../../../core/order.ts';
import type { State } from '../../../core/state.ts';
import {
  anyText,
  exchangeWord,
  integer,
  integerOrBlank,
  orderNumberText,
  rupees,
  sideWord,
} from '../../fields/answers.ts';
import { compileWriter } from '../../fields/writer.ts';

export const QUEUE_ROW = Type.Object({
  orderNumber: orderNumberText,
  exchange: exchangeWord,
  tradingSymbol: anyText(),
  transactionType: sideWord,
  price: rupees,
  quantity: integer,
  ahead: integerOrBlank,
});
const writeRow = compileWriter(QUEUE_ROW);

/** True for an order that rests in the queue of a price now. Source: docs/rules/wire-own.md. */
export function isInQueue(state: State, { number, status, instrument }: Readonly<Order>): boolean {
  const book = status === 'Open' ? state.books.get(instrument) : undefined;
  return book !== undefined && isQueued(book, number);
}

/** The row of an order that is in a queue, as JSON. `places`: those of its book. */
export function queueText(instrument: Instrument, order: Readonly<Order>, places: QueuePlaces): string {
  return writeRow(rowOf(instrument, order, places.aheadOf(order.number)));
}

function rowOf(
  { exchange, tradingSymbol }: Instrument,
  order: Readonly<Order>,
  ahead: number | undefined,
): Static<typeof QUEUE_ROW> {
  return {
    orderNumber: String(order.number),
    exchange,
    tradingSymbol,
    transactionType: order.side,
    price: formatRupees(order.terms.price),
    quantity: String(remaining(order)),
    ahead: ahead === undefined ? '' : String(ahead),
  };
}
