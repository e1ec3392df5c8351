/**
 * The operation `/productConversion`: moves units of a position from one product to another. It reads the fields; the
 * core decides on the conversion.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { parseQuantity } from '../../../base/decimal.ts';
import type { Quantity } from '../../../base/money.ts';
import type { ConvertPosition } from '../../../core/command.ts';
import type { Instrument } from '../../../core/instrument.ts';
import type { Product } from '../../../core/order.ts';
import { convertibleQuantity } from '../../../core/query.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import { accountOf } from '../../../core/state.ts';
import type { Submission } from '../../../engine/port.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayDeps } from '../../deps.ts';
import { anyText, t1 } from '../../fields/answers.ts';
import { digits, exchange, optional, product, quantity, SIGNED_IN, tradingSymbol } from '../../fields/fields.ts';
import { findInstrument } from '../../fields/symbols.ts';
import { formatT1 } from '../../fields/times.ts';
import { type Caller, operation, originOf, success } from '../../operation.ts';

const request = Type.Object({
  ...SIGNED_IN,
  product: product({ description: 'the product wished for' }),
  tradingSymbol: tradingSymbol(),
  exchange: exchange(),
  previousProduct: optional(product({ 'x-invalid': 'previousProduct must be C, M or I' })),
  quantity: optional(quantity()),
  msgFlag: optional(
    digits('^[1-4]$', {
      'x-invalid': 'msgFlag must be 1, 2, 3 or 4',
      description: '1 Buy and Day (when absent), 2 Buy and CF, 3 Sell and Day, 4 Sell and CF',
    }),
  ),
});
type Fields = Static<typeof request>;

const answer = success(
  'Partial position conversion info fetched',
  Type.Object({ Status: anyText('ok, or why the position is as it was'), requestTime: t1 }),
);

/** Source: interface §productConversion, contract 3.19, market-rules R5.13 to R5.17. */
export const productConversion = operation({
  path: '/productConversion',
  summary: 'Convert the product of a position',
  request,
  rate: 'other',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, deps.engine.now());
    if ('status' in named) return named;
    const command = commandOf(deps, fields, caller, named.instrument);
    return convert(deps, { command, origin: originOf(caller) }, fields);
  },
});

async function convert(deps: GatewayDeps, conversion: Submission, { userId }: Fields): Promise<Answer> {
  const reply = await deps.engine.submit(conversion);
  if (reply.type === 'PositionConverted') return answer.write({ Status: 'ok', requestTime: formatT1(reply.at) });
  if (reply.type !== 'Refused') throw new Error(`productConversion was answered ${reply.type}`);
  return answer.write({ Status: refusalText(reply.refusal, { userId }), requestTime: formatT1(reply.at) });
}

function commandOf(deps: GatewayDeps, fields: Fields, caller: Caller, instrument: Instrument): ConvertPosition {
  const flag = fields.msgFlag ?? '1';
  const from = fields.previousProduct ?? usualOrigin(fields.product, instrument);
  const command = {
    type: 'ConvertPosition',
    account: caller.account,
    instrument: instrument.id,
    from,
    to: fields.product,
    side: flag === '1' || flag === '2' ? 'B' : 'S',
    age: flag === '1' || flag === '3' ? 'day' : 'carried',
  } as const;
  return { ...command, quantity: quantityOf(deps, fields, command, instrument) };
}

/** The product that a conversion to `target` comes from when the request does not say. */
function usualOrigin(target: Product, instrument: Instrument): Product {
  if (target !== 'I') return 'I';
  return instrument.kind === 'equity' ? 'C' : 'M';
}

/**
 * The quantity asked for; without one, all that may be converted. One unit when there is nothing: the books will refuse
 * it.
 */
function quantityOf(
  deps: GatewayDeps,
  fields: Fields,
  command: Omit<ConvertPosition, 'quantity'>,
  instrument: Instrument,
): Quantity {
  if (fields.quantity !== undefined) return must(parseQuantity(fields.quantity), 'a quantity passed its grammar');
  const most = deps.engine.glance((state) => {
    const account = accountOf(state, command.account);
    return convertibleQuantity(account, deps.instruments, instrument, command);
  });
  return Math.max(1, most) as Quantity;
}
