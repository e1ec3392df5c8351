/**
 * The operation `/tradeBook`: the fills of an account on the trading day. The orders behind them are in `order-
 * book.ts`.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { formatRupees } from '../../../base/decimal.ts';
import type { InstrumentDirectory } from '../../../core/instrument.ts';
import type { GivenOrders } from '../../../views/history/held-orders.ts';
import { entryOf, type Fill } from '../../../views/trade-book.ts';
import {
  anyText,
  exchangeWord,
  integer,
  listOf,
  orderNumberText,
  plain,
  pricePrecision,
  priceTypeWord,
  productWord,
  retentionWord,
  rupees,
  sideWord,
  t1,
  t2,
} from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { PRICE_PRECISION, TRADE_PRICE_FACTOR } from '../../fields/names.ts';
import { rupeesNumber } from '../../fields/numbers.ts';
import { formatT1, formatT2 } from '../../fields/times.ts';
import { compileWriter, DECIMALS } from '../../fields/writer.ts';
import { LASTING, listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';

const ROW = Type.Object({
  exchange: exchangeWord,
  exchangeUpdateTime: t2,
  exchordid: plain('^[0-9]{16}$'),
  fillId: integer,
  fillPrice: Type.Number({ description: 'rupees, with two decimals', [DECIMALS]: 2 }),
  fillQuantity: integer,
  fillTime: t2,
  fillshares: integer,
  lotSize: integer,
  orderNumber: orderNumberText,
  orderTime: t1,
  priceFactor: plain(),
  pricePrecision,
  priceType: priceTypeWord,
  product: productWord,
  quantity: integer,
  retention: retentionWord,
  tickSize: rupees,
  token: integer,
  tradingSymbol: anyText(),
  transactionType: sideWord,
  userId: anyText(),
});
const writeRow = compileWriter(ROW);
const answer = success('Trade history data received', listOf(ROW));

/** Source: interface §tradeBook, contract 3.16, W28, market-rules R3.35. */
export const tradeBook = operation({
  path: '/tradeBook',
  summary: "Today's trades, oldest first",
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps, { userId }, caller) => {
    let orders: GivenOrders;
    return listAnswer(deps, caller, {
      answer,
      rowsAtATime: 100,
      rowBytes: 1_024,
      sources: (_state, { history, trades }) => {
        orders = history.held();
        return trades.fillsOf(caller.account);
      },
      moment: LASTING,
      row: (fill) => tradeText(deps.instruments, orders, fill, userId),
    });
  },
});

/** The row of a fill, as JSON. `orders` have the order of the fill. */
export function tradeText(instruments: InstrumentDirectory, orders: GivenOrders, fill: Fill, userId: string): string {
  return writeRow(rowOf(fill, orders, instruments, userId));
}

function rowOf(fill: Fill, orders: GivenOrders, directory: InstrumentDirectory, userId: string): Static<typeof ROW> {
  const { receivedAt, product, side } = orders.head(fill.order);
  const { terms, exchangeOrder } = entryOf(fill, orders);
  const instrument = must(directory.get(fill.instrument), 'a fill is in a listed instrument');
  const time = formatT2(fill.at);
  return {
    exchange: instrument.exchange,
    exchangeUpdateTime: time,
    exchordid: String(exchangeOrder),
    fillId: String(fill.trade),
    fillPrice: rupeesNumber(fill.price),
    fillQuantity: String(fill.quantity),
    fillTime: time,
    fillshares: String(fill.filledSoFar),
    lotSize: String(instrument.lot),
    orderNumber: String(fill.order),
    orderTime: formatT1(receivedAt),
    priceFactor: TRADE_PRICE_FACTOR,
    pricePrecision: PRICE_PRECISION,
    priceType: terms.priceType,
    product,
    quantity: String(terms.quantity),
    retention: terms.retention,
    tickSize: formatRupees(instrument.tick),
    token: String(instrument.token),
    tradingSymbol: instrument.tradingSymbol,
    transactionType: side,
    userId,
  };
}
