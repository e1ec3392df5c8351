/**
 * The fields of an order that is to be placed, and the command that they say. `place-order.ts` places one order,
 * `basket-order.ts` several. The core decides whether an order is accepted.
 */

import { hash } from 'node:crypto';
import type { AccountId, Exchange, InstrumentId } from '../../../base/ids.ts';
import type { Command, PlaceOrder } from '../../../core/command.ts';
import type { OrderTags, Product, Side } from '../../../core/order.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { Reply } from '../../../core/reply.ts';
import { replyKey } from '../../../core/state.ts';
import type { EnginePort } from '../../../engine/port.ts';
import type { GatewayDeps } from '../../deps.ts';
import { badRequest, decided, type Failure, inPart, NUMBERS_USED_UP } from '../../fields/envelope.ts';
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
  side,
  tag,
  tradingSymbol,
} from '../../fields/fields.ts';
import { orderTerms, parseProtection, type TermsFields } from '../../fields/order-terms.ts';
import { findForPlacement } from '../../fields/symbols.ts';
import { formatT1 } from '../../fields/times.ts';
import type { Caller } from '../../operation.ts';
import { scenarioOf } from '../../scenarios/sim-remarks.ts';

const PROTECTION_INVALID = 'mkt_protection must be a number, 0 or greater';

/** The fields of an order. Source: interface §placeOrder, contract 3.12. */
export const ORDER_FIELDS = {
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
};

export interface OrderFields extends TermsFields {
  readonly exchange: Exchange;
  readonly product: Product;
  readonly tradingSymbol: string;
  readonly transactionType: Side;
  readonly remarks: string;
  readonly mkt_protection?: string;
  readonly strategyId?: string;
  readonly deviceId?: string;
}

/** The first contradiction between the fields of an order; `undefined` when there is none. */
function contradictionOf(fields: OrderFields): Failure | undefined {
  const terms = orderTerms(fields);
  if ('status' in terms) return terms;
  return protectionOf(fields) === undefined ? badRequest('mkt_protection', PROTECTION_INVALID) : undefined;
}

function protectionOf({ mkt_protection }: OrderFields) {
  return mkt_protection === undefined ? 0 : parseProtection(mkt_protection);
}

/**
 * The command that the fields say, not yet under its key, or the first of their contradictions. `key`: the one that it
 * will have.
 */
export function placementOf(
  deps: GatewayDeps,
  fields: OrderFields,
  { account }: Caller,
  key: string | undefined,
): PlaceOrder | Failure {
  const terms = orderTerms(fields);
  if ('status' in terms) return terms;
  const protection = protectionOf(fields);
  if (protection === undefined) return badRequest('mkt_protection', PROTECTION_INVALID);
  const { instruments, engine } = deps;
  const first = () => instrumentUnder(engine, account, key);
  const instrument = findForPlacement(instruments, fields.exchange, fields.tradingSymbol, engine.now(), first);
  if ('status' in instrument) return instrument;
  const command = {
    type: 'PlaceOrder',
    account,
    instrument: instrument.id,
    side: fields.transactionType,
    product: fields.product,
    terms,
    remarks: fields.remarks,
  } as const satisfies Command;
  const tags = tagsOf(fields);
  const scenario = deps.scenarios === 'on' ? scenarioOf({ ...command, lot: instrument.lot }) : undefined;
  if (scenario !== undefined && 'status' in scenario) return scenario;
  if (protection === 0 && (tags ?? scenario) === undefined) return command;
  return {
    ...command,
    ...(tags === undefined ? {} : { tags }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(protection === 0 ? {} : { protection }),
  };
}

/** The instrument of the order that was placed under a key. */
function instrumentUnder(engine: EnginePort, account: AccountId, key: string | undefined): InstrumentId | undefined {
  if (key === undefined) return undefined;
  return engine.glance(({ replies, orders }) => {
    const before = replies.get(replyKey(account, key));
    return before && orders.get(before.order)?.instrument;
  });
}

/**
 * The commands that several orders say, not yet under their keys, or the first failure: every order's own
 * contradictions come before any unknown instrument. `part`: as of `inPart`; `keyOf`: the key that the order of a
 * place, counted from 1, will have. Source: contract W3.
 */
export function placementsOf(
  deps: GatewayDeps,
  orders: readonly OrderFields[],
  caller: Caller,
  part?: string,
  keyOf: (place: number) => string | undefined = () => undefined,
): readonly PlaceOrder[] | Failure {
  for (const [index, order] of orders.entries()) {
    const failure = contradictionOf(order);
    if (failure !== undefined) return inPart(failure, part, index + 1);
  }
  const placements: PlaceOrder[] = [];
  for (const [index, order] of orders.entries()) {
    const placement = placementOf(deps, order, caller, keyOf(index + 1));
    if ('status' in placement) return inPart(placement, part, index + 1);
    placements.push(placement);
  }
  return placements;
}

function tagsOf({ strategyId, deviceId }: OrderFields): OrderTags | undefined {
  if (strategyId === undefined && deviceId === undefined) return undefined;
  return {
    ...(strategyId === undefined ? {} : { strategy: strategyId }),
    ...(deviceId === undefined ? {} : { device: deviceId }),
  };
}

/**
 * The text by which two requests are the same: all fields but the token, which is another one in a retry after a new
 * login.
 */
export function digestOf(fields: Readonly<Record<string, unknown>>): string {
  const { jKey: _token, ...rest } = fields;
  return hash('sha256', JSON.stringify(rest));
}

/**
 * Loses the answer to a placement when one of its orders asks for that and was not answered before: a client that
 * repeats the request under its key learns the outcome. Source: docs/outcomes.md.
 */
export function loseAnswer(
  caller: Caller,
  placements: readonly Pick<PlaceOrder, 'scenario'>[],
  replies: readonly unknown[],
): void {
  const isLost = placements.some(({ scenario }, index) => scenario?.lostAnswer && isFirstReply(replies[index]));
  if (isLost) caller.loseAnswer?.();
}

function isFirstReply(reply: unknown): boolean {
  const { type, again } = reply as Partial<Extract<Reply, { type: 'OrderPlaced' }>>;
  return type === 'OrderPlaced' && again === undefined;
}

/** An order that was placed, as it is answered. */
export function placed({ order, at }: Extract<Reply, { type: 'OrderPlaced' }>) {
  return { orderNumber: String(order), requestTime: formatT1(at) };
}

/** The failure of a placement that was not taken. */
export function notPlaced(reply: Reply, userId: string): Failure {
  if (reply.type !== 'Refused') throw new Error(`a placement was answered ${reply.type}`);
  if (reply.refusal.rule === 'NumbersUsedUp') return decided(NUMBERS_USED_UP);
  if (reply.refusal.rule === 'IdempotencyKeyReused') {
    return decided(badRequest('Idempotency-Key', 'the key was used with another body'));
  }
  return decided(badRequest('body', refusalText(reply.refusal, { userId })));
}
