/**
 * The operation `/modifyOrder`: turns the fields of a request into new terms of an open order. The core decides whether
 * the order takes them.
 */

import Type, { type Static } from 'typebox';
import { formatRupees, parseQuantity } from '../../../base/decimal.ts';
import { exchangeOf, type OrderNumber } from '../../../base/ids.ts';
import { withoutBlanks } from '../../../base/printable.ts';
import type { ModifyOrder } from '../../../core/command.ts';
import type { Instrument } from '../../../core/instrument.ts';
import type { Order, OrderTerms } from '../../../core/order.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { Submission } from '../../../engine/port.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayDeps } from '../../deps.ts';
import { anyText, orderNumberText, t1 } from '../../fields/answers.ts';
import { badRequest, decided, type Failure } from '../../fields/envelope.ts';
import {
  decimal,
  exchange,
  ORDER_NOT_FOUND,
  optional,
  orderNumber,
  price,
  priceType,
  product,
  quantity,
  retention,
  SIGNED_IN,
  tradingSymbol,
} from '../../fields/fields.ts';
import { isMarketType, isStopType, orderTerms, parseProtection } from '../../fields/order-terms.ts';
import type { Picked } from '../../fields/request.ts';
import { decodeSymbol } from '../../fields/symbols.ts';
import { formatT1 } from '../../fields/times.ts';
import { type Caller, operation, originOf, success } from '../../operation.ts';

const PROTECTION_INVALID = 'mkt_protection must be greater than 0';
const UNKNOWN_ORDER = badRequest('orderNumber', ORDER_NOT_FOUND);

const request = Type.Object({
  ...SIGNED_IN,
  orderNumber: orderNumber(),
  exchange: optional(exchange()),
  product: product(),
  priceType: priceType(),
  tradingSymbol: tradingSymbol(),
  mkt_protection: optional(decimal(PROTECTION_INVALID)),
  price: optional(price({ description: '0 for market orders' })),
  quantity: optional(quantity()),
  triggerPrice: optional(price({ description: 'needed for stops, 0 for others' })),
  retention: retention(),
});
type Fields = Static<typeof request>;

const answer = success(
  'Order modification details',
  Type.Object({
    orderNumber: orderNumberText,
    rejreason: Type.Optional(anyText('why the order is as it was; absent when it was modified')),
    remarks: anyText(),
    requestTime: t1,
  }),
);

/** Source: interface §modifyOrder, contract 3.13, W22, R13, market-rules R3.18 to R3.23. */
export const modifyOrder = operation({
  path: '/modifyOrder',
  summary: 'Modify an open order',
  request,
  needs,
  rate: 'amend',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const failure = contradiction(fields);
    if (failure) return failure;
    const order = ownOrder(deps, Number(fields.orderNumber) as OrderNumber, caller);
    if (!order) return UNKNOWN_ORDER;
    const command = commandOf(deps, fields, order);
    if ('status' in command) return command;
    const modification = { command, origin: originOf(caller) };
    const refused = deps.orderRates.takeModification(order.number);
    if (refused === undefined) return modify(deps, modification, fields);
    return Promise.resolve(refused).then((failure) => failure ?? modify(deps, modification, fields));
  },
});

interface Modification extends Submission {
  readonly command: ModifyOrder;
}

async function modify(deps: GatewayDeps, modification: Modification, { userId }: Fields): Promise<Answer> {
  const reply = await deps.engine.submit(modification);
  const number = String(modification.command.order);
  if (reply.type === 'OrderModified') {
    return answer.write({ orderNumber: number, remarks: '', requestTime: formatT1(reply.at) });
  }
  if (reply.type !== 'Refused') throw new Error(`modifyOrder was answered ${reply.type}`);
  if (reply.refusal.rule === 'OrderNotFound') return decided(UNKNOWN_ORDER);
  const rejreason = refusalText(reply.refusal, { userId });
  return answer.write({ orderNumber: number, rejreason, remarks: '', requestTime: formatT1(reply.at) });
}

/** Source: interface §modifyOrder, contract W3. */
function needs({ priceType }: Picked): string[] {
  const needed: string[] = [];
  if (isMarketType(priceType)) needed.push('mkt_protection');
  if (isStopType(priceType)) needed.push('triggerPrice');
  return needed;
}

/**
 * The failure of a request that contradicts itself, whatever the order is. Source: interface §modifyOrder, contract W2.
 */
function contradiction(fields: Fields): Failure | undefined {
  const isMarket = isMarketType(fields.priceType);
  const protection = parseProtection(fields.mkt_protection ?? '0');
  if (protection === undefined || (protection === 0 && isMarket)) {
    return badRequest('mkt_protection', PROTECTION_INVALID);
  }
  const terms = orderTerms({
    ...fields,
    price: fields.price ?? (isMarket ? '0' : '1'),
    triggerPrice: fields.triggerPrice ?? '0',
    quantity: fields.quantity ?? '1',
  });
  return 'status' in terms ? terms : undefined;
}

/**
 * The caller's order of that number, read at once: the command that follows becomes durable after the state that was
 * read.
 */
function ownOrder(deps: GatewayDeps, number: OrderNumber, caller: Caller): Readonly<Order> | undefined {
  return deps.engine.glance((state) => {
    const order = state.orders.get(number);
    return order?.account === caller.account ? { ...order } : undefined;
  });
}

function commandOf(deps: GatewayDeps, fields: Fields, order: Readonly<Order>): ModifyOrder | Failure {
  const instrument = deps.instruments.get(order.instrument);
  if (fields.exchange !== undefined && fields.exchange !== exchangeOf(order.instrument)) {
    return badRequest('exchange', 'exchange is not that of the order');
  }
  if (!instrument || !names(instrument, fields.tradingSymbol)) {
    return badRequest('tradingSymbol', 'tradingSymbol is not that of the order');
  }
  if (!sameProduct(fields, order)) return badRequest('product', 'product is not that of the order');
  const terms = wishedTerms(fields, order);
  if ('status' in terms) return terms;
  const protection = parseProtection(fields.mkt_protection ?? '0') ?? 0;
  return {
    type: 'ModifyOrder',
    account: order.account,
    order: order.number,
    terms,
    ...(protection > 0 ? { protection } : {}),
  };
}

function names(instrument: Instrument, tradingSymbol: string): boolean {
  return withoutBlanks(decodeSymbol(tradingSymbol)).toUpperCase() === instrument.tradingSymbol.toUpperCase();
}

/** In cash M is another word for I. Source: contract W9. */
function sameProduct(fields: Fields, order: Readonly<Order>): boolean {
  if (fields.product === order.product) return true;
  return order.kind === 'equity' && fields.product !== 'C' && order.product !== 'C';
}

/**
 * The terms: those of the request, and the order's own where the request left them out. Source: interface §modifyOrder.
 */
function wishedTerms(fields: Fields, order: Readonly<Order>): OrderTerms | Failure {
  const unchangedPrice = isMarketType(fields.priceType) ? '0' : formatRupees(order.terms.price);
  const terms = orderTerms({
    priceType: fields.priceType,
    retention: fields.retention,
    price: fields.price ?? unchangedPrice,
    triggerPrice: fields.triggerPrice ?? '0',
    quantity: fields.quantity ?? '1',
  });
  if ('status' in terms) return terms;
  const total = fields.quantity === undefined ? order.terms.quantity : parseQuantity(fields.quantity);
  return total === undefined ? terms : { ...terms, quantity: total };
}
