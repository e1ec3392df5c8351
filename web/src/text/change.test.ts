import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf } from './change.ts';

test('a change is exact in paise, and its percentage is rounded half away from nothing', () => {
  deepEqual(changeOf('405.05', '400.00'), { by: '5.05', percent: '1.26' });
  deepEqual(changeOf('400.00', '405.05'), { by: '-5.05', percent: '-1.25' });
  deepEqual(changeOf('0.10', '0.30'), { by: '-0.20', percent: '-66.67' });
  deepEqual(changeOf('100000.05', '99999.95'), { by: '0.10', percent: '0.00' });
  deepEqual(changeOf('7.10', '7.10'), { by: '0.00', percent: '0.00' });
});

test('a contract without a price of the day before has no percentage', () => {
  deepEqual(changeOf('12.00', '0.00'), { by: '12.00', percent: '' });
});
