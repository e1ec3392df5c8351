/**
 * The new terms of an open order as a request states them, and the command that they say. `modify-order.ts` and
 * `modify-after-market-order.ts` are its operations. The core decides whether the order takes the terms.
 */

import { formatRupees, parseQuantity } from '../../../base/decimal.ts';
import { type Exchange, exchangeOf, type OrderNumber } from '../../../base/ids.ts';
import { asciiUpper, withoutBlanks } from '../../../base/printable.ts';
import type { ModifyOrder } from '../../../core/command.ts';
import type { Instrument } from '../../../core/instrument.ts';
import {
  copyOf,
  type Order,
  type OrderTerms,
  type PriceType,
  type Product,
  type Retention,
} from '../../../core/order.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { Origin } from '../../../engine/port.ts';
import type { GatewayDeps, GatewayParts } from '../../deps.ts';
import { badRequest, decided, type Failure } from '../../fields/envelope.ts';
import { isMarketType, isStopType, orderTerms, parseProtection } from '../../fields/order-terms.ts';
import type { Picked } from '../../fields/request.ts';
import { decodeSymbol } from '../../fields/symbols.ts';
import { formatT1 } from '../../fields/times.ts';
import { type Caller, originOf } from '../../operation.ts';
import { refusalOfChange, UNKNOWN_ORDER } from './earlier-orders.ts';

export const MODIFIED_PROTECTION_INVALID = 'mkt_protection must be greater than 0';

/** The parts of an order that a modification is compared with. */
type ChangedOrder = Readonly<Pick<Order, 'number' | 'account' | 'instrument' | 'product' | 'terms'>>;

/** The fields of a modification. An order keeps what is left out. */
export interface ModificationFields {
  readonly userId: string;
  readonly orderNumber: string;
  readonly exchange?: Exchange;
  readonly product: Product;
  readonly priceType: PriceType;
  readonly tradingSymbol?: string;
  readonly mkt_protection?: string;
  readonly price?: string;
  readonly quantity?: string;
  readonly triggerPrice?: string;
  readonly retention?: Retention;
}

/** The answer to a modification. `rejreason`: why the order is as it was. */
export interface Modified {
  readonly orderNumber: string;
  readonly rejreason?: string;
  readonly requestTime: string;
}

/**
 * Carries a modification out. Source: interface §modifyOrder, contract 3.13, W22, W23, R13, market-rules R3.18 to
 * R3.23.
 */
export function modify(
  deps: GatewayParts,
  fields: ModificationFields,
  caller: Caller,
): Modified | Failure | Promise<Modified | Failure> {
  const failure = contradiction(fields);
  if (failure) return failure;
  const order = ownOrder(deps, Number(fields.orderNumber) as OrderNumber, caller);
  if (!order) return UNKNOWN_ORDER;
  const command = commandOf(deps, fields, order);
  if ('status' in command) return command;
  const origin = originOf(caller);
  const refused = deps.orderRates.takeModification(order.number);
  if (refused === undefined) return submit(deps, command, origin, fields.userId);
  return Promise.resolve(refused).then((failure) => failure ?? submit(deps, command, origin, fields.userId));
}

async function submit(
  deps: GatewayDeps,
  command: ModifyOrder,
  origin: Origin,
  userId: string,
): Promise<Modified | Failure> {
  const reply = await deps.engine.submit({ command, origin });
  const orderNumber = String(command.order);
  if (reply.type === 'OrderModified') return { orderNumber, requestTime: formatT1(reply.at) };
  if (reply.type !== 'Refused') throw new Error(`a modification was answered ${reply.type}`);
  const refusal = await refusalOfChange(deps, command, reply.refusal, { rule: 'NotOpenToModify' });
  if (refusal === undefined) return decided(UNKNOWN_ORDER);
  return { orderNumber, rejreason: refusalText(refusal, { userId }), requestTime: formatT1(reply.at) };
}

/** A stop needs its trigger. Source: interface §modifyOrder, contract W3. */
export function triggerNeeded({ priceType }: Picked): string[] {
  return isStopType(priceType) ? ['triggerPrice'] : [];
}

/**
 * The failure of a request that contradicts itself, whatever the order is. Source: interface §modifyOrder, contract W2.
 */
function contradiction(fields: ModificationFields): Failure | undefined {
  const isMarket = isMarketType(fields.priceType);
  const protection = parseProtection(fields.mkt_protection ?? '0');
  if (protection === undefined || (protection === 0 && isMarket && fields.mkt_protection !== undefined)) {
    return badRequest('mkt_protection', MODIFIED_PROTECTION_INVALID);
  }
  const terms = orderTerms({
    ...fields,
    retention: fields.retention ?? 'DAY',
    price: fields.price ?? (isMarket ? '0' : '1'),
    triggerPrice: fields.triggerPrice ?? '0',
    quantity: fields.quantity ?? '1',
  });
  return 'status' in terms ? terms : undefined;
}

/**
 * The caller's order of that number, read at once: the command that follows becomes durable after the state that was
 * read. One of an earlier day is as its history has it.
 */
function ownOrder(deps: GatewayDeps, number: OrderNumber, { account }: Caller): ChangedOrder | undefined {
  return deps.engine.glance(({ orders }, _ports, { history }) => {
    const order = orders.get(number);
    if (order !== undefined) return order.account === account ? copyOf(order) : undefined;
    return history.accountOf(number) === account
      ? { ...history.head(number), terms: history.last(number).terms }
      : undefined;
  });
}

function commandOf(deps: GatewayDeps, fields: ModificationFields, order: ChangedOrder): ModifyOrder | Failure {
  const instrument = deps.instruments.get(order.instrument);
  if (fields.exchange !== undefined && fields.exchange !== exchangeOf(order.instrument)) {
    return badRequest('exchange', 'exchange is not that of the order');
  }
  const symbol = fields.tradingSymbol;
  if (!instrument || (symbol !== undefined && !names(instrument, symbol))) {
    return badRequest('tradingSymbol', 'tradingSymbol is not that of the order');
  }
  if (!sameProduct(fields, order, instrument)) return badRequest('product', 'product is not that of the order');
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
  return asciiUpper(withoutBlanks(decodeSymbol(tradingSymbol))) === asciiUpper(instrument.tradingSymbol);
}

/** In cash M is another word for I. Source: contract W9. */
function sameProduct(fields: ModificationFields, order: ChangedOrder, { kind }: Instrument): boolean {
  if (fields.product === order.product) return true;
  return kind === 'equity' && fields.product !== 'C' && order.product !== 'C';
}

/**
 * The terms: those of the request, and the order's own where the request left them out. Source: interface §modifyOrder.
 */
function wishedTerms(fields: ModificationFields, order: ChangedOrder): OrderTerms | Failure {
  const unchangedPrice = isMarketType(fields.priceType) ? '0' : formatRupees(order.terms.price);
  const terms = orderTerms({
    priceType: fields.priceType,
    retention: fields.retention ?? order.terms.retention,
    price: fields.price ?? unchangedPrice,
    triggerPrice: fields.triggerPrice ?? '0',
    quantity: fields.quantity ?? '1',
  });
  if ('status' in terms) return terms;
  const total = fields.quantity === undefined ? order.terms.quantity : parseQuantity(fields.quantity);
  return total === undefined ? terms : { ...terms, quantity: total };
}
