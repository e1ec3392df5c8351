/**
 * The order that is being written in the ticket: its fields as the user typed them, the steps of its prices and lots,
 * and the request that they make. Whether it would be taken is asked of the service and never judged here.
 */
import type { PriceType, Product, Retention, Side } from '../../../../client/src/generated/operations.ts';
import type { NewGtt } from '../../../../client/src/gtt.ts';
import { fromPaise, type Rupees, toPaise } from '../../../../client/src/money.ts';
import type { NewOrder, OrderChange } from '../../../../client/src/orders.ts';
import type { InstrumentRow, OrderRow } from '../../../../client/src/wire.ts';

/** When the order goes: at once; when a price comes (GTT); or one of two, whose price comes first (OCO). */
export const WHENS = ['now', 'gtt', 'oco'] as const;
export type When = (typeof WHENS)[number];

export interface Draft {
  readonly when: When;
  readonly side: Side;
  readonly product: Product;
  readonly priceType: PriceType;
  readonly retention: Retention;
  /** Lots of a contract, shares of a share. */
  readonly lots: string;
  readonly price: string;
  /** The trigger of a stop. */
  readonly trigger: string;
  /** The last traded price for which a GTT waits, and that of its second leg with the price of its order. */
  readonly value: string;
  readonly value2: string;
  readonly price2: string;
  /** Percent, for a modification to a market type. */
  readonly protection: string;
  readonly remarks: string;
}

/** The choices that are remembered by kind of instrument. */
export type Habits = Pick<Draft, 'product' | 'priceType' | 'retention'>;

/** A field that cannot be read, and the way to correct it. */
export interface Problem {
  readonly field: 'lots' | PriceField | 'protection';
  readonly text: string;
}

/** The fields that hold a price. */
export type PriceField = 'price' | 'trigger' | 'value' | 'value2' | 'price2';

/** The fields of a GTT in a draft that goes at once. */
export const NO_GTT = { when: 'now', value: '', value2: '', price2: '' } as const;

const WHOLE = /^[1-9]\d{0,8}$/;
const PRICE = /^\d{1,9}(\.\d{1,2})?$/;
const PERCENT = /^\d{1,3}(\.\d{1,4})?$/;

export function isMarket(priceType: PriceType): boolean {
  return priceType === 'MKT' || priceType === 'SL-MKT';
}

function isStop(priceType: PriceType): boolean {
  return priceType === 'SL-LMT' || priceType === 'SL-MKT';
}

/** The products to choose from. In cash M is the same as I, so it is offered for contracts alone. */
export function productsOf({ products, segment }: InstrumentRow): readonly Product[] {
  return segment === 'EQT' ? products.filter((product) => product !== 'M' || !products.includes('I')) : products;
}

/** The retentions of a price type: a stop is never immediate. */
export function retentionsOf({ retentions }: InstrumentRow, priceType: PriceType): readonly Retention[] {
  return isStop(priceType) ? retentions.filter((word) => word === 'DAY') : retentions;
}

/** The price types to choose from. A GTT places limit and market orders, at whatever hour its price comes. */
export function priceTypesOf({ priceTypes }: InstrumentRow, when: When): readonly PriceType[] {
  return when === 'now' ? priceTypes : ['MKT', 'LMT'];
}

/** The fields of prices that a draft has, in the order of the form. */
export function priceFields({ when, priceType }: Draft): readonly (readonly [PriceField, string])[] {
  const fields: readonly (readonly [PriceField, string])[] = FIELDS[when];
  return fields.filter(([field]) => {
    if (field === 'price' || field === 'price2') return !isMarket(priceType);
    return field !== 'trigger' || isStop(priceType);
  });
}

const FIELDS = {
  now: [
    ['price', 'Price'],
    ['trigger', 'Trigger'],
  ],
  gtt: [
    ['value', 'Trigger'],
    ['price', 'Price'],
  ],
  oco: [
    ['value', 'First trigger'],
    ['price', 'First price'],
    ['value2', 'Second trigger'],
    ['price2', 'Second price'],
  ],
} as const;

/** The same draft with choices that the instrument has; a choice that is not there becomes the first that is. */
export function fitted(draft: Draft, info: InstrumentRow): Draft {
  const product = among(draft.product, productsOf(info));
  const priceType = among(draft.priceType, priceTypesOf(info, draft.when));
  const retentions = draft.when === 'now' ? retentionsOf(info, priceType) : (['DAY'] as const);
  return { ...draft, product, priceType, retention: among(draft.retention, retentions) };
}

function among<Word extends string>(word: Word, words: readonly Word[]): Word {
  return words.includes(word) ? word : (words[0] ?? word);
}

