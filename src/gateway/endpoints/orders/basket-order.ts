/**
 * The operation `/basketOrder`: places several orders, in the order given. They are orders of their own: the risk desk
 * and the exchange judge each, and one that is rejected takes none of the others back.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import type { PlaceOrder } from '../../../core/command.ts';
import { Unavailable } from '../../../engine/port.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, listOf, orderNumberOrBlank, t1 } from '../../fields/answers.ts';
import { type Failure, UNAVAILABLE } from '../../fields/envelope.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { type Caller, operation, success } from '../../operation.ts';
import { type Outcome, submitEach } from './many-commands.ts';
import { digestOf, loseAnswer, notPlaced, ORDER_FIELDS, placed, placementsOf } from './placement.ts';
import { keyOfPart } from './placement-keys.ts';

/** Source: contract W14. */
export const MOST_LEGS = 50;

const request = Type.Object({
  ...SIGNED_IN,
  legs: Type.Array(Type.Object(ORDER_FIELDS), {
    maxItems: MOST_LEGS,
    'x-part': 'leg',
    'x-invalid': `legs must be an array of at most ${MOST_LEGS} orders`,
  }),
});
type Fields = Static<typeof request>;

const answer = success(
  'Basket order details',
  listOf(
    Type.Object({
      orderNumber: orderNumberOrBlank('blank for a leg that was not taken'),
      rejreason: Type.Optional(anyText('why the leg was not taken; absent when it was')),
      requestTime: t1,
    }),
  ),
);

/** Source: contract section 4, W13, W14, W25. */
export const basketOrder = operation({
  path: '/basketOrder',
  summary: 'Place several orders',
  request,
  rate: 'order',
  answer,
  takesKey: true,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const legs = legsOf(deps, fields, caller);
    if ('status' in legs) return legs;
    const tooMany = deps.orderRates.takeBasket(caller.account, legs, deps.wall());
    return tooMany ?? place(deps, legs, fields, caller);
  },
});

/** The commands of the legs, or the first failure: then none is placed. */
function legsOf(deps: GatewayParts, fields: Fields, caller: Caller): readonly PlaceOrder[] | Failure {
  const { idempotencyKey: key } = caller;
  if (key === undefined) return placementsOf(deps, fields.legs, caller, 'leg');
  const keyOf = (place: number): string => keyOfPart(key, 'leg', place);
  const commands = placementsOf(deps, fields.legs, caller, 'leg', keyOf);
  if ('status' in commands) return commands;
  const bodyDigest = digestOf(fields);
  return commands.map((command, index) => withKey(command, keyOf(index + 1), bodyDigest));
}

/** Each leg has a key of its own, so that a retry finds those that were placed and places the others. */
function withKey(command: PlaceOrder, key: string, bodyDigest: string): PlaceOrder {
  return { ...command, idempotency: { key, bodyDigest } };
}

/** Under a key the first leg goes alone: where the key was used for another request, no other leg is placed. */
async function place(
  parts: GatewayParts,
  legs: readonly PlaceOrder[],
  { userId }: Fields,
  caller: Caller,
): Promise<Answer> {
  const alone = legs[0]?.idempotency === undefined ? 0 : 1;
  const first = await submitEach(parts, caller, legs.slice(0, alone));
  const others = first.every(isPlaced) ? await submitEach(parts, caller, legs.slice(alone)) : [];
  const outcomes = [...first, ...others];
  loseAnswer(caller, legs, outcomes);
  const requestTime = formatT1(parts.engine.now());
  if (outcomes.some(isPlaced)) return answer.write(outcomes.map((outcome) => rowOf(outcome, requestTime)));
  const refusal = must(outcomes[0], 'a basket has a leg');
  if (refusal instanceof Unavailable) throw refusal;
  return notPlaced(refusal, userId);
}

function isPlaced(outcome: Outcome): boolean {
  return !(outcome instanceof Unavailable) && outcome.type === 'OrderPlaced';
}

function rowOf(outcome: Outcome, requestTime: string) {
  if (!(outcome instanceof Unavailable) && outcome.type === 'OrderPlaced') return placed(outcome);
  return { orderNumber: '', rejreason: UNAVAILABLE.message, requestTime };
}
