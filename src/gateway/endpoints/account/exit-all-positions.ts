/**
 * The operation `/exitAllPositions`: cancels the account's open orders in the rows that it closes, then sends protected
 * market orders for the units that no other order closes. Each row and each order is judged by itself. That an order
 * was sent does not say that it has filled.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { exchangeOf, type OrderNumber } from '../../../base/ids.ts';
import { type Quantity, ZERO_PRICE } from '../../../base/money.ts';
import { type Position, positionKey } from '../../../core/account.ts';
import type { PlaceOrder } from '../../../core/command.ts';
import type { Instrument } from '../../../core/instrument.ts';
import type { Product, Side } from '../../../core/order.ts';
import { netQuantity } from '../../../core/position.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import { accountOf } from '../../../core/state.ts';
import { Unavailable } from '../../../engine/port.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import {
  anyText,
  exchangeWord,
  integer,
  listOf,
  orderNumberOrBlank,
  orderNumberText,
  productWord,
  t1,
} from '../../fields/answers.ts';
import { tooMany, UNAVAILABLE } from '../../fields/envelope.ts';
import { optional, product, SIGNED_IN } from '../../fields/fields.ts';
import { reasonText } from '../../fields/order-words.ts';
import { formatT1 } from '../../fields/times.ts';
import { type Caller, operation, success } from '../../operation.ts';
import {
  CANCELLED_ROW,
  type Cancellations,
  cancelEach,
  cancellable,
  MOST_CANCELLATIONS,
} from '../orders/cancellations.ts';
import { type Outcome, submitOne } from '../orders/many-commands.ts';
import { OpenOrders, readOpenOrders } from '../orders/open-orders.ts';
import { slicesOf } from '../orders/slices.ts';

/** The most rows that one request closes; the answer says how many are left. */
const MOST_ROWS = 200;
const REMARKS = 'Exit all positions';
const UNDER_WAY = { ...tooMany(1), message: 'an exit of all positions of this account is under way' };

const request = Type.Object({ ...SIGNED_IN, product: optional(product({ description: 'all products when absent' })) });
type Fields = Static<typeof request>;

const ROW = { exchange: exchangeWord, tradingSymbol: anyText(), product: productWord };
const answer = success(
  'Positions exited',
  Type.Object({
    orders: listOf(Type.Object({ ...ROW, orderNumber: orderNumberText })),
    refused: listOf(
      Type.Object({
        ...ROW,
        orderNumber: orderNumberOrBlank('the order that was refused, or that could not be cancelled; else blank'),
        reason: anyText(),
      }),
    ),
    cancelled: listOf(CANCELLED_ROW),
    left: integer,
    requestTime: t1,
  }),
);

/** An operation of our own. Source: market-rules R3.6, R3.7, R1.29, R9.2. */
export const exitAllPositions = operation({
  path: '/exitAllPositions',
  summary: 'Close all positions at the market, or those of a product',
  request,
  rate: 'amend',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const { exits } = deps;
    if (exits.has(caller.account)) return UNDER_WAY;
    exits.add(caller.account);
    return exitAll(deps, fields, caller).finally(() => exits.delete(caller.account));
  },
});

/** A row of the books by its key. */
interface RowKey {
  readonly instrument: Instrument;
  readonly product: Product;
}
/** An order that is sent, or the reason why a row has none. */
interface Exit extends RowKey {
  readonly outcome: string | Promise<Outcome>;
}
interface Refused extends RowKey {
  readonly order?: OrderNumber;
  readonly reason: string;
}
interface Sent extends RowKey {
  readonly order: OrderNumber;
}

async function exitAll(deps: GatewayParts, { userId, product }: Fields, caller: Caller): Promise<Answer> {
  const { engine, turns } = deps;
  const { account } = caller;
  const openOrders = new OpenOrders(account);
  await readOpenOrders(deps, openOrders);
  const open = engine.glance((state) => openRows(deps, accountOf(state, account).positions.values(), product));
  const rows = open.slice(0, MOST_ROWS);
  const keys = new Set(rows.map((row) => positionKey(row.instrument.id, row.product)));
  const orders = engine.glance((state) =>
    cancellable(state, openOrders, (order) => keys.has(positionKey(order.instrument, order.product))),
  );
  const cancellations = await cancelEach(deps, orders.slice(0, MOST_CANCELLATIONS), caller, userId);
  const exits: Exit[] = [];
  for (const side of ['B', 'S'] as const) {
    for (const row of rows) exits.push(...(await turns.run(account, () => exitsOf(deps, row, side, caller))));
  }
  const outcomes = await Promise.all(exits.map(({ outcome }) => outcome));
  const sorted = sortedOut(exits, outcomes, userId);
  return engine.read((_state, { history }) => {
    const orders: Sent[] = [];
    const refused = [...sorted.refused];
    for (const sent of sorted.sent) {
      // The day may have turned meanwhile: the order is in the history alone then, or not even there.
      const isKept = history.accountOf(sent.order) !== undefined;
      if (!isKept || history.last(sent.order).status !== 'Rejected') orders.push(sent);
      else
        refused.push({
          ...sent,
          reason: reasonText(history.ending(sent.order)?.reason, userId, sent.instrument),
        });
    }
    for (const { order, reason } of cancellations.refused) {
      if (history.accountOf(order) === undefined) continue;
      const { instrument, product } = history.head(order);
      refused.push({ instrument: instrumentOf(deps, instrument), product, order, reason });
    }
    return written(orders, refused, cancellations, open.length - rows.length, formatT1(engine.now()));
  });
}

