/**
 * The operation `/basketOrder`: places several orders, in the order given. They are orders of their own: the risk desk
 * and the exchange judge each, and one that is rejected takes none of the others back.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { exchangeOf } from '../../../base/ids.ts';
import type { PlaceOrder } from '../../../core/command.ts';
import type { Reply } from '../../../core/reply.ts';
import { type Origin, Unavailable } from '../../../engine/port.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, listOf, plain, t1 } from '../../fields/answers.ts';
import { type Failure, UNAVAILABLE } from '../../fields/envelope.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { type Caller, operation, originOf, success } from '../../operation.ts';
import { contradictionOf, digestOf, notPlaced, ORDER_FIELDS, outcomeOf, placed, placementOf } from './placement.ts';

/** Source: contract W14. */
const MOST_LEGS = 50;

const request = Type.Object({
  ...SIGNED_IN,
  legs: Type.Array(Type.Object(ORDER_FIELDS), {
    maxItems: MOST_LEGS,
    'x-invalid': `legs must be an array of at most ${MOST_LEGS} orders`,
  }),
});
type Fields = Static<typeof request>;

const answer = success(
  'Basket order details',
  listOf(
    Type.Object({
      orderNumber: plain('^([0-9]{14})?$', 'blank for a leg that was not taken'),
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
    const segments = legs.map(({ instrument }) => exchangeOf(instrument));
    const tooMany = deps.orderRates.takeBasket(caller.account, segments, deps.wall());
    return tooMany ?? place(deps, legs, fields, originOf(caller));
  },
});

/**
 * The commands of the legs, or the first failure: then none is placed. Every leg's own contradictions come before any
 * unknown instrument. Source: contract W3.
 */
function legsOf(deps: GatewayParts, fields: Fields, caller: Caller): readonly PlaceOrder[] | Failure {
  for (const leg of fields.legs) {
    const failure = contradictionOf(leg);
    if (failure !== undefined) return failure;
  }
  const { idempotencyKey: key } = caller;
  const bodyDigest = key === undefined ? '' : digestOf(fields);
  const commands: PlaceOrder[] = [];
  for (const leg of fields.legs) {
    const command = placementOf(deps, leg, caller);
    if ('status' in command) return command;
    const place = commands.length + 1;
    const ownKey = place === 1 ? key : `${key} leg ${place}`;
    commands.push(ownKey === undefined || key === undefined ? command : withKey(command, ownKey, bodyDigest));
  }
  return commands;
}

/** Each leg has a key of its own, so that a retry finds those that were placed and places the others. */
function withKey(command: PlaceOrder, key: string, bodyDigest: string): PlaceOrder {
  return { ...command, idempotency: { key, bodyDigest } };
}

/** Under a key the first leg goes alone: where the key was used for another request, no other leg is placed. */
async function place(
  { engine }: GatewayParts,
  legs: readonly PlaceOrder[],
  { userId }: Fields,
  origin: Origin,
): Promise<Answer> {
  const submit = (command: PlaceOrder) => outcomeOf(engine.submit({ command, origin }));
  const [first, ...others] = legs;
  const outcomes = [submit(must(first, 'a basket has a leg'))];
  if (first?.idempotency !== undefined && !isPlaced(await must(outcomes[0], 'the first leg'))) others.length = 0;
  outcomes.push(...others.map(submit));
  const settled = await Promise.all(outcomes);
  if (settled.some(isPlaced)) return answer.write(settled.map((outcome) => rowOf(outcome, formatT1(engine.now()))));
  const refusal = must(settled[0], 'a basket has a leg');
  if (refusal instanceof Unavailable) throw refusal;
  return notPlaced(refusal, userId);
}

function isPlaced(outcome: Reply | Unavailable): boolean {
  return !(outcome instanceof Unavailable) && outcome.type === 'OrderPlaced';
}

function rowOf(outcome: Reply | Unavailable, requestTime: string) {
  if (!(outcome instanceof Unavailable) && outcome.type === 'OrderPlaced') return placed(outcome);
  return { orderNumber: '', rejreason: UNAVAILABLE.message, requestTime };
}
