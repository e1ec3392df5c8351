/**
 * The operation `/placeGttOrder`: turns the fields of a request into a GTT with one leg or two. A request that is sent
 * again under its Idempotency-Key is placed once. The core decides whether it is taken.
 */

import Type from 'typebox';
import type { AccountId, GttNumber, InstrumentId } from '../../../base/ids.ts';
import type { AskedLeg, ChangedLeg, PlaceGtt } from '../../../core/broker/gtt/gtt-commands.ts';
import { replyKey } from '../../../core/state.ts';
import type { EnginePort } from '../../../engine/port.ts';
import type { Answer } from '../../answer.ts';
import { gttIdText, t1 } from '../../fields/answers.ts';
import { missingField } from '../../fields/envelope.ts';
import { optional } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { operation, originOf, success } from '../../operation.ts';
import { digestOf } from '../orders/placement.ts';
import { GTT_FIELDS, type GttAsked, gttAsked, gttRefused, triggerValue } from './gtt-fields.ts';

const answer = success('GTT order placed successfully', Type.Object({ GTTid: gttIdText, requestTime: t1 }));

/** Source: docs/rules/wire-gtt.md, contract W25. */
export const placeGttOrder = operation({
  path: '/placeGttOrder',
  summary: 'Place an order that waits for a price over days, or two of which one is placed',
  request: Type.Object({
    ...GTT_FIELDS,
    value: triggerValue('the last traded price at which the order is placed'),
    value2: optional(triggerValue('the same for the second leg, on the other side of the last price')),
  }),
  rate: 'order',
  answer,
  takesKey: true,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const { account, idempotencyKey: key } = caller;
    const asked = gttAsked(deps, fields, () => instrumentUnder(deps.engine, account, key));
    if ('status' in asked) return asked;
    const legs = withTriggers(asked);
    if (legs === undefined) return missingField('value2');
    const { instrument } = asked;
    const unkeyed = { type: 'PlaceGtt', account, instrument, legs, remarks: fields.remarks ?? '' } as const;
    const command = key === undefined ? unkeyed : { ...unkeyed, idempotency: { key, bodyDigest: digestOf(fields) } };
    return deps.engine.submit({ command, origin: originOf(caller) }).then((reply) => {
      if (reply.type !== 'GttPlaced') return gttRefused(reply, fields.userId);
      return answer.write({ GTTid: String(reply.gtt), requestTime: formatT1(reply.at) });
    });
  },
});

/** The instrument of the GTT that was placed under a key. */
function instrumentUnder(engine: EnginePort, account: AccountId, key: string | undefined): InstrumentId | undefined {
  if (key === undefined) return undefined;
  return engine.glance(({ replies, gtts }) => {
    const before = replies.get(replyKey(account, key));
    return before && gtts.get(before.order as number as GttNumber)?.instrument;
  });
}

/** The legs when each has a trigger. */
function withTriggers({ legs: [one, two] }: GttAsked): PlaceGtt['legs'] | undefined {
  if (!hasTrigger(one)) return undefined;
  if (two === undefined) return [one];
  return hasTrigger(two) ? [one, two] : undefined;
}

function hasTrigger(leg: ChangedLeg): leg is AskedLeg {
  return leg.trigger !== undefined;
}
