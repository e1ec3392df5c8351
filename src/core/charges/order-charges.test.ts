import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { must } from '../../base/assert.ts';
import { parseRupees } from '../../base/decimal.ts';
import type { Exchange } from '../../base/ids.ts';
import type { Paise } from '../../base/money.ts';
import { parseIsoDay } from '../../base/time.ts';
import { ChargeRateTable } from '../../reference/rules/charge-table.ts';
import { readTable } from '../../reference/rules/data-table.ts';
import type { Side } from '../order.ts';
import { type TradeClass, tradeClassOf } from './charge-rates.ts';
import { type ExactAmount, roundToPaisa, roundToRupee, shareOf, shownRupees, sumOf } from './exact-amount.ts';
import { type OrderCharges, orderCharges } from './order-charges.ts';

const FILE = join(import.meta.dirname, '../../../data/rules/charges.csv');
const RATES = new ChargeRateTable(readTable('charges.csv', readFileSync(FILE, 'utf8'))).on(
  must(parseIsoDay('2026-11-21'), 'a date'),
);

function rupees(text: string): Paise {
  return must(parseRupees(text), text);
}

function chargesOf(exchange: Exchange, tradeClass: TradeClass, side: Side, amount: string): OrderCharges {
  return orderCharges(RATES, { exchange, tradeClass, side, amount: rupees(amount) });
}

/** The total of the worked table, which leaves the clearing charge out. */
function withoutClearing(charges: OrderCharges): ExactAmount {
  return (sumOf(...Object.values(charges)) - charges.clearing) as ExactAmount;
}

/**
 * The nine trades of market-rules 6.2 with the printed digits, half up (of 0.00975 the appendix has 0.0097, the table
 * 0.0098).
 */
const WORKED: readonly (readonly [
  trade: string,
  exchange: Exchange,
  tradeClass: TradeClass,
  side: Side,
  amount: string,
  items: readonly [
    brokerage: number,
    transaction: number,
    ipft: number,
    sebi: number,
    stt: number,
    stamp: number,
    gst: number,
    total: number,
  ],
])[] = [
  ['C buy 100@1260', 'NSE', 'delivery', 'B', '126000', [0, 3.8681, 0.0001, 0.126, 126, 18.9, 0.719, 149.6132]],
  ['C sell 100@1300', 'NSE', 'delivery', 'S', '130000', [0, 3.9909, 0.0001, 0.13, 130, 0, 0.7418, 134.8628]],
  ['I buy 100@1260', 'NSE', 'intraday', 'B', '126000', [20, 3.8681, 0.0001, 0.126, 0, 3.78, 4.319, 32.0932]],
  ['I sell 100@1265', 'NSE', 'intraday', 'S', '126500', [20, 3.8834, 0.0001, 0.1265, 31.625, 0, 4.3218, 59.9569]],
  ['future buy 65@24000', 'NFO', 'future', 'B', '1560000', [20, 28.5464, 0.0016, 1.56, 0, 31.2, 9.0194, 90.3274]],
  ['future sell 65@24060', 'NFO', 'future', 'S', '1563900', [20, 28.6178, 0.0016, 1.5639, 781.95, 0, 9.033, 841.1663]],
  ['option buy 65@120', 'NFO', 'option', 'B', '7800', [20, 2.7706, 0.0008, 0.0078, 0, 0.234, 4.1002, 27.1134]],
  ['option sell 65@150', 'NFO', 'option', 'S', '9750', [20, 3.4632, 0.001, 0.0098, 14.625, 0, 4.2253, 42.3242]],
  ['BSE option sell 20@300', 'BFO', 'option', 'S', '6000', [20, 1.95, 0, 0.006, 9, 0, 3.9521, 34.9081]],
];

