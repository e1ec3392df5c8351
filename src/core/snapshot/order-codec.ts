/**
 * Orders and their terms as rows of values, because a snapshot holds millions of them. A decoder gives a whole record
 * with all of its fields by name, so the compiler refuses a field that has no place in the row.
 */

import {
  type Complete,
  type Decoder,
  flag,
  type Json,
  oneOf,
  optional,
  places,
  record,
  text,
  whole,
} from '../../base/codec.ts';
import { INSTRUMENT_KINDS } from '../instrument.ts';
import {
  type AfterMarket,
  ORDER_STATUSES,
  type Order,
  type OrderTags,
  type OrderTerms,
  PRICE_TYPES,
  PRODUCTS,
  RETENTIONS,
  type Side,
} from '../order.ts';
import { scenarioOf } from '../scenarios/order-scenario.ts';

type TermsRow = readonly [
  priceType: OrderTerms['priceType'],
  retention: OrderTerms['retention'],
  quantity: OrderTerms['quantity'],
  price: OrderTerms['price'],
  trigger: OrderTerms['trigger'],
];

export const sideOf: Decoder<Side> = oneOf('B', 'S');
export const productOf = oneOf(...PRODUCTS);
export const statusOf = oneOf(...ORDER_STATUSES);
export const kindOf = oneOf(...INSTRUMENT_KINDS);
const priceTypeOf = oneOf(...PRICE_TYPES);
const retentionOf = oneOf(...RETENTIONS);

const tagsOf = optional(record<OrderTags>({ strategy: optional(text), device: optional(text) }));

/** The terms of an order as cells of a row, prices in paise. */
export function encodeTerms({ priceType, retention, quantity, price, trigger }: OrderTerms): TermsRow {
  return [priceType, retention, quantity, price, trigger];
}

/** The terms that stand in a row from a place on. */
export function decodeTerms(row: readonly Json[], from = 0): OrderTerms {
  return {
    priceType: priceTypeOf(row[from], 'priceType'),
    retention: retentionOf(row[from + 1], 'retention'),
    quantity: whole(row[from + 2], 'quantity'),
    price: whole(row[from + 3], 'price'),
    trigger: whole(row[from + 4], 'trigger'),
  } satisfies Complete<OrderTerms>;
}

/** The row of an order. Tags and scenario stand at its end, of an order that has one of them. */
export function encodeOrder(order: Order) {
  const { afterMarket, tags, scenario } = order;
  const [priceType, retention, quantity, price, trigger] = encodeTerms(order.terms);
  const row = [
    order.number,
    order.account,
    order.instrument,
    order.kind,
    order.group,
    order.isin,
    order.side,
    order.product,
    order.remarks,
    order.receivedAt,
    priceType,
    retention,
    quantity,
    price,
    trigger,
    order.status,
    order.exchangeOrder,
    order.filled,
    order.filledAmount,
    order.updatedAt,
    order.squareOff,
    order.gross,
    afterMarket?.day ?? 0,
    afterMarket?.protection ?? 0,
  ] as const;
  if (scenario !== undefined) return [...row, tags ?? null, { ...scenario }] as const;
  return tags === undefined ? row : ([...row, tags] as const);
}

/** The order of a row. Throws `Undecodable`. */
export function decodeOrder(stored: Json): Order {
  const row = places(stored, 'an order', 24, 26);
  return {
    number: whole(row[0], 'number'),
    account: whole(row[1], 'account'),
    instrument: whole(row[2], 'instrument'),
    kind: kindOf(row[3], 'kind'),
    group: whole(row[4], 'group'),
    isin: text(row[5], 'isin'),
    side: sideOf(row[6], 'side'),
    product: productOf(row[7], 'product'),
    remarks: text(row[8], 'remarks'),
    receivedAt: whole(row[9], 'receivedAt'),
    terms: decodeTerms(row, 10),
    status: statusOf(row[15], 'status'),
    exchangeOrder: whole(row[16], 'exchangeOrder'),
    filled: whole(row[17], 'filled'),
    filledAmount: whole(row[18], 'filledAmount'),
    updatedAt: whole(row[19], 'updatedAt'),
    squareOff: flag(row[20], 'squareOff'),
    gross: flag(row[21], 'gross'),
    afterMarket: decodeAfterMarket(row[22], row[23]),
    tags: tagsOf(row[24] ?? undefined, 'tags'),
    scenario: optional(scenarioOf)(row[25], 'scenario'),
  } satisfies Complete<Order>;
}

/** The day and the protection stand beside each other, each 0 when there is none. */
function decodeAfterMarket(waitsFor: Json | undefined, protects: Json | undefined): AfterMarket | undefined {
  const day: AfterMarket['day'] = whole(waitsFor, 'afterMarket.day');
  const protection: number = whole(protects, 'afterMarket.protection');
  if (day === 0) return undefined;
  const { protection: own, ...waiting } = { day, protection } satisfies Complete<AfterMarket>;
  return own === 0 ? waiting : { ...waiting, protection: own };
}
