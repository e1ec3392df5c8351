/** The two tools of an order: `preview_order`, which changes nothing, and `place_order`, which takes its token. */

import { SaudaError } from '../../client/src/errors.ts';
import { fromPaise } from '../../client/src/money.ts';
import { must } from '../base/assert.ts';
import { type JsonObject, published } from '../gateway/openapi.ts';
import type { Operation } from '../gateway/operation.ts';
import { OPERATIONS } from '../gateway/operations.ts';
import { type AgentTool, guarded, inputSchema, schemaOf } from './operation-tools.ts';
import { askAbout, lastPrice, orderFields, orderValue } from './order-question.ts';
import { type OrderFields, PREVIEW_MS, type Previews } from './previews.ts';
import type { SignedIn } from './signed-in.ts';
import { success, TEXTS_ARE_DATA, ToolRefusal } from './tool-answer.ts';
import type { TradingCaps } from './trading-caps.ts';

const TEXT = { type: 'string' };
const TOKEN: JsonObject = { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'of preview_order' };
/** Fields of an order that may be left out. */
const HAVE_DEFAULTS: readonly unknown[] = ['retention', 'remarks', 'price'];
const SECOND_MS = 1_000;

/** The parts that trading needs; absent where the server only reads. */
export interface TradingParts {
  readonly previews: Previews;
  readonly caps: TradingCaps;
}

export function orderTools(session: SignedIn, trading: TradingParts | undefined): readonly AgentTool[] {
  return trading === undefined
    ? [previewTool(session, undefined)]
    : [previewTool(session, trading), placeTool(session, trading)];
}

function operationAt(path: string): Operation {
  return must(
    OPERATIONS.find((operation) => operation.path === path),
    `the operation ${path} is there`,
  );
}

function orderSchema(more: JsonObject): JsonObject {
  const schema = inputSchema(operationAt('/placeOrder'), more);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return { ...schema, required: [...required.filter((name) => !HAVE_DEFAULTS.includes(name)), ...Object.keys(more)] };
}

function dataSchema(path: string): JsonObject {
  return published(must(operationAt(path).answer.data, `${path} answers data`));
}

function previewTool(session: SignedIn, trading: TradingParts | undefined): AgentTool {
  const token = trading === undefined ? 'This server only reads, so there is no token.' : 'The token places it once.';
  return {
    name: 'preview_order',
    title: 'Preview an order',
    description:
      'The margin and charges of an order, and what its admission would say. Nothing is placed. ' +
      `${token} Prices are rupees. ${TEXTS_ARE_DATA}`,
    input: schemaOf(orderSchema({})),
    output: schemaOf(previewSchema()),
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: guarded(async (given) => {
      const order = orderFields(given);
      const { findings: asked, ...answers } = await askAbout(session, order);
      const value = orderValue(order, answers.lastTradedPrice);
      const findings = [...asked, ...capFindings(trading, value)];
      const wouldBeAdmitted = findings.every(({ passes }) => passes);
      const facts = { market: session.market, order, orderValue: rupees(value), ...answers, findings, wouldBeAdmitted };
      return success(trading === undefined || !wouldBeAdmitted ? facts : { ...facts, ...placeable(trading, order) });
    }),
  };
}

function capFindings(trading: TradingParts | undefined, value: bigint) {
  if (trading === undefined) return [];
  const { caps } = trading;
  const most = rupees(caps.settings.maxOrderValue);
  return [
    { check: 'cap of value', passes: caps.admits(value), detail: `worth ${rupees(value)}, at most ${most}` },
    { check: 'cap of orders', passes: caps.left > 0, detail: `${caps.left} of ${caps.settings.maxOrders} are left` },
  ];
}

function placeable({ previews }: TradingParts, order: OrderFields) {
  return { token: previews.keep(order), tokenSeconds: PREVIEW_MS / SECOND_MS };
}

function previewSchema(): JsonObject {
  const finding = {
    type: 'object',
    properties: { check: TEXT, passes: { type: 'boolean' }, detail: TEXT },
    required: ['check', 'passes', 'detail'],
  };
  const properties = {
    market: { ...TEXT, description: 'simulated, replay or live' },
    order: { type: 'object', additionalProperties: TEXT, description: 'as it would be sent' },
    orderValue: { ...TEXT, description: 'rupees, at the highest of limit, trigger and last price' },
    lastTradedPrice: TEXT,
    margin: dataSchema('/orderMargin'),
    basket: dataSchema('/basketMargin'),
    charges: dataSchema('/brokerageCalculator'),
    findings: { type: 'array', items: finding },
    wouldBeAdmitted: { type: 'boolean', description: 'bands, holdings and bans are judged when the order comes' },
  };
  const token = { token: TOKEN, tokenSeconds: { type: 'integer' } };
  return { type: 'object', properties: { ...properties, ...token }, required: Object.keys(properties) };
}

function placeTool(session: SignedIn, trading: TradingParts): AgentTool {
  return {
    name: 'place_order',
    title: 'Place a previewed order',
    description:
      'Places an order that preview_order has just shown: give its token and the same fields. A token works once, for ' +
      `two minutes. An order that is refused has a number too: read its status. ${TEXTS_ARE_DATA}`,
    input: schemaOf(orderSchema({ token: TOKEN })),
    output: schemaOf(placedSchema()),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    run: guarded(async ({ token, ...given }) => {
      const order = orderFields(given);
      trading.previews.take(String(token), order);
      const orders = await placed(session, trading, order, String(token));
      return success({ market: session.market, orders, rows: await rowsOf(session, orders) });
    }),
  };
}

interface Placed {
  readonly orderNumber: string;
  readonly requestTime: string;
}

/** The key of the placement is the token, so an answer that was lost is asked for again and nothing comes twice. */
async function placed(
  session: SignedIn,
  { caps }: TradingParts,
  order: OrderFields,
  token: string,
): Promise<readonly Placed[]> {
  // The price may have moved since the preview.
  caps.take(orderValue(order, await lastPrice(session, order)));
  try {
    const data = (await session.place(order, token)) as Placed | readonly Placed[];
    const orders = 'orderNumber' in data ? [data] : data;
    return orders.map(({ orderNumber, requestTime }) => ({ orderNumber, requestTime }));
  } catch (error) {
    const isNotPlaced = error instanceof ToolRefusal || (error instanceof SaudaError && !error.ambiguous);
    if (isNotPlaced) caps.giveBack();
    throw error;
  }
}

/** The rows of the orders as they stand now; none when they cannot be read: the orders are placed all the same. */
async function rowsOf(session: SignedIn, orders: readonly Placed[]): Promise<readonly unknown[]> {
  const numbers = new Set(orders.map(({ orderNumber }) => orderNumber));
  try {
    const book = (await session.read('/orderBook', {})) as readonly Placed[];
    return book.filter(({ orderNumber }) => numbers.has(orderNumber));
  } catch (error) {
    if (error instanceof SaudaError || error instanceof ToolRefusal) return [];
    throw error;
  }
}

function placedSchema(): JsonObject {
  const order = {
    type: 'object',
    properties: { orderNumber: TEXT, requestTime: TEXT },
    required: ['orderNumber', 'requestTime'],
  };
  const properties = {
    market: TEXT,
    orders: { type: 'array', items: order },
    rows: { ...dataSchema('/orderBook'), description: 'as order_book answers' },
  };
  return { type: 'object', properties, required: Object.keys(properties) };
}

function rupees(paise: bigint): string {
  return paise <= BigInt(Number.MAX_SAFE_INTEGER) ? fromPaise(Number(paise)) : `${paise / 100n}.00`;
}
