import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { InstrumentId } from '../base/ids.ts';
import { amountOf, type Paise, price, quantity } from '../base/money.ts';
import type { Position } from './account.ts';
import { addFill, emptyPosition, netQuantity, openAmount, realisedOf } from './position.ts';
import { positionFigures } from './query.ts';

type Fill = readonly ['B' | 'S', units: number, price: number];

function rowOf(fills: readonly Fill[]): Position {
  const facts = { instrument: 1 as InstrumentId, kind: 'future', group: 1 as InstrumentId, isin: '' } as const;
  const row = emptyPosition(facts, 'M');
  for (const [side, units, at] of fills) addFill(row, side, quantity(units), amountOf(price(at), quantity(units)));
  return row;
}

function carriedRow(units: number, basis: number, cost: number): Position {
  const row = rowOf([]);
  row.carriedBuyQuantity = quantity(units);
  row.carriedBuyAmount = amountOf(price(basis), quantity(units));
  row.carriedCost = amountOf(price(cost), quantity(units));
  return row;
}

test('the cases of market-rules 5.2 come out in the aggregate model', () => {
  const cases: readonly [string, Fill[], last: number, net: number, average: number, realised: number, open: number][] =
    [
      [
        'A',
        [
          ['B', 100, 62_20],
          ['S', 40, 63_00],
        ],
        63_10,
        60,
        62_20,
        32_00,
        54_00,
      ],
      ['B', [['B', 80, 62_20]], 63_10, 80, 62_20, 0, 72_00],
      [
        'C',
        [
          ['S', 65, 120_00],
          ['B', 65, 90_00],
          ['S', 130, 95_00],
        ],
        100_00,
        -130,
        103_33,
        866_67,
        433_33,
      ],
      [
        'E',
        [
          ['B', 100, 10_00],
          ['B', 50, 11_00],
          ['S', 150, 12_00],
        ],
        12_00,
        0,
        0,
        250_00,
        0,
      ],
      [
        'F',
        [
          ['B', 65, 100_00],
          ['S', 195, 110_00],
        ],
        105_00,
        -130,
        110_00,
        650_00,
        650_00,
      ],
      [
        'the Firstock sample',
        [
          ['B', 1, 7_68],
          ['S', 1, 7_71],
        ],
        7_72,
        0,
        0,
        3,
        0,
      ],
    ];
  for (const [name, fills, last, net, average, realised, unrealised] of cases) {
    const figures = positionFigures(rowOf(fills), price(last));
    assert.equal(figures.netQuantity, net, name);
    assert.equal(figures.netAveragePrice, average, name);
    assert.equal(figures.realised, realised, name);
    assert.equal(figures.unrealised, unrealised, name);
    assert.equal(figures.totalMtm, realised + unrealised, name);
    assert.equal(figures.totalPnl, realised + unrealised, name);
  }
});

test('carried quantities are measured against their basis and against their cost, as in R5.10', () => {
  const row = carriedRow(130, 23_900_00, 23_850_00);
  addFill(row, 'S', quantity(65), amountOf(price(23_950_00), quantity(65)));
  const figures = positionFigures(row, price(23_940_00));
  assert.equal(figures.netAveragePrice, 23_900_00);
  assert.equal(figures.realised, 3_250_00);
  assert.equal(figures.unrealised, 2_600_00);
  assert.equal(figures.totalMtm, 5_850_00);
  assert.equal(figures.totalPnl, 12_350_00);
  assert.equal(figures.uploadPrice, 23_850_00);
  assert.equal(figures.netUploadPrice, 23_850_00);
});

test('a mixed day of carried and new quantities averages both, as in R5.12', () => {
  const row = carriedRow(65, 23_900_00, 23_900_00);
  addFill(row, 'S', quantity(65), amountOf(price(23_950_00), quantity(65)));
  addFill(row, 'B', quantity(65), amountOf(price(23_920_00), quantity(65)));
  const figures = positionFigures(row, price(23_940_00));
  assert.equal(figures.netAveragePrice, 23_910_00);
  assert.equal(figures.realised, 2_600_00);
  assert.equal(figures.unrealised, 1_950_00);
  assert.equal(figures.totalMtm, 4_550_00);
});

test('the chain of daily settlements of R5.11 adds up to the whole gain', () => {
  const day = (basis: number, mark: number) =>
    positionFigures(carriedRow(65, basis, 23_850_00), price(mark)).totalMtm as number;
  assert.equal(day(23_850_00, 23_900_00), 3_250_00);
  assert.equal(day(23_900_00, 23_960_00), 3_900_00);
  const last = carriedRow(65, 23_960_00, 23_850_00);
  addFill(last, 'S', quantity(65), amountOf(price(23_990_00), quantity(65)));
  assert.equal(positionFigures(last, price(1)).realised, 1_950_00);
  assert.equal(positionFigures(last, price(1)).totalPnl, 9_100_00);
});

test('realised result and open amount are exactly the balance of all fills', () => {
  const fill = fc.tuple(
    fc.constantFrom('B' as const, 'S' as const),
    fc.integer({ min: 1, max: 999 }),
    fc.integer({ min: 1, max: 99_999 }),
  );
  fc.assert(
    fc.property(fc.array(fill, { maxLength: 30 }), fc.integer({ min: 1, max: 99_999 }), (fills, last) => {
      const row = rowOf(fills);
      let balance = 0;
      for (const [side, units, at] of fills) balance += (side === 'S' ? 1 : -1) * units * at;
      const net = netQuantity(row);
      assert.equal(realisedOf(row) + (net >= 0 ? -1 : 1) * openAmount(row), balance);
      assert.ok(openAmount(row) >= (0 as Paise));
      assert.equal(positionFigures(row, price(last)).totalMtm, balance + net * last);
    }),
  );
});
