/**
 * The operations that place one order, whether its instrument is open or waits for its next session. An order above the
 * freeze quantity may go in slices. A request that is sent again under its Idempotency-Key is placed once.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import type { Quantity } from '../../../base/money.ts';
import type { PlaceOrder } from '../../../core/command.ts';
import { type Submission, Unavailable } from '../../../engine/port.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayDeps, GatewayParts } from '../../deps.ts';
import { orderNumberText, t1 } from '../../fields/answers.ts';
import { badRequest } from '../../fields/envelope.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { type Caller, type Operation, operation, originOf, success } from '../../operation.ts';
import { outcomeOf } from './many-commands.ts';
import { digestOf, loseAnswer, notPlaced, ORDER_FIELDS, placed, placementOf } from './placement.ts';
import { keyOfPart } from './placement-keys.ts';
import { slicesOf } from './slices.ts';

const request = Type.Object({ ...SIGNED_IN, ...ORDER_FIELDS });
type Fields = Static<typeof request>;

const answer = success('Order details', Type.Object({ orderNumber: orderNumberText, requestTime: t1 }));
const slicedAnswer = success(
  'Order details',
  Type.Array(Type.Object({ orderNumber: orderNumberText, quantity: Type.String(), requestTime: t1 })),
);

/** Source: interface §placeOrder, contract 3.12, W6, W25. */
export const placeOrder = placing('/placeOrder', 'Place an order');

/**
 * An order by any of these names waits for the next session of an instrument that is closed, and goes to the exchange
 * at once while it is open. Source: contract section 4, market-rules R2.18.
 */
export const placeAMO = placing('/placeAMO', 'Place an order, for the next session of an instrument that is closed');
export const placeAfterMarketOrder = placing('/placeAfterMarketOrder', 'placeAMO by its other name');

function placing(path: string, summary: string): Operation {
  return operation({
    path,
    summary,
    request,
    rate: 'order',
    answer,
    slicedData: slicedAnswer.data,
    takesKey: true,
    handle: (deps, fields, caller): Answer | Promise<Answer> => {
      const command = placementOf(deps, fields, caller, caller.idempotencyKey);
      if ('status' in command) return command;
      const submission = { command: withKey(command, fields, caller), origin: originOf(caller) };
      return deps.slicing === 'on'
        ? placeSliced(deps, submission, fields, caller)
        : place(deps, submission, fields, caller);
    },
  });
}

function withKey(command: PlaceOrder, fields: Fields, { idempotencyKey: key }: Caller): PlaceOrder {
  return key === undefined ? command : { ...command, idempotency: { key, bodyDigest: digestOf(fields) } };
}

interface Placement extends Submission {
  readonly command: PlaceOrder;
}

function place(deps: GatewayDeps, placement: Placement, { userId }: Fields, caller: Caller): Promise<Answer> {
  return deps.engine.submit(placement).then((reply) => {
    loseAnswer(caller, [placement.command], [reply]);
    return reply.type === 'OrderPlaced' ? answer.write(placed(reply)) : notPlaced(reply, userId);
  });
}

/**
 * Places an order above the freeze quantity in slices, in the order of the queue; one within it as it is. Each slice is
 * an order of the account's rate. A slice that the engine has no room for, or refuses, is not in the answer; it is the
 * answer when no slice was placed. Source: market-rules R1.29, R9.2.
 */
async function placeSliced(deps: GatewayParts, placement: Placement, fields: Fields, caller: Caller): Promise<Answer> {
  const { command, origin } = placement;
  const instrument = must(deps.instruments.get(command.instrument), 'an instrument that was found is there');
  const slices = slicesOf(command.terms.quantity, instrument);
  if (slices === undefined) return badRequest('quantity', 'quantity needs more than 10 slices');
  if (slices.length === 1) return place(deps, placement, fields, caller);
  const commands = slices.map((quantity, index) => sliceOf(command, quantity, index));
  const tooMany = deps.orderRates.takeOtherSlices(commands, deps.wall());
  if (tooMany !== undefined) return tooMany;
  const replies = commands.map((slice) => outcomeOf(deps.engine.submit({ command: slice, origin })));
  const outcomes = await Promise.all(replies);
  loseAnswer(caller, commands, outcomes);
  const rows = [];
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome instanceof Unavailable || outcome.type !== 'OrderPlaced') continue;
    rows.push({ ...placed(outcome), quantity: String(slices[index]) });
  }
  if (rows.length > 0) return slicedAnswer.write(rows);
  const first = must(outcomes[0], 'an order has a slice');
  if (first instanceof Unavailable) throw first;
  return notPlaced(first, fields.userId);
}

/** A slice is its own order; a retry under the same key finds each slice again. */
function sliceOf(command: PlaceOrder, quantity: Quantity, index: number): PlaceOrder {
  const { idempotency, terms } = command;
  const slice = { ...command, terms: { ...terms, quantity } };
  if (idempotency === undefined) return slice;
  return { ...slice, idempotency: { ...idempotency, key: keyOfPart(idempotency.key, 'slice', index + 1) } };
}
