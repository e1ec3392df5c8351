/**
 * The fields of requests for GTTs: the trigger and the order of each leg, their check and their meaning inside. The
 * second leg is our own addition; the vendor's clients know one.
 */

import Type, { type Static } from 'typebox';
import type { InstrumentId } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import { asciiUpper } from '../../../base/printable.ts';
import type { ChangedLeg } from '../../../core/broker/gtt/gtt-commands.ts';
import type { Refusal } from '../../../core/refusals/refusal.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { Reply } from '../../../core/reply.ts';
import type { GatewayDeps } from '../../deps.ts';
import { badRequest, decided, type Failure, missingField, NUMBERS_USED_UP } from '../../fields/envelope.ts';
import {
  exchange,
  givenNumber,
  optional,
  price,
  priceType,
  product,
  quantity,
  remarks,
  retention,
  SIGNED_IN,
  side,
  tradingSymbol,
} from '../../fields/fields.ts';
import { isStopType, orderTerms, priceOf } from '../../fields/order-terms.ts';
import { decodeSymbol, findForPlacement } from '../../fields/symbols.ts';
import { scenarioOf } from '../../scenarios/sim-remarks.ts';

/** The words for a GTT that there is not, and for one of another client: the same. Source: contract W22. */
const GTT_NOT_FOUND = 'GTT not found or invalid';

const NO_ANSWER = 'the order of a GTT has no answer that could be lost: sim:lost-answer is for orders';

/** The number of a GTT. */
export function gttId() {
  return givenNumber(GTT_NOT_FOUND);
}

function order(name: string) {
  return Type.Object(
    {
      exchange: optional(exchange()),
      retention: retention(),
      product: product(),
      priceType: priceType(),
      tradingSymbol: optional(tradingSymbol()),
      transactionType: side(),
      price: price({ description: 'the limit; 0 for market orders' }),
      triggerPrice: optional(price({ description: 'the trigger of a stop; passed over for others' })),
      quantity: quantity(),
      remarks: optional(remarks()),
    },
    { 'x-invalid': `${name} must be an object` },
  );
}

/** The fields after the number of the GTT and its triggers. */
export const GTT_FIELDS = {
  ...SIGNED_IN,
  tradingSymbol: tradingSymbol(),
  exchange: exchange(),
  validity: Type.Enum(['GTT'], { 'x-invalid': 'validity must be GTT' }),
  remarks: optional(remarks()),
  OrderParams: order('OrderParams'),
  OrderParams2: optional(order('OrderParams2')),
};

/** A trigger on the last traded price. */
export function triggerValue(description: string) {
  return price({ description });
}

type OrderFields = Static<ReturnType<typeof order>>;
type GttFields = Static<Type.TObject<typeof GTT_FIELDS>> & { readonly value?: string; readonly value2?: string };

/** The legs that a request asks for, and the instrument that it names. */
export interface GttAsked {
  readonly instrument: InstrumentId;
  readonly legs: readonly [ChangedLeg] | readonly [ChangedLeg, ChangedLeg];
}

/**
 * The legs that the fields say, or the first of their contradictions. `first`: as of `findForPlacement`. Source:
 * contract W3.
 */
export function gttAsked(
  deps: GatewayDeps,
  fields: GttFields,
  first: () => InstrumentId | undefined = () => undefined,
): GttAsked | Failure {
  const { OrderParams2: second } = fields;
  if (second === undefined && fields.value2 !== undefined) return missingField('OrderParams2');
  const one = legOf('value', fields.value, fields.OrderParams, fields);
  if ('status' in one) return one;
  const two = second === undefined ? undefined : legOf('value2', fields.value2, second, fields);
  if (two !== undefined && 'status' in two) return two;
  const { instruments, engine } = deps;
  const named = findForPlacement(instruments, fields.exchange, fields.tradingSymbol, engine.now(), first);
  if ('status' in named) return named;
  const { id, lot } = named;
  const leg = withScenario(deps, one, lot);
  if ('status' in leg) return leg;
  if (two === undefined) return { instrument: id, legs: [leg] };
  const other = withScenario(deps, two, lot);
  return 'status' in other ? other : { instrument: id, legs: [leg, other] };
}

function legOf(
  name: 'value' | 'value2',
  value: string | undefined,
  order: OrderFields,
  whole: GttFields,
): ChangedLeg | Failure {
  const trigger = value === undefined ? undefined : priceOf(name, value);
  if (typeof trigger === 'object') return trigger;
  if (trigger === 0) return badRequest(name, `${name} must be greater than 0`);
  if (order.exchange !== undefined && order.exchange !== whole.exchange) {
    return badRequest('exchange', 'exchange of the order is not that of the GTT');
  }
  if (order.tradingSymbol !== undefined && !sameSymbol(order.tradingSymbol, whole.tradingSymbol)) {
    return badRequest('tradingSymbol', 'tradingSymbol of the order is not that of the GTT');
  }
  const triggerPrice = isStopType(order.priceType) ? (order.triggerPrice ?? '0') : '0';
  const terms = orderTerms({ ...order, triggerPrice });
  if ('status' in terms) return terms;
  const leg = { side: order.transactionType, product: order.product, terms, remarks: order.remarks ?? '' };
  return trigger === undefined ? leg : { ...leg, trigger: trigger satisfies Price };
}

/** The leg with the outcome that its remarks ask for. A fired GTT answers no request whose answer could be lost. */
function withScenario({ scenarios }: GatewayDeps, leg: ChangedLeg, lot: Quantity): ChangedLeg | Failure {
  const scenario = scenarios === 'on' ? scenarioOf({ ...leg, lot }) : undefined;
  if (scenario === undefined) return leg;
  if ('status' in scenario) return scenario;
  return scenario.lostAnswer ? badRequest('remarks', NO_ANSWER) : { ...leg, scenario };
}

function sameSymbol(one: string, other: string): boolean {
  return asciiUpper(decodeSymbol(one)) === asciiUpper(decodeSymbol(other));
}

/** The failure of a command on GTTs that was refused. */
export function gttRefused(reply: Reply, userId: string): Failure {
  if (reply.type !== 'Refused') throw new Error(`a command on a GTT was answered ${reply.type}`);
  if (reply.refusal.rule === 'NumbersUsedUp') return decided(NUMBERS_USED_UP);
  return decided(badRequest(fieldOf(reply.refusal), refusalText(reply.refusal, { userId })));
}

function fieldOf({ rule }: Refusal): string {
  switch (rule) {
    case 'GttNotFound':
    case 'GttNotActive':
      return 'GTTid';
    case 'GttTriggerTooClose':
    case 'GttTriggersOnOneSide':
      return 'value';
    case 'GttTriggerMissing':
      return 'value2';
    case 'GttOfAnotherInstrument':
      return 'tradingSymbol';
    case 'IdempotencyKeyReused':
      return 'Idempotency-Key';
    default:
      return 'body';
  }
}
