import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { QuoteRow } from '../../../../client/src/wire.ts';
import { barOf, largestOf, levelsOf } from './levels.ts';

const level = (price: string, quantity: string) => ({ price, quantity, orders: '1' });

function quoteOf(bids: readonly string[]): QuoteRow {
  const fields: Record<string, string> = {};
  for (const [at, quantity] of [...bids, '0', '0', '0', '0', '0'].slice(0, 5).entries()) {
    for (const side of ['Buy', 'Sell']) {
      fields[`best${side}Price${at + 1}`] = side === 'Buy' ? `${100 - at}.00` : `${101 + at}.00`;
      fields[`best${side}Quantity${at + 1}`] = quantity;
      fields[`best${side}Order${at + 1}`] = '1';
    }
  }
  return fields as unknown as QuoteRow;
}

test('a side has its levels best first, and no level without units', () => {
  const quote = quoteOf(['10', '5']);
  deepEqual(levelsOf(quote, 'B'), [level('100.00', '10'), level('99.00', '5')]);
  deepEqual(levelsOf(quote, 'S'), [level('101.00', '10'), level('102.00', '5')]);
  deepEqual(levelsOf(quoteOf([]), 'B'), []);
});

test('the longest bar is that of the largest level', () => {
  const levels = [level('1.00', '400'), level('2.00', '100')];
  equal(largestOf(levels), 400);
  deepEqual(
    levels.map((one) => barOf(one, 400)),
    [100, 25],
  );
  equal(barOf(level('1.00', '0'), largestOf([])), 0);
});
