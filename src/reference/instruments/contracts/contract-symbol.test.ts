import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { must } from '../../../base/assert.ts';
import { price } from '../../../base/money.ts';
import { formatIsoDay, type IstDay, parseIsoDay } from '../../../base/time.ts';
import { contractSymbol, formatStrike, parseDateStyle, parseNativeStyle } from './contract-symbol.ts';

function day(text: string): IstDay {
  return must(parseIsoDay(text), text);
}

test('the symbols of NSE are read as the rule book says', () => {
  const expected: [string, string, string, string | undefined][] = [
    ['NIFTY06MAR25C22500', 'NIFTY', '2025-03-06', 'CE 22500'],
    ['NIFTY27MAR25F', 'NIFTY', '2025-03-27', undefined],
    ['BANKNIFTY23FEB23P37300', 'BANKNIFTY', '2023-02-23', 'PE 37300'],
    ['M&M29DEC26F', 'M&M', '2026-12-29', undefined],
    ['BAJAJ-AUTO29DEC26P9000', 'BAJAJ-AUTO', '2026-12-29', 'PE 9000'],
    ['NIFTYNXT5029DEC26F', 'NIFTYNXT50', '2026-12-29', undefined],
    ['VEDL29DEC26C432.5', 'VEDL', '2026-12-29', 'CE 432.5'],
    ['USDINR25NOV22C76', 'USDINR', '2022-11-25', 'CE 76'],
  ];
  for (const [text, symbol, expiry, option] of expected) {
    const name = must(parseDateStyle(text), text);
    assert.deepEqual(
      [
        name.symbol,
        formatIsoDay(name.expiryDay),
        name.option && `${name.option.type} ${formatStrike(name.option.strike)}`,
      ],
      [symbol, expiry, option],
    );
    assert.equal(contractSymbol('NFO', { ...name, cycle: 'monthly' }), text);
  }
});

test('a text that is not a symbol of NSE is not read as one', () => {
  for (const text of [
    'NIFTY',
    'NIFTY31FEB26F',
    'NIFTY29DEC26',
    'NIFTY29DEC26C',
    'NIFTY29DEC26C0',
    'NIFTY29DEC26C024000',
    'NIFTY29DEC26C432.50',
    'nifty29dec26f',
  ]) {
    assert.equal(parseDateStyle(text), undefined, text);
  }
});

test('the symbols of BSE are read as the rule book says', () => {
  const expected: [string, string, number, number, string | undefined, string | undefined][] = [
    ['SENSEX', '26NOV85000PE', 2026, 11, undefined, 'PE 85000'],
    ['SENSEX', '26D0385000CE', 2026, 12, '2026-12-03', 'CE 85000'],
    ['SENSEX', '26NOVFUT', 2026, 11, undefined, undefined],
    ['SENSEX', '25O2382700CE', 2025, 10, '2025-10-23', 'CE 82700'],
    ['BANKEX', '24JAN57700PE', 2024, 1, undefined, 'PE 57700'],
    ['SENSEX', '2710785000PE', 2027, 1, '2027-01-07', 'PE 85000'],
  ];
  for (const [symbol, rest, year, month, expiry, option] of expected) {
    const name = must(parseNativeStyle(rest), rest);
    assert.deepEqual([name.year, name.month, name.expiryDay && formatIsoDay(name.expiryDay)], [year, month, expiry]);
    assert.equal(name.option && `${name.option.type} ${formatStrike(name.option.strike)}`, option);
    const expiryDay = name.expiryDay ?? day(`${year}-${month < 10 ? '0' : ''}${month}-28`);
    const cycle = name.expiryDay === undefined ? 'monthly' : 'weekly';
    assert.equal(contractSymbol('BFO', { symbol, expiryDay, cycle, option: name.option }), symbol + rest);
  }
});

test('a symbol that is written is read back to the same contract', () => {
  const contracts = fc.record({
    symbol: fc.stringMatching(/^[A-Z][A-Z&-]{0,12}[A-Z]$/),
    expiryDay: fc.integer({ min: day('2020-01-01'), max: day('2058-12-31') }).map((value) => value as IstDay),
    strike: fc.integer({ min: 1, max: 20_000_000 }).map((value) => price(value)),
    type: fc.constantFrom('CE' as const, 'PE' as const),
  });
  fc.assert(
    fc.property(contracts, ({ symbol, expiryDay, strike, type }) => {
      const name = { symbol, expiryDay, option: { strike, type } };
      assert.deepEqual(parseDateStyle(contractSymbol('NFO', { ...name, cycle: 'weekly' })), name);
      const native = parseNativeStyle(contractSymbol('BFO', { ...name, cycle: 'weekly' }).slice(symbol.length));
      assert.deepEqual([native?.expiryDay, native?.option], [expiryDay, name.option]);
    }),
  );
});
