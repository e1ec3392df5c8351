import Type from 'typebox';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { Answer } from '../../answer.ts';
import { integer, t1 } from '../../fields/answers.ts';
import { badRequest, decided } from '../../fields/envelope.ts';
import { exchange, optional, price, remarks, SIGNED_IN, tradingSymbol } from '../../fields/fields.ts';
import { priceOf } from '../../fields/order-terms.ts';
import { findInstrument } from '../../fields/symbols.ts';
import { formatT1 } from '../../fields/times.ts';
import { WAYS } from '../../fields/trigger-ways.ts';
import { operation, originOf, success } from '../../operation.ts';

const answer = success('Alert details', Type.Object({ alertId: integer, requestTime: t1 }));
const NO_PRICE = badRequest('price', 'price must be greater than 0');

/** Waits once for a last traded price, also of an index. Source: docs/rules/wire-lists.md. */
export const placeAlert = operation({
  path: '/placeAlert',
  summary: 'Place a price alert',
  request: Type.Object({
    ...SIGNED_IN,
    exchange: exchange(),
    tradingSymbol: tradingSymbol(),
    condition: Type.Enum(['ABOVE', 'BELOW'], {
      'x-invalid': 'condition must be ABOVE or BELOW',
      description: 'the last traded price is at the price or above it, at the price or below it',
    }),
    price: price(),
    remarks: optional(remarks()),
  }),
  rate: 'other',
  answer,
  handle: async (deps, fields, caller): Promise<Answer> => {
    const at = priceOf('price', fields.price);
    if (typeof at !== 'number') return at;
    if (at === 0) return NO_PRICE;
    const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, deps.engine.now());
    if ('status' in named) return named;
    const command = {
      type: 'PlaceAlert',
      account: caller.account,
      instrument: named.instrument.id,
      way: WAYS[fields.condition],
      price: at,
      remarks: fields.remarks ?? '',
    } as const;
    const reply = await deps.engine.submit({ command, origin: originOf(caller) });
    if (reply.type === 'AlertPlaced') {
      return answer.write({ alertId: String(reply.alert), requestTime: formatT1(reply.at) });
    }
    if (reply.type !== 'Refused') throw new Error(`placeAlert was answered ${reply.type}`);
    return decided(badRequest('alert', refusalText(reply.refusal, { userId: fields.userId })));
  },
});
