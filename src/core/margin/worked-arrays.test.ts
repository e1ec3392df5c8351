import assert from 'node:assert/strict';
import test from 'node:test';
import { marginPorts } from '../../../test/kit/margin-ports.ts';
import { must } from '../../base/assert.ts';
import type { Derivative } from '../instrument.ts';
import { call, contract, NIFTY, put, type Quoted, riskMarket } from './margin-fixture.ts';
import { riskSheet } from './risk-sheet.ts';

/* The whole arrays of the worked examples of market-rules 4.3: the loss of one long unit in rupees. */

const FUTURE = contract(2, { kind: 'future' });
const CALL_24000 = call(4, 24_000);
const CALL_24500 = call(5, 24_500);
const PUT_24000 = put(7, 24_000);
const CALL_23500 = call(10, 23_500);

const QUOTED: readonly Quoted[] = [
  { instrument: FUTURE, price: 24_138_50 },
  { instrument: CALL_24000, price: 428_85, volatility: 0.13 },
  { instrument: CALL_24500, price: 195_25, volatility: 0.125 },
  { instrument: PUT_24000, price: 291_20, volatility: 0.13 },
  { instrument: CALL_23500, price: 778_15, volatility: 0.14 },
];
const ports = marginPorts(
  riskMarket(new Map([[NIFTY, { spot: 24_000_00, volatility: 0.12 }]]), QUOTED),
  QUOTED.map(({ instrument }) => instrument),
);

/** A row a scenario: the future, the 24000 call, the 24500 call, the 24000 put. */
const LOSSES: readonly (readonly [number, number, number, number])[] = [
  [0, -98.24, -94.62, -102.82],
  [0, 114.31, 101.99, 109.73],
  [-744, -600.12, -475.19, 139.31],
  [-744, -469.73, -276.66, 269.69],
  [744, 219.59, 103.19, -528.98],
  [744, 381.14, 189.63, -367.44],
  [-1488, -1238.36, -1030.88, 245.06],
  [-1488, -1193.18, -935.53, 290.24],
  [1488, 369.04, 175.35, -1123.54],
  [1488, 426.74, 195.19, -1065.83],
  [-2232, -1947.21, -1700.7, 280.22],
  [-2232, -1936.25, -1672.79, 291.17],
  [2232, 417.45, 192.54, -1819.13],
  [2232, 428.85, 195.27, -1807.72],
  [-1562.4, -1458.88, -1366.62, 101.92],
  [1562.4, 150.11, 68.34, -1413.9],
];

test('every scenario of the worked arrays', () => {
  for (const [column, of] of [FUTURE, CALL_24000, CALL_24500, PUT_24000].entries()) {
    const losses = lossesOf(ports, of);
    for (const [index, row] of LOSSES.entries())
      near(losses[index], row[column], `scenario ${index + 1} of ${of.tradingSymbol}`);
  }
});

test('the composite delta of the call that is in no worked example', () => {
  const { delta } = riskSheet(ports).contract(CALL_23500.id);
  assert.ok(Math.abs(delta - 67_290) <= 10, `${delta}`);
});

function lossesOf(at: typeof ports, of: Derivative): number[] {
  return Array.from(riskSheet(at).contract(of.id).losses, (loss) => loss / 10_000);
}

function near(actual: number | undefined, rupees: number | undefined, what: string): void {
  const difference = must(actual, what) - must(rupees, what);
  assert.ok(Math.abs(difference) <= 0.006, `${what}: ${actual} is not ${rupees}`);
}
