import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { freeName, type Instruments, withAdded, withMoved, withoutOne } from './list-edits.ts';

const of = (...symbols: string[]): Instruments =>
  symbols.map((tradingSymbol) => ({ exchange: 'NSE', tradingSymbol }) as const);
const [A, B, C, D] = of('A', 'B', 'C', 'D');
if (A === undefined || B === undefined || C === undefined || D === undefined) throw new Error('four instruments');

test('an instrument is added once, at the end', () => {
  deepEqual(withAdded(of('A'), B), of('A', 'B'));
  const list = of('A', 'B');
  equal(withAdded(list, A), list);
  deepEqual(withAdded(of('A'), { exchange: 'BSE', tradingSymbol: 'A' }).length, 2);
});

test('an instrument is taken out, and one that is not there changes nothing', () => {
  deepEqual(withoutOne(of('A', 'B', 'C'), B), of('A', 'C'));
  const list = of('A');
  equal(withoutOne(list, B), list);
});

test('an instrument is moved to a place, and no further than the ends', () => {
  deepEqual(withMoved(of('A', 'B', 'C', 'D'), A, 2), of('B', 'C', 'A', 'D'));
  deepEqual(withMoved(of('A', 'B', 'C', 'D'), D, 1), of('A', 'D', 'B', 'C'));
  deepEqual(withMoved(of('A', 'B'), A, 9), of('B', 'A'));
  deepEqual(withMoved(of('A', 'B'), B, -3), of('B', 'A'));
  const list = of('A', 'B');
  equal(withMoved(list, C, 0), list);
});

test('a new list has a name that is free', () => {
  equal(freeName([]), 'List 1');
  equal(freeName(['List 2']), 'List 3');
  equal(freeName(['List 2', 'List 3']), 'List 4');
});
