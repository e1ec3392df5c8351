/** Tests of the keys under which baskets go, without the page. */
import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { GreeksRow } from '../../../../client/src/wire.ts';
import type { BasketPlaced } from '../../orders/placing-basket.ts';
import { changeLeg, clearLegs, legs, optionLeg, replaceLegs } from './basket.ts';
import { forgetSent, placeLegs, sentOf } from './sent-basket.ts';

const DAY = '23-11-2026';
const DOUBT: BasketPlaced = { state: 'in doubt' };
const keys: string[] = [];

/** A service that gives one answer to every basket, and the keys that it saw. */
function answering(answer: BasketPlaced | undefined) {
  return (_orders: unknown, key: string): Promise<BasketPlaced | undefined> => {
    keys.push(key);
    return Promise.resolve(answer);
  };
}

function twoLegs(): void {
  const row = { exchange: 'NFO', tradingSymbol: 'NIFTY29DEC26C24000', lotSize: '65', lastTradedPrice: '101.05' };
  const option = { ...row, optionType: 'CE', strikePrice: '24000.00', tickSize: '0.05' } as unknown as GreeksRow;
  replaceLegs([optionLeg(option, 'B', '29DEC2026', '1'), optionLeg(option, 'S', '29DEC2026', '2')]);
}

function place(answer: BasketPlaced | undefined, day = DAY): Promise<void> {
  return placeLegs(legs.peek(), day, answering(answer));
}

beforeEach(() => {
  keys.length = 0;
  forgetSent();
  clearLegs();
  twoLegs();
});

test('a basket in doubt keeps its key through a blur, another edit and a new building of the same orders', async () => {
  await place(DOUBT);
  const [leg] = legs.peek();
  changeLeg(leg?.number ?? 0, { price: '101.05' });
  equal(sentOf(legs.peek(), DAY)?.state, 'in doubt');
  await place(DOUBT);
  changeLeg(leg?.number ?? 0, { lots: '3' });
  equal(sentOf(legs.peek(), DAY), undefined, 'another basket was not sent');
  await place({ state: 'answered', rows: [] });
  clearLegs();
  twoLegs();
  await place(DOUBT);
  equal(keys[1], keys[0]);
  notEqual(keys[2], keys[0]);
  equal(keys[3], keys[0]);
});

test('a change to the same text leaves the legs as they are', () => {
  const before = legs.peek();
  changeLeg(before[0]?.number ?? 0, { price: '101.05' });
  equal(legs.peek(), before);
});

test('a press that is passed over leaves the key as it was', async () => {
  await place(DOUBT);
  await place(undefined);
  await place(DOUBT);
  deepEqual(new Set(keys).size, 1);
  forgetSent();
  await place(undefined);
  equal(sentOf(legs.peek(), DAY), undefined);
});

test('an answer and a definite refusal end the key, and the refusal is not shown as a doubt', async () => {
  await place({ state: 'failed', reason: 'too many requests' });
  deepEqual([sentOf(legs.peek(), DAY)?.state, sentOf(legs.peek(), DAY)?.reason], ['failed', 'too many requests']);
  await place({ state: 'answered', rows: [] });
  equal(sentOf(legs.peek(), DAY)?.state, 'answered');
  await place({ state: 'answered', rows: [] });
  equal(new Set(keys).size, 3);
  clearLegs();
  twoLegs();
  equal(sentOf(legs.peek(), DAY), undefined, 'a new basket of the same orders was not sent');
});

test('a key of another day of the market is not asked again: the service has forgotten it', async () => {
  await place(DOUBT);
  equal(sentOf(legs.peek(), '24-11-2026')?.state, 'not known');
  await place(DOUBT, '24-11-2026');
  notEqual(keys[1], keys[0]);
});
