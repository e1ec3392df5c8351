/**
 * The orders that a client asks margins for: their fields, their check and their meaning inside. The operations are
 * `order-margin.ts` and `basket-margin.ts`; the margin itself is worked out in the core.
 */

import { must } from '../../../base/assert.ts';
import { parseQuantity } from '../../../base/decimal.ts';
import { type Exchange, exchangeOf } from '../../../base/ids.ts';
import { type Price, ZERO_PRICE } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Account } from '../../../core/account.ts';
import { refuseNotEnabled } from '../../../core/broker/account/risk-group.ts';
import { onlyCloses } from '../../../core/broker/orders/reduction.ts';
import { neverPlaced, type OrderQuestion } from '../../../core/broker/trials/basket-margin.ts';
import type { PriceType, Product, Side } from '../../../core/order.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import type { GatewayDeps } from '../../deps.ts';
import { badRequest, type Failure } from '../../fields/envelope.ts';
import { exchange, optional, price, priceType, product, quantity, side, tradingSymbol } from '../../fields/fields.ts';
import { isMarketType, isStopType, priceOf } from '../../fields/order-terms.ts';
import { findInstrument, NOT_TRADED } from '../../fields/symbols.ts';

/**
 * The fields of an order whose margin is asked for. The trigger is beyond the interface: adapters send one. Source:
 * interface §basketMargin, contract 3.20.
 */
export const QUESTION_FIELDS = {
  exchange: exchange(),
  transactionType: side(),
  product: product(),
  tradingSymbol: tradingSymbol(),
  quantity: quantity(),
  priceType: priceType(),
  price: price({ description: 'passed over for market types' }),
  triggerPrice: optional(price({ description: 'of a stop, which is measured as a plain order without it' })),
};

export interface QuestionFields {
  readonly exchange: Exchange;
  readonly transactionType: Side;
  readonly product: Product;
  readonly tradingSymbol: string;
  readonly quantity: string;
  readonly priceType: PriceType;
  readonly price: string;
  readonly triggerPrice?: string;
}

/**
 * A limit needs a price. The price of a market type is passed over, and so is a trigger, but that of a stop. Source:
 * contract W6.
 */
export function contradictionOf(fields: QuestionFields): Failure | undefined {
  const prices = askedPrices(fields);
  if ('status' in prices) return prices;
  if (prices.price > 0 || isMarketType(fields.priceType)) return undefined;
  return badRequest('price', `price must be greater than 0 for ${fields.priceType}`);
}

/** In paise: a market type has the price 0, and only a stop a trigger, which is 0 where it is not given. */
function askedPrices(fields: QuestionFields): { readonly price: Price; readonly trigger: Price } | Failure {
  const { priceType, triggerPrice = '0' } = fields;
  const price = isMarketType(priceType) ? ZERO_PRICE : priceOf('price', fields.price);
  if (typeof price !== 'number') return price;
  const trigger = isStopType(priceType) ? priceOf('triggerPrice', triggerPrice) : ZERO_PRICE;
  return typeof trigger === 'number' ? { price, trigger } : trigger;
}

/** A stop is placed with its trigger. Without one it is measured as the order that it becomes. */
function askedType(priceType: PriceType, trigger: Price): PriceType {
  if (trigger > 0) return priceType;
  return isMarketType(priceType) ? 'MKT' : 'LMT';
}

/**
 * The order that consistent fields ask about, or the failure for an instrument that is unknown or has no orders, or
 * none of this product.
 */
export function questionOf(
  deps: GatewayDeps,
  userId: string,
  fields: QuestionFields,
  at: EpochMs,
): OrderQuestion | Failure {
  const named = findInstrument(deps.instruments, fields.exchange, fields.tradingSymbol, at);
  if ('status' in named) return named;
  if (named.instrument.kind === 'index') return NOT_TRADED;
  const refusal = neverPlaced(fields.product, named.instrument);
  if (refusal !== undefined) return badRequest('product', refusalText(refusal, { userId }));
  const prices = askedPrices(fields);
  if ('status' in prices) return prices;
  return {
    instrument: named.instrument.id,
    side: fields.transactionType,
    product: fields.product,
    terms: {
      priceType: askedType(fields.priceType, prices.trigger),
      retention: 'DAY',
      quantity: must(parseQuantity(fields.quantity), 'a quantity passed its grammar and is none'),
      ...prices,
    },
  };
}

/**
 * The failure for the first order of a product or an exchange that is not enabled for the account: it has no margin,
 * unless it and those before it only close what the account holds. Source: market-rules R3.5 (row 5).
 */
export function notEnabledFor(account: Account, questions: readonly OrderQuestion[]): Failure | undefined {
  for (const [place, { product, instrument, side }] of questions.entries()) {
    const refusal = refuseNotEnabled(account, product, exchangeOf(instrument));
    if (refusal === undefined) continue;
    const row = { product, instrument, side, units: unitsUpTo(questions, place) };
    if (!onlyCloses(account, row)) return badRequest('product', refusalText(refusal, account));
  }
  return undefined;
}

/** The units of an order and of those before it that are on its side of its row. */
function unitsUpTo(questions: readonly OrderQuestion[], last: number): number {
  const { instrument, product, side } = must(questions[last], 'an order of the list');
  let units = 0;
  for (const one of questions.slice(0, last + 1)) {
    if (one.instrument === instrument && one.product === product && one.side === side) units += one.terms.quantity;
  }
  return units;
}
