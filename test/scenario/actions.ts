import assert from 'node:assert/strict';
import { parsePrice, parseQuantity, parseRupees } from '../../src/base/decimal.ts';
import { type Price, type Quantity, ZERO_PRICE } from '../../src/base/money.ts';
import { SECOND_MS } from '../../src/base/time.ts';
import type { OrderTerms, Product } from '../../src/core/order.ts';
import type { Lot, Stage } from './stage.ts';

type Act = (stage: Stage, words: { readonly [name: string]: string | undefined }) => void;

/**
 * The actions of a story, by the form of the line. `at market` takes a market order, `when` a stop, `or cancel` an
 * order that does not rest, `for delivery` the delivery product, `to carry` the one that is carried over night;
 * everything else is intraday.
 */
const ACTIONS: readonly (readonly [form: RegExp, act: Act])[] = [
  [
    /^(?<user>[A-Z]+) has (?<cash>\S+)$/,
    (stage, { user = '', cash = '' }) => stage.enter(user, given(parseRupees(cash), cash)),
  ],
  [
    /^(?<user>[A-Z]+) owns (?<units>\d+)(?: (?<what>[A-Z]\w*))? at (?<limit>\S+)$/,
    (stage, { user = '', what, units = '', limit = '' }) =>
      stage.give(user, what, { price: priceOf(limit), quantity: unitsOf(units) }),
  ],
  [
    /^(?:market|(?<what>[A-Z]\w*)) bids (?<bids>.+?),? asks (?<asks>.+)$/,
    (stage, { what, bids = '', asks = '' }) => stage.showDepth(what, lotsOf(bids), lotsOf(asks)),
  ],
  [
    /^market (?<verb>buys|sells) (?<units>\d+)(?: (?<what>[A-Z]\w*))? at (?<limit>\S+)$/,
    (stage, { verb, what, units = '', limit = '' }) =>
      stage.trade(what, verb === 'buys' ? 'B' : 'S', { price: priceOf(limit), quantity: unitsOf(units) }),
  ],
  [
    /^(?<what>[A-Z]\w*) closes at (?<limit>\S+)$/,
    (stage, { what, limit = '' }) => stage.market.closeAt(stage.instrument(what), stage.state.day, priceOf(limit)),
  ],
  [
    /^at (?<hours>\d\d):(?<minutes>\d\d):(?<seconds>\d\d)$/,
    (stage, { hours, minutes, seconds }) =>
      stage.waitUntil(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * SECOND_MS),
  ],
  [/^a second passes$/, (stage) => stage.passSecond()],
  [/^a day passes$/, (stage) => stage.passDay()],
  [
    /^(?<user>[A-Z]+) (?<verb>buys|sells) (?<units>\d+)(?: (?<what>[A-Z]\w*))?(?: when (?<trigger>\S+))? at (?<limit>\S+)(?<ioc> or cancel)?(?: (?<way>for delivery|to carry))? as (?<name>\w+)$/,
    (stage, words) => {
      const { user = '', verb, name = '', what, way } = words;
      stage.place(name, user, what, verb === 'buys' ? 'B' : 'S', productOf(way), termsOf(words));
    },
  ],
  [
    /^(?<user>[A-Z]+) changes (?<name>\w+) to (?<units>\d+)(?: at (?<limit>\S+))?$/,
    (stage, { user = '', name = '', units = '', limit }) => {
      const price = limit === undefined ? {} : { price: priceOf(limit) };
      stage.change(user, name, { quantity: unitsOf(units), ...price });
    },
  ],
  [
    /^(?<user>[A-Z]+) converts (?<units>\d+)(?: (?<what>[A-Z]\w*))? (?<verb>bought|sold) (?<age>today|before) from (?<from>\w+) to (?<to>\w+)$/,
    (stage, { user = '', units = '', what, verb, age, from = '', to = '' }) =>
      stage.convert(user, what, {
        from: PRODUCTS_BY_WORD[from] ?? assert.fail(`not a product: ${from}`),
        to: PRODUCTS_BY_WORD[to] ?? assert.fail(`not a product: ${to}`),
        quantity: unitsOf(units),
        side: verb === 'bought' ? 'B' : 'S',
        age: age === 'today' ? 'day' : 'carried',
      }),
  ],
  [/^(?<user>[A-Z]+) cancels (?<name>\w+)$/, (stage, { user = '', name = '' }) => stage.cancel(user, name)],
];

/** Plays one line of a story. Throws for a line that has no known form. */
export function play(stage: Stage, line: string): void {
  for (const [form, act] of ACTIONS) {
    const match = form.exec(line);
    if (match !== null) return act(stage, match.groups ?? {});
  }
  assert.fail(`not understood: ${line}`);
}

const PRODUCTS_BY_WORD: { readonly [word: string]: Product } = { delivery: 'C', carried: 'M', intraday: 'I' };

function productOf(way: string | undefined): Product {
  if (way === undefined) return 'I';
  return way === 'for delivery' ? 'C' : 'M';
}

function termsOf({
  units = '',
  trigger,
  limit = '',
  ioc,
}: {
  readonly [name: string]: string | undefined;
}): OrderTerms {
  const type = limit === 'market' ? 'MKT' : 'LMT';
  return {
    priceType: trigger === undefined ? type : `SL-${type}`,
    retention: ioc === undefined ? 'DAY' : 'IOC',
    quantity: unitsOf(units),
    price: limit === 'market' ? ZERO_PRICE : priceOf(limit),
    trigger: trigger === undefined ? ZERO_PRICE : priceOf(trigger),
  };
}

/** `99.50 x 50, 99.45 x 80`, or `none`. */
function lotsOf(text: string): Lot[] {
  if (text === 'none') return [];
  return text.split(', ').map((part) => {
    const [price = '', units = ''] = part.split(' x ');
    return { price: priceOf(price), quantity: unitsOf(units) };
  });
}

export function priceOf(text: string): Price {
  return given(parsePrice(text), text);
}

function unitsOf(text: string): Quantity {
  return given(parseQuantity(text), text);
}

function given<T>(value: T | undefined, text: string): T {
  assert.ok(value !== undefined, `not a number: ${text}`);
  return value;
}
