/**
 * The terms of an order as a request states them: price type, price, trigger, retention and protection. Finds
 * contradictions between the fields; whether the market takes the terms is decided in the core.
 */

import { must } from '../../base/assert.ts';
import { parsePrice, parseQuantity } from '../../base/decimal.ts';
import { type Price, ZERO_PRICE } from '../../base/money.ts';
import {
  type OrderTerms,
  PRICE_TYPES,
  type PriceType,
  type ProtectionE4,
  RETENTIONS,
  type Retention,
} from '../../core/order.ts';
import { badRequest, type Failure } from './envelope.ts';

/** The fields of an order that bear on each other; the grammar of each is already checked. */
export interface TermsFields {
  readonly priceType: PriceType;
  readonly retention: Retention;
  readonly price: string;
  readonly triggerPrice?: string;
  readonly quantity: string;
}

/** True for the types that go to the market at its price. */
export function isMarketType(priceType: unknown): boolean {
  return priceType === 'MKT' || priceType === 'SL-MKT';
}

/** True for the types that wait for a trigger. */
export function isStopType(priceType: unknown): boolean {
  return priceType === 'SL-LMT' || priceType === 'SL-MKT';
}

/** Every pair of price type and retention that a request may have. Source: market-rules R3.2. */
export const TERMS_WORDS = PRICE_TYPES.flatMap((priceType) =>
  RETENTIONS.map((retention) => ({ priceType, retention })).filter((words) => !isImmediateStop(words)),
);

function isImmediateStop({ priceType, retention }: Pick<OrderTerms, 'priceType' | 'retention'>): boolean {
  return isStopType(priceType) && retention === 'IOC';
}

/**
 * The terms that the fields say, or the first contradiction between them: price, then trigger, then retention.
 * Source: contract W6, market-rules R3.2.
 */
export function orderTerms(fields: TermsFields): OrderTerms | Failure {
  const { priceType, retention } = fields;
  const price = priceOf('price', fields.price);
  if (typeof price !== 'number') return price;
  const trigger = priceOf('triggerPrice', fields.triggerPrice ?? '0');
  if (typeof trigger !== 'number') return trigger;
  const failure = contradiction(priceType, retention, price, trigger);
  if (failure) return failure;
  const quantity = must(parseQuantity(fields.quantity), 'a quantity passed its grammar and is none');
  return { priceType, retention, quantity, price, trigger };
}

/** A price in paise; text finer than a paisa is refused, since no tick is. */
export function priceOf(field: string, text: string): Price | Failure {
  if (text === '0') return ZERO_PRICE;
  return parsePrice(text) ?? badRequest(field, `${field} is finer than a paisa`);
}

function contradiction(priceType: PriceType, retention: Retention, price: Price, trigger: Price): Failure | undefined {
  const market = isMarketType(priceType);
  const stop = isStopType(priceType);
  if (market && price !== 0) return badRequest('price', `price must be 0 for ${priceType}`);
  if (!market && price === 0) return badRequest('price', `price must be greater than 0 for ${priceType}`);
  if (stop && trigger === 0) return badRequest('triggerPrice', `triggerPrice must be greater than 0 for ${priceType}`);
  if (!stop && trigger !== 0) return badRequest('triggerPrice', `triggerPrice must be 0 for ${priceType}`);
  if (isImmediateStop({ priceType, retention }))
    return badRequest('retention', `retention must be DAY for ${priceType}`);
  return undefined;
}

/** A percentage of at most four decimals in ten-thousandths of a percent; `undefined` below 0. */
export function parseProtection(text: string): ProtectionE4 | undefined {
  const match = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(text);
  if (!match) return undefined;
  const value = Number(match[2]) * 10_000 + Number((match[3] ?? '').padEnd(4, '0'));
  return match[1] === '-' && value !== 0 ? undefined : value;
}
