/**
 * The operation `/modifyOrder`: the fields that the interface wants of a modification. `modification.ts` carries it
 * out.
 */

import Type from 'typebox';
import type { Answer } from '../../answer.ts';
import { anyText, orderNumberText, t1 } from '../../fields/answers.ts';
import type { Failure } from '../../fields/envelope.ts';
import {
  decimal,
  exchange,
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
import { isMarketType } from '../../fields/order-terms.ts';
import type { Picked } from '../../fields/request.ts';
import { operation, success } from '../../operation.ts';
import { MODIFIED_PROTECTION_INVALID, type Modified, modify, triggerNeeded } from './modification.ts';

const request = Type.Object({
  ...SIGNED_IN,
  orderNumber: orderNumber(),
  exchange: optional(exchange()),
  product: product(),
  priceType: priceType(),
  tradingSymbol: tradingSymbol(),
  mkt_protection: optional(decimal(MODIFIED_PROTECTION_INVALID)),
  price: optional(price({ description: '0 for market orders' })),
  quantity: optional(quantity()),
  triggerPrice: optional(price({ description: 'needed for stops, 0 for others' })),
  retention: retention(),
});

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
    const modified = modify(deps, fields, caller);
    return modified instanceof Promise ? modified.then(write) : write(modified);
  },
});

/** Source: interface §modifyOrder, contract W3. */
function needs(picked: Picked): string[] {
  return [...(isMarketType(picked.priceType) ? ['mkt_protection'] : []), ...triggerNeeded(picked)];
}

function write(modified: Modified | Failure): Answer {
  return 'status' in modified ? modified : answer.write({ ...modified, remarks: '' });
}
