/**
 * The operation `/brokerageCalculator`: the charges of one order as if it were executed. It places no order and charges
 * nothing; the charges are worked out in the core.
 */

import Type from 'typebox';
import { must } from '../../../base/assert.ts';
import { parseQuantity } from '../../../base/decimal.ts';
import { paise } from '../../../base/money.ts';
import { istDay } from '../../../base/time.ts';
import { tradeClassOf } from '../../../core/charges/charge-rates.ts';
import { type ExactAmount, shownRupees, sumOf } from '../../../core/charges/exact-amount.ts';
import { orderCharges } from '../../../core/charges/order-charges.ts';
import { plain } from '../../fields/answers.ts';
import { badRequest } from '../../fields/envelope.ts';
import {
  decimal,
  exchange,
  optional,
  price,
  product,
  quantity,
  SIGNED_IN,
  side,
  text,
  tradingSymbol,
} from '../../fields/fields.ts';
import { priceOf } from '../../fields/order-terms.ts';
import { findInstrument, NOT_TRADED } from '../../fields/symbols.ts';
import { operation, success } from '../../operation.ts';

const rupees = plain('^[0-9]+\\.[0-9]{4}$', 'rupees, four decimals');

const answer = success(
  'Brokerage Data',
  Type.Object({
    brokerage: rupees,
    exchange_charge: rupees,
    gst: rupees,
    sebi_charge: rupees,
    stamp_duty: rupees,
    remarks: plain('^$'),
  }),
);

const OF_THE_MASTER = { description: 'may be sent; the master says it' };

/** Text, as the clients of three languages read it. Source: contract section 4. */
function rupeesText(amount: ExactAmount): string {
  return shownRupees(amount).toFixed(4);
}

/**
 * The charges of one order as if it were executed at a price, in rupees and not yet rounded as on the contract note.
 * Source: contract section 4, market-rules 6.1, 6.2.
 */
export const brokerageCalculator = operation({
  path: '/brokerageCalculator',
  summary: 'Charges of one executed order',
  request: Type.Object({
    ...SIGNED_IN,
    exchange: exchange(),
    tradingSymbol: tradingSymbol(),
    transactionType: side(),
    Product: product(),
    quantity: quantity(),
    price: price(),
    strike_price: optional(decimal('Invalid strike_price')),
    inst_name: optional(text(16, OF_THE_MASTER)),
    lot_size: optional(decimal('Invalid lot_size')),
  }),
  rate: 'other',
  answer,
  handle: (deps, fields) => {
    const at = deps.engine.now();
    const unitPrice = priceOf('price', fields.price);
    if (typeof unitPrice !== 'number') return unitPrice;
    if (unitPrice === 0) return badRequest('price', 'price must be greater than 0');
    const units = must(parseQuantity(fields.quantity), 'a quantity passed its grammar and is none');
    if (!Number.isSafeInteger(unitPrice * units)) return badRequest('quantity', 'the value of the order is too large');
    const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, at);
    if ('status' in named) return named;
    const { kind } = named.instrument;
    if (kind === 'index') return NOT_TRADED;
    const charges = orderCharges(deps.charges.on(istDay(at)), {
      exchange: fields.exchange,
      tradeClass: tradeClassOf(kind, fields.Product),
      side: fields.transactionType,
      amount: paise(unitPrice * units),
    });
    return answer.write({
      brokerage: rupeesText(charges.brokerage),
      exchange_charge: rupeesText(sumOf(charges.transaction, charges.investorProtection)),
      gst: rupeesText(charges.gst),
      sebi_charge: rupeesText(charges.sebi),
      stamp_duty: rupeesText(charges.stamp),
      remarks: '',
    });
  },
});
