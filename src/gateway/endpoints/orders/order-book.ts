/**
 * The operation `/orderBook`: the orders of an account on the trading day, each as it stands now. The states that an
 * order went through are in `single-order-history.ts`, and the fills in `trade-book.ts`.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { formatRupees } from '../../../base/decimal.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Instrument, InstrumentDirectory } from '../../../core/instrument.ts';
import { copyOf, type Order } from '../../../core/order.ts';
import { accountOf, type State } from '../../../core/state.ts';
import type { HistoryMoment } from '../../../views/order-history.ts';
import type { HistoryEntry } from '../../../views/order-record.ts';
import type { Views } from '../../../views/views.ts';
import {
  anyText,
  exchangeWord,
  integer,
  integerOrBlank,
  listOf,
  orderNumberText,
  plain,
  priceTypeWord,
  productWord,
  retentionWord,
  rupees,
  sideWord,
  statusWord,
} from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { statusText } from '../../fields/names.ts';
import { averageText } from '../../fields/numbers.ts';
import { reasonText, shownPrice } from '../../fields/order-words.ts';
import { epochSeconds } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';

const ROW = Type.Object({
  averagePrice: rupees,
  exchange: exchangeWord,
  fillShares: integerOrBlank,
  lotSize: integer,
  orderNumber: orderNumberText,
  orderTime: plain('^[0-9]+$', 'seconds since 1970'),
  price: rupees,
  priceType: priceTypeWord,
  product: productWord,
  quantity: integer,
  rejectReason: anyText('one blank when there is none'),
  remarks: anyText(),
  retention: retentionWord,
  status: statusWord,
  tickSize: rupees,
  token: integer,
  tradingSymbol: anyText(),
  transactionType: sideWord,
  triggerPrice: rupees,
  userId: anyText(),
  strategyId: Type.Optional(anyText('as placeOrder had it')),
  deviceId: Type.Optional(anyText('as placeOrder had it')),
});
const writeRow = compileWriter(ROW);
const answer = success('Order book', listOf(ROW));

/** Source: contract section 4: `orderTime` is seconds since 1970 here, and `fillShares` blank for none. */
export const orderBook = operation({
  path: '/orderBook',
  summary: "Today's orders, oldest first",
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps, { userId }, caller) => {
    let moment: BookMoment;
    return listAnswer(deps, caller, {
      answer,
      rowsAtATime: 100,
      rowBytes: 1_024,
      sources: (state, { history }) => {
        moment = { day: state.day, history: history.moment() };
        return accountOf(state, caller.account).orders.slice();
      },
      moment: { isOver: ({ day }) => day !== moment.day },
      row: (number, state, views) => {
        const order = orderAt(moment, number, state, views);
        return order === undefined ? '' : orderText(deps.instruments, views, order, userId);
      },
    });
  },
});

/** The moment that an order book shows. The orders of its day leave the state when the day turns. */
interface BookMoment {
  readonly day: IstDay;
  readonly history: HistoryMoment;
}

function orderAt(
  moment: BookMoment,
  number: OrderNumber,
  state: State,
  { history }: Views,
): Readonly<Order> | undefined {
  const order = state.orders.get(number);
  const then = order && history.changedSince(moment.history, number);
  return then === undefined ? order : { ...copyOf(order as Order), ...then };
}

/** The row of an order, as JSON. */
export function orderText(
  instruments: InstrumentDirectory,
  views: Views,
  order: Readonly<Order>,
  userId: string,
): string {
  const instrument = must(instruments.get(order.instrument), 'an order is in a listed instrument');
  const { status, number } = order;
  // A row of the history is a read of a file: only the orders that have a reason pay for it.
  const ending = status === 'Rejected' || status === 'Cancelled' ? views.history.ending(number) : undefined;
  return writeRow(rowOf(order, ending, instrument, userId));
}

function rowOf(
  order: Readonly<Order>,
  ending: HistoryEntry | undefined,
  instrument: Instrument,
  userId: string,
): Static<typeof ROW> {
  const { terms, status } = order;
  return {
    averagePrice: averageText(order.filledAmount, order.filled),
    exchange: instrument.exchange,
    fillShares: order.filled === 0 ? '' : String(order.filled),
    lotSize: String(instrument.lot),
    orderNumber: String(order.number),
    orderTime: String(epochSeconds(order.receivedAt)),
    price: shownPrice(terms, status),
    priceType: terms.priceType,
    product: order.product,
    quantity: String(terms.quantity),
    rejectReason: reasonText(ending?.reason, userId, instrument),
    remarks: order.remarks,
    retention: terms.retention,
    status: statusText(status),
    tickSize: formatRupees(instrument.tick),
    token: String(instrument.token),
    tradingSymbol: instrument.tradingSymbol,
    transactionType: order.side,
    triggerPrice: formatRupees(terms.trigger),
    userId,
    ...(order.tags?.strategy === undefined ? {} : { strategyId: order.tags.strategy }),
    ...(order.tags?.device === undefined ? {} : { deviceId: order.tags.device }),
  };
}
