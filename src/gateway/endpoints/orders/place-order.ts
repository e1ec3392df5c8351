/**
 * The operation `/placeOrder`: turns the fields of a request into an order, or into slices when it is above the freeze
 * quantity. A request that is sent again under its Idempotency-Key is placed once. The core decides whether the order
 * is accepted.
 */

import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import type { Quantity } from '../../../base/money.ts';
import type { Command, PlaceOrder } from '../../../core/command.ts';
import type { OrderTags } from '../../../core/order.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { Reply } from '../../../core/reply.ts';
import { type Submission, Unavailable } from '../../../engine/port.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayDeps, GatewayParts } from '../../deps.ts';
import { orderNumberText, t1 } from '../../fields/answers.ts';
import { badRequest, decided, type Failure } from '../../fields/envelope.ts';
import {
  decimal,
  exchange,
  optional,
  price,
  priceType,
  product,
  quantity,
  remarks,
  retention,
  SIGNED_IN,
  side,
  tag,
  tradingSymbol,
} from '../../fields/fields.ts';
import { orderTerms, parseProtection } from '../../fields/order-terms.ts';
import { findInstrument } from '../../fields/symbols.ts';
import { formatT1 } from '../../fields/times.ts';
import { type Caller, operation, originOf, success } from '../../operation.ts';
import { slicesOf } from './slices.ts';

const PROTECTION_INVALID = 'mkt_protection must be a number, 0 or greater';

const request = Type.Object({
  ...SIGNED_IN,
  exchange: exchange(),
  retention: retention(),
  product: product(),
  priceType: priceType(),
  tradingSymbol: tradingSymbol(),
  transactionType: side(),
  price: price({ description: 'the limit; 0 for market orders' }),
  triggerPrice: optional(price({ 'x-alias': 'trgprc', description: 'the trigger of a stop; 0 for others' })),
  quantity: quantity(),
  remarks: remarks(),
  mkt_protection: optional(decimal(PROTECTION_INVALID)),
  strategyId: optional(tag('strategyId', 'the strategy that decided; kept with the order')),
  deviceId: optional(tag('deviceId', 'the device that it runs on; kept with the order')),
});
type Fields = Static<typeof request>;

const answer = success('Order details', Type.Object({ orderNumber: orderNumberText, requestTime: t1 }));
const slicedAnswer = success(
  'Order details',
  Type.Array(Type.Object({ orderNumber: orderNumberText, quantity: Type.String(), requestTime: t1 })),
);

/** Source: interface §placeOrder, contract 3.12, W6, W25. */
export const placeOrder = operation({
  path: '/placeOrder',
  summary: 'Place an order',
  request,
  rate: 'order',
  answer,
  slicedData: slicedAnswer.data,
  takesKey: true,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const command = commandOf(deps, fields, caller);
    if ('status' in command) return command;
    const submission = { command, origin: originOf(caller) };
    return deps.slicing === 'on' ? placeSliced(deps, submission, fields) : place(deps, submission, fields);
  },
});

interface Placement extends Submission {
  readonly command: PlaceOrder;
}

function place(deps: GatewayDeps, placement: Placement, fields: Fields): Promise<Answer> {
  return deps.engine
    .submit(placement)
    .then((reply) => (reply.type === 'OrderPlaced' ? answer.write(placed(reply)) : notPlaced(reply, fields)));
}

/**
 * Places an order above the freeze quantity in slices, in the order of the queue; one within it as it is. Each slice is
 * an order of the account's rate. A slice that the engine has no room for, or refuses, is not in the answer; it is the
 * answer when no slice was placed. Source: market-rules R1.29, R9.2.
 */
