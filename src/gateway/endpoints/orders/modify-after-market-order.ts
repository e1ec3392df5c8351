/**
 * The operations `/modifyAMO` and `/modifyAfterMarketOrder`: a modification with fewer fields than `/modifyOrder`
 * wants. `modification.ts` carries it out.
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
import { type Operation, operation, success } from '../../operation.ts';
import { MODIFIED_PROTECTION_INVALID, type Modified, modify, triggerNeeded } from './modification.ts';

const request = Type.Object({
  ...SIGNED_IN,
  orderNumber: orderNumber(),
  quantity: optional(quantity()),
  price: optional(price({ description: '0 for market orders' })),
  priceType: priceType(),
  product: product(),
  triggerPrice: optional(price({ description: 'needed for stops, 0 for others' })),
  mkt_protection: optional(decimal(MODIFIED_PROTECTION_INVALID)),
  exchange: optional(exchange()),
  tradingSymbol: optional(tradingSymbol()),
  retention: optional(retention()),
});

const answer = success(
  'Order modification details',
  Type.Object({
    orderNumber: orderNumberText,
    rejreason: Type.Optional(anyText('why the order is as it was; absent when it was modified')),
    requestTime: t1,
  }),
);

/**
 * A modification that names neither symbol nor retention: the order keeps its own, and a market order its usual
 * protection. It takes any open order, one that waits for its session among them. Source: contract section 4,
 * market-rules R2.18, R3.20.
 */
export const modifyAMO = modifying('/modifyAMO', 'Modify an order that waits for its session, or an open one');
export const modifyAfterMarketOrder = modifying('/modifyAfterMarketOrder', 'modifyAMO by its other name');

function modifying(path: string, summary: string): Operation {
  return operation({
    path,
    summary,
    request,
    needs: triggerNeeded,
    rate: 'amend',
    answer,
    handle: (deps, fields, caller): Answer | Promise<Answer> => {
      const modified = modify(deps, fields, caller);
      return modified instanceof Promise ? modified.then(write) : write(modified);
    },
  });
}

function write(modified: Modified | Failure): Answer {
  return 'status' in modified ? modified : answer.write(modified);
}
