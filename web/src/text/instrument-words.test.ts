import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { instrumentWords } from './instrument-words.ts';

test('a contract is named by its underlying, strike and type, with its expiry apart', () => {
  const cases: readonly (readonly [symbol: string, name: string, expiry: string])[] = [
    ['NIFTY29DEC26C24000', 'NIFTY 24000 CE', '29 DEC 26'],
    ['NIFTYNXT5029DEC26P61000', 'NIFTYNXT50 61000 PE', '29 DEC 26'],
    ['VEDL29DEC26C432.5', 'VEDL 432.5 CE', '29 DEC 26'],
    ['M&M29DEC26F', 'M&M future', '29 DEC 26'],
    ['SENSEX26NOVFUT', 'SENSEX future', 'NOV 26'],
    ['SENSEX26NOV85000CE', 'SENSEX 85000 CE', 'NOV 26'],
    ['SENSEX26D0385000PE', 'SENSEX 85000 PE', '03 DEC 26'],
  ];
  for (const [symbol, name, expiry] of cases) deepEqual(instrumentWords(symbol), { name, expiry }, symbol);
});

test('anything else keeps its symbol', () => {
  for (const symbol of ['ITC-EQ', 'NIFTY', 'BANKNIFTY', 'M&M-EQ', '20MICRONS-EQ', 'RELIANCE']) {
    deepEqual(instrumentWords(symbol), { name: symbol, expiry: '' });
  }
});
