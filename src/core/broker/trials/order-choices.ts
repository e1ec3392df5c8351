/**
 * The choices that an order in one instrument has now: the products, and the price types with their retentions. The
 * checks of admission themselves are asked, with a wish that placing would make; nothing is listed here.
 */

import type { AccountId } from '../../../base/ids.ts';
import { ZERO_PRICE } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Instrument } from '../../instrument.ts';
import type { PriceBand } from '../../market.ts';
import { type OrderTerms, PRODUCTS, type Product, type Side } from '../../order.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { State } from '../../state.ts';
import { refusalOf } from '../orders/admission.ts';
import type { OrderWish } from '../orders/order-wish.ts';
import { placementWish } from '../orders/orders.ts';

/** A price type with a retention. */
export type TermsWords = Pick<OrderTerms, 'priceType' | 'retention'>;

export interface OrderChoices {
  /** The products of which one lot is taken, on at least one side. */
  readonly products: readonly Product[];
  /** Those of the asked words that are taken now. */
  readonly terms: readonly TermsWords[];
  /** The range that prices must lie in now, or on the day that the order waits for; absent for an index. */
  readonly band?: PriceBand;
  /** The trading day that an order which comes now waits for at the broker; absent when it goes to the exchange. */
  readonly waitsFor?: IstDay;
  /** The reason why no order is taken, whatever its figures; absent when one is. */
  readonly refusal?: Refusal;
}

/** Makes the wish to place one lot without a price, which the checks of choices do not look at. */
type WishOf = (words: TermsWords, product?: Product, side?: Side) => OrderWish;

const PLAIN: TermsWords = { priceType: 'LMT', retention: 'DAY' };

/** A word with its refusal, or with nothing when it is taken. */
type Judged<T> = readonly [word: T, refusal: Refusal | undefined];

/**
 * The choices of an account in an instrument, out of the words that a request may have. `words`: every consistent pair
 * of price type and retention. Source: market-rules R3.3, R2.5, R1.5, R9.6.
 */
export function orderChoices(
  state: State,
  ports: DecisionPorts,
  account: AccountId,
  instrument: Instrument,
  words: readonly TermsWords[],
): OrderChoices {
  const wishOf: WishOf = ({ priceType, retention }, product = 'I', side = 'B') => {
    const terms = { priceType, retention, quantity: instrument.lot, price: ZERO_PRICE, trigger: ZERO_PRICE };
    return placementWish(state, ports, { account, instrument: instrument.id, side, product, terms });
  };
  const products = PRODUCTS.map((one): Judged<Product> => [one, productRefusal(wishOf, one)]);
  const terms = words.map((one): Judged<TermsWords> => [one, refusalOf('terms', wishOf(one))]);
  const plainest = wishOf(PLAIN);
  const refusal = refusalOf('entry', plainest) ?? refusedAll(products) ?? refusedAll(terms);
  return {
    products: taken(products),
    terms: taken(terms),
    ...(instrument.kind === 'index' ? {} : { band: plainest.venue.band() }),
    ...(plainest.waitsFor === undefined ? {} : { waitsFor: plainest.waitsFor }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** The refusal of a product when neither side is taken: one of them may only close. */
function productRefusal(wishOf: WishOf, product: Product): Refusal | undefined {
  const refusal = refusalOf('product', wishOf(PLAIN, product, 'B'));
  return refusal && refusalOf('product', wishOf(PLAIN, product, 'S')) && refusal;
}

function taken<T>(judged: readonly Judged<T>[]): T[] {
  return judged.filter(([, refusal]) => refusal === undefined).map(([word]) => word);
}

/** The first refusal when every word is refused. */
function refusedAll<T>(judged: readonly Judged<T>[]): Refusal | undefined {
  return judged.every(([, refusal]) => refusal !== undefined) ? judged[0]?.[1] : undefined;
}
