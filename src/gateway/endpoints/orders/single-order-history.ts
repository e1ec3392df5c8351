/**
 * The operation `/singleOrderHistory`: the states that one order went through. The order book (`order-book.ts`) has the
 * last state of every order.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { formatRupees } from '../../../base/decimal.ts';
import type { OrderNumber } from '../../../base/ids.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Instrument } from '../../../core/instrument.ts';
import type { OrderHead } from '../../../views/history/order-heads.ts';
import type { OrderSteps } from '../../../views/history/order-steps.ts';
import type { HistoryEntry } from '../../../views/order-record.ts';
import type { Answer } from '../../answer.ts';
import {
  anyText,
  exchangeWord,
  integer,
  listOf,
  orderNumberText,
  plain,
  priceTypeWord,
  productWord,
  retentionWord,
  rupees,
  sideWord,
  statusWord,
  t1,
  t3,
} from '../../fields/answers.ts';
import { orderNumber, SIGNED_IN } from '../../fields/fields.ts';
import { averageText } from '../../fields/numbers.ts';
import { reasonText, shownPrice, stepStatusText } from '../../fields/order-words.ts';
import { formatT1, formatT3 } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { LASTING, listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { UNKNOWN_ORDER } from './earlier-orders.ts';

const ROW = Type.Object({
  averagePrice: rupees,
  exchange: exchangeWord,
  exchangeOrderNum: plain('^([0-9]{16})?$', 'blank until the exchange took the order'),
  exchangeTime: t3,
  fillShares: integer,
  orderNumber: orderNumberText,
  orderTime: t1,
  price: rupees,
  priceType: priceTypeWord,
  product: productWord,
  quantity: integer,
  rejectReason: anyText('one blank when there is none'),
  remarks: anyText(),
  reportType: plain(
    '^(Pending New|New Ack|Triggered|Fill|Replaced|Replace Rejected|Cancelled|Cancel Rejected|Rejected)$',
  ),
  retention: retentionWord,
  status: statusWord,
  tickSize: rupees,
  token: integer,
  tradingSymbol: anyText(),
  transactionType: sideWord,
  userId: anyText(),
});
const writeRow = compileWriter(ROW);
const answer = success('Order history data received', listOf(ROW));

/** The exchange time of an order that has none. Source: market-rules R0.4. */
const NO_TIME = 0 as EpochMs;

/** Source: interface §singleOrderHistory, contract 3.15, W7, W8, W22, W23. */
export const singleOrderHistory = operation({
  path: '/singleOrderHistory',
  summary: 'The steps of one order, newest first',
  request: Type.Object({ ...SIGNED_IN, orderNumber: orderNumber() }),
  rate: 'other',
  answer,
  handle: async (deps, fields, caller): Promise<Answer> => {
    const number = Number(fields.orderNumber) as OrderNumber;
    const steps = await deps.engine.read((_state, { history }) => {
      return history.accountOf(number) === caller.account ? history.steps(number) : undefined;
    });
    if (steps === undefined) return UNKNOWN_ORDER;
    const rows = await deps.turns.runPieces(caller.account, rowsOfSteps(steps), caller.from);
    const instrument = must(deps.instruments.get(steps.head.instrument), 'an order is in a listed instrument');
    return listAnswer(deps, caller, {
      answer,
      rowsAtATime: 100,
      rowBytes: 1_024,
      sources: () => rows,
      moment: LASTING,
      row: (row) => writeRow(rowOf(steps.entry(row), steps.head, instrument, fields.userId)),
    });
  },
});

/** The rows of an order's steps, newest first. Yields after each. */
function* rowsOfSteps(steps: OrderSteps): Generator<undefined, readonly number[]> {
  const rows: number[] = [];
  for (const row of steps.rows()) {
    rows.push(row);
    yield;
  }
  return rows;
}

function rowOf(entry: HistoryEntry, head: OrderHead, instrument: Instrument, userId: string): Static<typeof ROW> {
  const { terms, exchangeOrder } = entry;
  return {
    averagePrice: averageText(entry.filledAmount, entry.filled),
    exchange: instrument.exchange,
    exchangeOrderNum: exchangeOrder === 0 ? '' : String(exchangeOrder),
    exchangeTime: formatT3(exchangeOrder === 0 ? NO_TIME : entry.at),
    fillShares: String(entry.filled),
    orderNumber: String(head.number),
    orderTime: formatT1(entry.at),
    price: shownPrice(terms, entry.status),
    priceType: terms.priceType,
    product: head.product,
    quantity: String(terms.quantity),
    rejectReason: reasonText(entry.reason, userId, instrument),
    remarks: head.remarks,
    reportType: entry.reportType,
    retention: terms.retention,
    status: stepStatusText(entry),
    tickSize: formatRupees(instrument.tick),
    token: String(instrument.token),
    tradingSymbol: instrument.tradingSymbol,
    transactionType: head.side,
    userId,
  };
}