/** The kind of instrument by which habits are kept. */
export function kindOf({ segment, optionType }: InstrumentRow): 'share' | 'future' | 'option' {
  if (segment === 'EQT') return 'share';
  return optionType === '' ? 'future' : 'option';
}

export function firstHabits(kind: ReturnType<typeof kindOf>): Habits {
  return { product: kind === 'share' ? 'C' : 'M', priceType: 'LMT', retention: 'DAY' };
}

/** Units of an order; undefined when the lots are not a whole number. */
export function unitsOf({ lots }: Draft, { lotSize }: InstrumentRow): number | undefined {
  return WHOLE.test(lots) ? Number(lots) * Number(lotSize) : undefined;
}

/** Lots for a number of units, rounded up to whole lots. */
export function lotsOf(units: string, { lotSize }: Pick<InstrumentRow, 'lotSize'>): string {
  return String(Math.max(1, Math.ceil(Number(units) / Number(lotSize))));
}

export function moreLots(lots: string, more: number): string {
  return String(Math.min(999_999_999, Math.max(1, (WHOLE.test(lots) ? Number(lots) : 0) + more)));
}

/**
 * A price moved by whole ticks, at least one tick; one between two ticks goes to the next of them first. Other text
 * counts as nothing.
 */
export function stepped(price: string, tick: Rupees, steps: number): string {
  const step = toPaise(tick);
  const from = (PRICE.test(price) ? toPaise(price) : 0) / step;
  return fromPaise(Math.max(1, (steps > 0 ? Math.floor(from) : Math.ceil(from)) + steps) * step);
}

/** Text of a price with two decimals; other text as it is. */
export function tidied(price: string): string {
  return PRICE.test(price) ? fromPaise(toPaise(price)) : price;
}

/** The change of a draft to a price: an order at the market becomes a limit. */
export function atPrice({ priceType }: Pick<Draft, 'priceType'>, price: string): Pick<Draft, 'price' | 'priceType'> {
  return { price, priceType: isMarket(priceType) ? 'LMT' : priceType };
}

/** The first field that cannot be read. */
export function problemOf(draft: Draft, isChange: boolean): Problem | undefined {
  if (!WHOLE.test(draft.lots)) return { field: 'lots', text: 'The quantity is a whole number above 0.' };
  for (const [field, label] of priceFields(draft)) {
    if (!isPrice(draft[field])) return { field, text: `${label}: a price above 0, such as 405.50.` };
  }
  if (isChange && isMarket(draft.priceType) && !PERCENT.test(draft.protection)) {
    return { field: 'protection', text: 'A change to a market order needs a protection in percent.' };
  }
  return undefined;
}

/** True for the text of a price above 0. */
export function isPrice(price: string): boolean {
  return PRICE.test(price) && /[1-9]/.test(price);
}

/** The order that a draft without problems makes. */
export function orderOf(draft: Draft, info: InstrumentRow): NewOrder {
  const { exchange, tradingSymbol } = info;
  const { side, product, retention, remarks } = draft;
  return {
    exchange,
    tradingSymbol,
    transactionType: side,
    product,
    retention,
    remarks,
    ...termsOf(draft, info),
  };
}

/** The new terms of an open order. */
export function changeOf(draft: Draft, info: InstrumentRow): OrderChange {
  const protection = isMarket(draft.priceType) ? { mkt_protection: draft.protection } : {};
  return { ...termsOf(draft, info), retention: draft.retention, ...protection };
}

function termsOf(draft: Draft, info: InstrumentRow) {
  const { priceType, price, trigger } = draft;
  return {
    priceType,
    quantity: String(unitsOf(draft, info) ?? 0),
    price: isMarket(priceType) ? '0' : tidied(price),
    triggerPrice: isStop(priceType) ? tidied(trigger) : '0',
  };
}

/** The GTT that a draft without problems makes: one leg, or two of which the first that fires ends the other. */
export function gttOf(draft: Draft, info: InstrumentRow): NewGtt {
  const { exchange, tradingSymbol } = info;
  const { side, product, remarks, value, value2, price, price2 } = draft;
  const leg = (limit: string): NewGtt['OrderParams'] => ({
    transactionType: side,
    product,
    retention: 'DAY',
    remarks,
    ...termsOf({ ...draft, price: limit }, info),
  });
  const first = { exchange, tradingSymbol, remarks, value: tidied(value), OrderParams: leg(price) };
  return draft.when === 'oco' ? { ...first, value2: tidied(value2), OrderParams2: leg(price2) } : first;
}

/** The draft of an open order's own terms. */
export function draftOfOrder(order: OrderRow): Draft {
  const { transactionType: side, product, priceType, retention, price, triggerPrice: trigger, remarks } = order;
  const lots = lotsOf(order.quantity, order);
  return { ...NO_GTT, side, product, priceType, retention, lots, price, trigger, remarks, protection: '1' };
}