for (const [trade, exchange, tradeClass, side, amount, expected] of WORKED) {
  test(`${trade} is charged as the worked table says`, () => {
    const charges = chargesOf(exchange, tradeClass, side, amount);
    const { brokerage, transaction, investorProtection, sebi, stt, stamp, gst } = charges;
    const items = [brokerage, transaction, investorProtection, sebi, stt, stamp, gst, withoutClearing(charges)];
    assert.deepEqual(items.map(shownRupees), expected);
  });
}

test('round trips cost the charges of the rule book', () => {
  const trip = (exchange: Exchange, tradeClass: TradeClass, bought: string, sold: string): Paise =>
    roundToPaisa(
      sumOf(
        withoutClearing(chargesOf(exchange, tradeClass, 'B', bought)),
        withoutClearing(chargesOf(exchange, tradeClass, 'S', sold)),
      ),
    );
  assert.equal(trip('NFO', 'option', '7800', '9750'), rupees('69.44'));
  assert.equal(trip('NFO', 'future', '1560000', '1563900'), rupees('931.49'));
  assert.equal(trip('NSE', 'intraday', '126000', '126500'), rupees('92.05'));
});

test('clearing is charged on contracts, without tax', () => {
  assert.equal(shownRupees(chargesOf('NFO', 'future', 'B', '1560000').clearing), 3.9);
  assert.equal(shownRupees(chargesOf('NFO', 'option', 'S', '9750').clearing), 0.4388);
  assert.equal(chargesOf('NSE', 'delivery', 'B', '126000').clearing, 0n);
});

test('brokerage is the lesser of its share and its limit; for an option it is the limit', () => {
  const brokerage = (tradeClass: TradeClass, amount: string, exchange: Exchange = 'NSE'): number =>
    shownRupees(chargesOf(exchange, tradeClass, 'B', amount).brokerage);
  assert.equal(brokerage('intraday', '7.07'), 0.0021);
  assert.equal(brokerage('intraday', '66666.66'), 20);
  assert.equal(brokerage('intraday', '66666'), 19.9998);
  assert.equal(brokerage('delivery', '10000000'), 0);
  assert.equal(brokerage('option', '0.05', 'NFO'), 20);
});

test('STT and stamp duty round to the rupee by the rule book, other items to the paisa', () => {
  const exercised = shareOf(rupees('8476'), RATES.exerciseStt);
  const inTheBook: [ExactAmount, number][] = [
    [chargesOf('NSE', 'intraday', 'S', '126500').stt, 32],
    [chargesOf('NFO', 'option', 'S', '9750').stt, 15],
    [exercised, 13],
    [chargesOf('NFO', 'future', 'S', '1563900').stt, 782],
  ];
  for (const [stt, whole] of inTheBook) assert.equal(roundToRupee(stt), whole * 100);
  assert.equal(shownRupees(exercised), 12.714);
  assert.equal(shownRupees(shareOf(rupees('8450'), RATES.exerciseStt)), 12.675);
  assert.equal(shownRupees(shareOf(rupees('630000'), RATES.physicalStt)), 630);
  assert.equal(roundToRupee(shareOf(rupees('500'), RATES.physicalStt)), 100);
  assert.equal(roundToRupee(shareOf(rupees('499.99'), RATES.physicalStt)), 0);
});

test('charges of the largest values are exact', () => {
  const charges = chargesOf('NFO', 'future', 'S', '999999999999.99');
  assert.equal(shownRupees(charges.stt), 500_000_000);
  assert.equal(roundToPaisa(charges.transaction), 1_829_900_000);
  assert.equal(charges.stt, 99_999_999_999_999n * 500_000n * 100n);
});

test('the trade class of an order depends on its instrument and, for shares, on its product', () => {
  const classes = (['C', 'M', 'I'] as const).map((product) => tradeClassOf('equity', product));
  assert.deepEqual(classes, ['delivery', 'intraday', 'intraday']);
  assert.deepEqual([tradeClassOf('future', 'I'), tradeClassOf('option', 'M')], ['future', 'option']);
});