function instrumentOf({ instruments }: GatewayParts, id: Position['instrument']): Instrument {
  return must(instruments.get(id), 'a position is in a listed instrument');
}

function openRows(deps: GatewayParts, rows: Iterable<Position>, product: Product | undefined): RowKey[] {
  const open: RowKey[] = [];
  for (const row of rows) {
    if (unitsToClose(row) === undefined || (product !== undefined && row.product !== product)) continue;
    open.push({ instrument: instrumentOf(deps, row.instrument), product: row.product });
  }
  return open;
}

/**
 * Sends the orders of one row, if it is closed by this side: for the units that it has now, less those that other
 * orders close already, as those of the risk desk.
 */
function exitsOf(deps: GatewayParts, row: RowKey, side: Side, caller: Caller): Exit[] {
  const { instrument, product } = row;
  const key = positionKey(instrument.id, product);
  const found = deps.engine.glance((state) => unitsToClose(accountOf(state, caller.account).positions.get(key)));
  if (found === undefined || found.side !== side) return [];
  if (found.units <= 0) return [{ ...row, outcome: 'open orders close it already' }];
  const slices = slicesOf(found.units as Quantity, instrument);
  if (slices === undefined) return [{ ...row, outcome: 'it needs more than 10 orders' }];
  return slices.map((quantity) => ({ ...row, outcome: send(deps, row, side, quantity, caller) }));
}

/** Nothing of a delivery below 0: that is a sale of held shares, and no position. Source: market-rules R5.21. */
function unitsToClose(row: Position | undefined): { readonly side: Side; readonly units: number } | undefined {
  const net = row === undefined ? 0 : netQuantity(row);
  if (row === undefined || net === 0 || (net < 0 && row.product === 'C')) return undefined;
  if (net > 0) return { side: 'S', units: net - row.openSellQuantity };
  return { side: 'B', units: -net - row.openBuyQuantity };
}

/** Each order counts against the rate of its segment. */
function send(
  deps: GatewayParts,
  { instrument, product }: RowKey,
  side: Side,
  quantity: Quantity,
  caller: Caller,
): Exit['outcome'] {
  const { account } = caller;
  const refused = deps.orderRates.takeOrder(account, exchangeOf(instrument.id), deps.wall());
  if (refused !== undefined) return refused.message;
  const terms = { priceType: 'MKT', retention: 'DAY', quantity, price: ZERO_PRICE, trigger: ZERO_PRICE } as const;
  const order = { account, instrument: instrument.id, side, product, terms, remarks: REMARKS };
  const command: PlaceOrder = { type: 'PlaceOrder', ...order };
  return submitOne(deps, caller, command);
}

function sortedOut(exits: readonly Exit[], outcomes: readonly (string | Outcome)[], userId: string) {
  const sent: Sent[] = [];
  const refused: Refused[] = [];
  for (const [place, { instrument, product }] of exits.entries()) {
    const outcome = must(outcomes[place], 'every exit has an outcome');
    if (typeof outcome === 'string') refused.push({ instrument, product, reason: outcome });
    else if (outcome instanceof Unavailable) refused.push({ instrument, product, reason: UNAVAILABLE.message });
    else if (outcome.type === 'OrderPlaced') sent.push({ instrument, product, order: outcome.order });
    else if (outcome.type !== 'Refused') throw new Error(`an exit was answered ${outcome.type}`);
    else refused.push({ instrument, product, reason: refusalText(outcome.refusal, { userId }) });
  }
  return { sent, refused };
}

function written(
  orders: readonly Sent[],
  refused: readonly Refused[],
  { cancelled }: Cancellations,
  left: number,
  requestTime: string,
): string {
  return answer.write({
    orders: orders.map((sent) => ({ ...words(sent), orderNumber: String(sent.order) })),
    refused: refused.map((one) => {
      return { ...words(one), orderNumber: one.order === undefined ? '' : String(one.order), reason: one.reason };
    }),
    cancelled: cancelled.map((order) => ({ orderNumber: String(order) })),
    left: String(left),
    requestTime,
  });
}

function words({ instrument, product }: RowKey) {
  return { exchange: instrument.exchange, tradingSymbol: instrument.tradingSymbol, product };
}
