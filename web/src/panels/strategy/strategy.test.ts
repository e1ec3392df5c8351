/** Tests of the basket, the templates and the geometry of the payoff, without the page. */
import { deepEqual, equal } from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { GreeksRow } from '../../../../client/src/wire.ts';
import type { Strike } from '../chain/chain-data.ts';
import {
  addOption,
  changeLeg,
  clearLegs,
  isComplete,
  type Leg,
  legs,
  MOST_LEGS,
  orderOf,
  payoffLeg,
  previewed,
  removeLeg,
  replaceLegs,
  sortLegs,
} from './basket.ts';
import { boundsOf, gridOf, nearestTo, scaleOf, shortFigure } from './scale.ts';
import { needsLater, TEMPLATES, type TemplateName, templateLegs } from './templates.ts';

function option(strike: number, optionType: 'CE' | 'PE', month: string): GreeksRow {
  const tradingSymbol = `NIFTY29${month}26${optionType[0]}${strike}`;
  const prices = { strikePrice: `${strike}.00`, lastTradedPrice: '101.05', tickSize: '0.05' };
  return { exchange: 'NFO', tradingSymbol, lotSize: '65', optionType, oi: '0', ...prices } as unknown as GreeksRow;
}

function strikes(month: string): readonly Strike[] {
  return [23_900, 23_950, 24_000, 24_050, 24_100].map((strike) => ({
    price: `${strike}.00`,
    call: option(strike, 'CE', month),
    put: option(strike, 'PE', month),
  }));
}

const NEAR = { expiry: '29DEC2026', strikes: strikes('DEC') };
const LATER = { expiry: '29JAN2027', strikes: strikes('JAN') };

function built(name: TemplateName, width = 1) {
  return templateLegs(name, NEAR, LATER, 2, width, 1)?.map(({ side, title, lots, expiry }) => [
    side,
    title,
    lots,
    expiry.slice(2, 5),
  ]);
}

beforeEach(clearLegs);

test('an iron condor has four legs, its hedges first', () => {
  deepEqual(built('condor'), [
    ['B', '23900 PE', '1', 'DEC'],
    ['B', '24100 CE', '1', 'DEC'],
    ['S', '23950 PE', '1', 'DEC'],
    ['S', '24050 CE', '1', 'DEC'],
  ]);
});

test('a butterfly sells two lots in its middle, and a calendar buys the later expiry of one strike', () => {
  deepEqual(built('butterfly'), [
    ['B', '23950 CE', '1', 'DEC'],
    ['B', '24050 CE', '1', 'DEC'],
    ['S', '24000 CE', '2', 'DEC'],
  ]);
  deepEqual(built('calendar'), [
    ['B', '24000 CE', '1', 'JAN'],
    ['S', '24000 CE', '1', 'DEC'],
  ]);
  equal(needsLater('calendar'), true);
  equal(needsLater('condor'), false);
});

test('every template fits around the money, and none is built of strikes that are not listed', () => {
  for (const name of Object.keys(TEMPLATES) as TemplateName[]) equal(built(name)?.length, TEMPLATES[name].legs.length);
  equal(built('condor', 2), undefined);
  equal(templateLegs('calendar', NEAR, undefined, 2, 1, 1), undefined);
  equal(templateLegs('calendar', NEAR, { ...LATER, strikes: [] }, 2, 1, 1), undefined);
});

test('a leg is an order of whole lots, at its limit or at the market', () => {
  addOption(option(24_000, 'CE', 'DEC'), 'S', '29DEC2026');
  const [leg] = legs.value as [Leg];
  changeLeg(leg.number, { lots: '3' });
  const named = { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26C24000', transactionType: 'S', quantity: '195' };
  const limit = legs.value[0] as Leg;
  deepEqual(orderOf(limit), { ...named, product: 'M', priceType: 'LMT', price: '101.05' });
  deepEqual(payoffLeg(limit), { ...named, price: '101.05' });
  const atMarket = { ...limit, isMarket: true };
  deepEqual(previewed(atMarket), { ...named, product: 'M', priceType: 'MKT', price: '0', retention: 'DAY' });
  deepEqual(payoffLeg(atMarket), named);
});

test('a leg without whole lots or without a price is not asked about', () => {
  addOption(option(24_000, 'CE', 'DEC'), 'B', '29DEC2026');
  const leg = legs.value[0] as Leg;
  equal(isComplete(leg), true);
  for (const lots of ['', '0', '1.5', '-1', 'x']) equal(isComplete({ ...leg, lots }), false);
  for (const price of ['', '0', '0.00', '1.005', 'x']) equal(isComplete({ ...leg, price }), false);
  equal(isComplete({ ...leg, price: '', isMarket: true }), true);
});

test('legs are moved into the best sequence and keep their numbers', () => {
  replaceLegs(templateLegs('condor', NEAR, LATER, 2, 1, 1) ?? []);
  const numbers = legs.value.map(({ number }) => number);
  sortLegs([2, 3, 0, 1]);
  deepEqual(
    legs.value.map(({ number }) => number),
    [2, 3, 0, 1].map((place) => numbers[place]),
  );
  sortLegs([0]);
  equal(legs.value.length, 4, 'a sequence that lacks legs changes nothing');
  removeLeg(numbers[0] ?? 0);
  equal(legs.value.length, 3);
});

test('a basket holds no more legs than one request', () => {
  for (let leg = 0; leg < MOST_LEGS + 5; leg += 1) addOption(option(24_000, 'CE', 'DEC'), 'B', '29DEC2026');
  equal(legs.value.length, MOST_LEGS);
});

test('the picture maps prices and results to places', () => {
  const scale = scaleOf(100, 200, 0, 50);
  deepEqual([100, 150, 200].map(scale), [0, 25, 50]);
  equal(scaleOf(5, 5, 0, 10)(5), 0, 'a range of one value has a place');
  deepEqual(boundsOf([-10, 30], 0.1), [-14, 34]);
  deepEqual(boundsOf([5], 0), [0, 5], '0 is always in the picture');
  deepEqual(gridOf(-1_200, 2_600, 4), [-1_000, 0, 1_000, 2_000]);
  deepEqual(gridOf(3, 3, 4), []);
  equal(nearestTo([1, 5, 9], 6.9), 1);
  deepEqual([0, 800, -1_500, 125_000, 20_000_000].map(shortFigure), ['0', '800', '\u22121.5k', '1.3L', '2Cr']);
});