async function placeSliced(deps: GatewayParts, placement: Placement, fields: Fields): Promise<Answer> {
  const { command, origin } = placement;
  const instrument = must(deps.instruments.get(command.instrument), 'an instrument that was found is there');
  const slices = slicesOf(command.terms.quantity, instrument);
  if (slices === undefined) return badRequest('quantity', 'quantity needs more than 10 slices');
  if (slices.length === 1) return place(deps, placement, fields);
  const tooMany = deps.orderRates.takeOtherSlices(command.account, fields.exchange, slices.length, deps.wall());
  if (tooMany !== undefined) return tooMany;
  const commands = slices.map((quantity, index) => sliceOf(command, quantity, index));
  const replies = commands.map((slice) => outcomeOf(deps.engine.submit({ command: slice, origin })));
  const outcomes = await Promise.all(replies);
  const rows = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome instanceof Unavailable || outcome.type !== 'OrderPlaced') continue;
    rows.push({ ...placed(outcome), quantity: String(slices[index]) });
  }
  if (rows.length > 0) return slicedAnswer.write(rows);
  const first = must(outcomes[0], 'an order has a slice');
  if (first instanceof Unavailable) throw first;
  return notPlaced(first, fields);
}

/** The reply to a command, or that the engine took none. */
function outcomeOf(reply: Promise<Reply>): Promise<Reply | Unavailable> {
  return reply.catch((error: unknown) => {
    if (error instanceof Unavailable) return error;
    throw error;
  });
}

/** A slice is its own order; a retry under the same key finds each slice again. */
function sliceOf(command: PlaceOrder, quantity: Quantity, index: number): PlaceOrder {
  const { idempotency, terms } = command;
  const slice = { ...command, terms: { ...terms, quantity } };
  if (idempotency === undefined || index === 0) return slice;
  return { ...slice, idempotency: { ...idempotency, key: `${idempotency.key} slice ${index + 1}` } };
}

function placed({ order, at }: Extract<Reply, { type: 'OrderPlaced' }>) {
  return { orderNumber: String(order), requestTime: formatT1(at) };
}

function notPlaced(reply: Reply, { userId }: Fields): Failure {
  if (reply.type !== 'Refused') throw new Error(`placeOrder was answered ${reply.type}`);
  if (reply.refusal.rule === 'IdempotencyKeyReused') {
    return decided(badRequest('Idempotency-Key', 'the key was used with another body'));
  }
  return decided(badRequest('body', refusalText(reply.refusal, { userId })));
}

/** The command that the fields say, or the first of its contradictions. */
function commandOf(deps: GatewayDeps, fields: Fields, caller: Caller): PlaceOrder | Failure {
  const terms = orderTerms(fields);
  if ('status' in terms) return terms;
  const protection = fields.mkt_protection === undefined ? 0 : parseProtection(fields.mkt_protection);
  if (protection === undefined) return badRequest('mkt_protection', PROTECTION_INVALID);
  const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, deps.engine.now());
  if ('status' in named) return named;
  const command = {
    type: 'PlaceOrder',
    account: caller.account,
    instrument: named.instrument.id,
    side: fields.transactionType,
    product: fields.product,
    terms,
    remarks: fields.remarks,
  } as const satisfies Command;
  const { idempotencyKey: key } = caller;
  const tags = tagsOf(fields);
  if (protection === 0 && key === undefined && tags === undefined) return command;
  return {
    ...command,
    ...(tags === undefined ? {} : { tags }),
    ...(protection === 0 ? {} : { protection }),
    ...(key === undefined ? {} : { idempotency: { key, bodyDigest: digestOf(fields) } }),
  };
}

function tagsOf({ strategyId, deviceId }: Fields): OrderTags | undefined {
  if (strategyId === undefined && deviceId === undefined) return undefined;
  return {
    ...(strategyId === undefined ? {} : { strategy: strategyId }),
    ...(deviceId === undefined ? {} : { device: deviceId }),
  };
}

/**
 * The text by which two placements are the same request: all fields but the token, which is another one in a retry
 * after a new login.
 */
export function digestOf(fields: { readonly jKey: string }): string {
  const { jKey: _token, ...rest } = fields;
  return hash('sha256', JSON.stringify(rest));
}
