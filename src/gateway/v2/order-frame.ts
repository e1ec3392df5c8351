/**
 * The frames of an order on the V2 socket: one for each step of its life, every value a text. Source: docs/stream.md.
 */

import { must } from '../../base/assert.ts';
import { formatRupees } from '../../base/decimal.ts';
import type { OrderNumber } from '../../base/ids.ts';
import type { Traded } from '../../core/event.ts';
import type { Instrument, InstrumentDirectory } from '../../core/instrument.ts';
import { isStop } from '../../core/order.ts';
import type { OrderHead } from '../../views/history/order-heads.ts';
import type { HistoryEntry, ReportType } from '../../views/order-record.ts';
import { entryOf } from '../../views/trade-book.ts';
import type { Views } from '../../views/views.ts';
import { PRICE_PRECISION, TRADE_PRICE_FACTOR } from '../fields/names.ts';
import { averageText } from '../fields/numbers.ts';
import { reasonText, shownPrice, stepStatusText } from '../fields/order-words.ts';
import { epochSeconds, formatT2, nanosecondsOf } from '../fields/times.ts';
import type { AccountChange, AccountEvent, OrderStep } from '../stream/account-change.ts';

/** The step of the history that each fact of the journal makes. */
const REPORTS: Readonly<Record<OrderStep['type'], ReportType>> = {
  OrderReceived: 'Pending New',
  OrderRejected: 'Rejected',
  AfterMarketTaken: 'New Ack',
  AfterMarketReplaced: 'Replaced',
  AfterMarketReleased: 'Pending New',
  OrderAcknowledged: 'New Ack',
  StopTriggered: 'Triggered',
  Traded: 'Fill',
  OrderCancelled: 'Cancelled',
  OrderReplaced: 'Replaced',
  ReplaceRejected: 'Replace Rejected',
  CancelRejected: 'Cancel Rejected',
};

/** The word of a step, and the word of the order's status, which is that of the step when absent. */
interface Words {
  readonly reporttype: string;
  readonly status?: string;
}

/** The order is on its way to the exchange, which has given it no number yet. */
const PENDING: Words = { reporttype: 'PendingNew', status: 'ORDER PENDING' };

const WORDS: Readonly<Record<OrderStep['type'], readonly Words[]>> = {
  OrderReceived: [{ reporttype: 'NewAck', status: 'ORDER ACK' }],
  OrderRejected: [{ reporttype: 'Rejected' }],
  AfterMarketTaken: [{ reporttype: 'New' }],
  AfterMarketReplaced: [{ reporttype: 'Replaced' }],
  AfterMarketReleased: [{ reporttype: 'NewAck', status: 'ORDER ACK' }],
  OrderAcknowledged: [PENDING, { reporttype: 'New' }],
  StopTriggered: [{ reporttype: 'Triggered' }],
  Traded: [{ reporttype: 'Fill' }],
  OrderCancelled: [{ reporttype: 'Canceled' }],
  OrderReplaced: [{ reporttype: 'Replaced' }],
  ReplaceRejected: [{ reporttype: 'ReplaceRejected' }],
  CancelRejected: [{ reporttype: 'CancelRejected' }],
};

/** The order that a frame is of, and the instrument that it is in. */
interface Subject {
  readonly order: OrderHead;
  readonly instrument: Instrument;
  readonly userId: string;
}

/** The frames of an order's event, as JSON; none for an order of a day that is not kept any more. */
export function orderTexts(
  views: Views,
  instruments: InstrumentDirectory,
  userId: string,
  change: AccountChange,
  { order: number, steps }: Extract<AccountEvent, { type: 'order' }>,
): string[] {
  if (views.history.accountOf(number) === undefined) return [];
  const order = views.history.head(number);
  const instrument = must(instruments.get(order.instrument), 'an order is in a listed instrument');
  return steps.flatMap((step) => {
    const entry = entryAfter(views, number, change, step);
    if (entry === undefined) return [];
    return WORDS[step.type].map((words) => {
      return JSON.stringify({
        ...stepFields({ order, instrument, userId }, entry, words),
        ...(step.type === 'Traded' ? fillFields(step, entry) : {}),
      });
    });
  });
}

/** The order as it stood after a step: of steps of one kind at one instant, after the last. */
function entryAfter(
  { history, trades }: Views,
  order: OrderNumber,
  { account, at }: AccountChange,
  step: OrderStep,
): HistoryEntry | undefined {
  if (step.type !== 'Traded') return history.stepAt(order, REPORTS[step.type], at);
  const fill = trades.fillOf(account, step.trade);
  return fill && entryOf(fill, history);
}

function stepFields({ order, instrument, userId }: Subject, entry: HistoryEntry, words: Words): Record<string, string> {
  const { terms, exchangeOrder, at } = entry;
  return {
    tsym: instrument.tradingSymbol,
    rejreason: reasonText(entry.reason, userId, instrument),
    prcftr: TRADE_PRICE_FACTOR,
    pcode: order.product,
    trantype: order.side,
    token: String(instrument.token),
    prctyp: terms.priceType,
    ret: terms.retention,
    pp: PRICE_PRECISION,
    ti: formatRupees(instrument.tick),
    remarks: order.remarks,
    ntm: String(nanosecondsOf(at)),
    kidid: '1',
    dscqty: '0',
    norenordno: String(order.number),
    mult: '1',
    uid: userId,
    exch: instrument.exchange,
    status: words.status ?? stepStatusText(entry),
    reporttype: words.reporttype,
    tm: String(epochSeconds(at)),
    handlinst: String(order.number),
    ls: String(instrument.lot),
    actid: userId,
    qty: String(terms.quantity),
    prc: shownPrice(terms, entry.status),
    ...(isStop(terms) ? { trgprc: formatRupees(terms.trigger) } : {}),
    ...(exchangeOrder === 0 || words === PENDING ? {} : { exchordid: String(exchangeOrder) }),
  };
}

function fillFields({ trade, price, quantity }: Traded, entry: HistoryEntry): Record<string, string> {
  return {
    fillshares: String(entry.filled),
    avgprc: averageText(entry.filledAmount, entry.filled),
    flid: String(trade),
    flqty: String(quantity),
    flprc: formatRupees(price),
    fltm: formatT2(entry.at),
  };
}
