import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { grouped, signClass, signed, signOf } from './figures.ts';

test('group digits as in India', () => {
  const cases: Readonly<Record<string, string>> = {
    '0.00': '0.00',
    '999.50': '999.50',
    '1000': '1,000',
    '99999.05': '99,999.05',
    '100000': '1,00,000',
    '1234567.89': '12,34,567.89',
    '-1234567.89': '\u221212,34,567.89',
    '123456789012': '1,23,45,67,89,012',
    '': '',
    'not a figure': 'not a figure',
  };
  for (const [decimal, text] of Object.entries(cases)) equal(grouped(decimal), text);
});

test('show the sign of a result by text and by class', () => {
  equal(signed('12.50'), '+12.50');
  equal(signed('-12.50'), '\u221212.50');
  equal(signed('0.00'), '0.00');
  equal(signClass('-0.05'), 'loss');
  equal(signClass('0.05'), 'gain');
  equal(signClass('0.00'), '');
  equal(signOf('-0.00'), 0);
});
