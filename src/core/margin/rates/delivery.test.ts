import assert from 'node:assert/strict';
import test from 'node:test';
import { marginPorts } from '../../../../test/kit/margin-ports.ts';
import type { IstDay } from '../../../base/time.ts';
import type { Derivative } from '../../instrument.ts';
import {
  call,
  contract,
  portfolio,
  put,
  type Quoted,
  RELIANCE,
  riskMarket,
  row,
  share,
  TODAY,
} from '../margin-fixture.ts';
import { requirement } from '../requirement.ts';
import { riskSheet } from '../risk-sheet.ts';

/** RELIANCE at 1260 with a VaR of 9 % and an ELM of 3.5 %; contracts of 500 that expire in thirty days. */
const LOT = 500;
const FUTURE = contract(2, { kind: 'future' }, 30, RELIANCE);
const CALL = call(3, 1_240, 30, RELIANCE);
const OUT = call(4, 1_280, 30, RELIANCE);
const PUT = put(6, 1_280, 30, RELIANCE);
/** At the money. */
const AT_CALL = call(7, 1_260, 30, RELIANCE);
const AT_PUT = put(8, 1_260, 30, RELIANCE);
const QUOTED: readonly Quoted[] = [
  { instrument: share(RELIANCE), price: 1_260_00 },
  { instrument: FUTURE, price: 1_262_00 },
  { instrument: CALL, price: 25_00, volatility: 0.2 },
  { instrument: OUT, price: 4_00, volatility: 0.2 },
  { instrument: PUT, price: 22_00, volatility: 0.2 },
  { instrument: AT_CALL, price: 12_00, volatility: 0.2 },
  { instrument: AT_PUT, price: 12_00, volatility: 0.2 },
];
const market = riskMarket(new Map([[RELIANCE, { spot: 1_260_00, volatility: 0.2 }]]), QUOTED);

function marginOf(of: Derivative, side: 'B' | 'S', daysLeft: number) {
  const ports = marginPorts(
    market,
    QUOTED.map(({ instrument }) => instrument),
    (TODAY + 30 - daysLeft) as IstDay,
  );
  return requirement(ports, portfolio(row(of, 'M', [[side, LOT, 25_00]])));
}

test('a long stock option in the money adds a growing share of VaR and ELM of its strike value', () => {
  const added = [5, 4, 3, 2, 1, 0].map((daysLeft) => marginOf(CALL, 'B', daysLeft).exposure);
  assert.deepEqual(added, [0, 7_750_00, 19_375_00, 34_875_00, 54_250_00, 77_500_00]);
  assert.equal(marginOf(PUT, 'B', 1).exposure, 56_000_00);
  assert.deepEqual([marginOf(AT_CALL, 'B', 1).exposure, marginOf(AT_PUT, 'B', 1).exposure], [0, 0], 'at the money');
});

test('a long option out of the money adds nothing, and no long option needs SPAN', () => {
  for (const daysLeft of [4, 1, 0]) {
    assert.equal(marginOf(OUT, 'B', daysLeft).exposure, 0);
    assert.equal(marginOf(CALL, 'B', daysLeft).span, 0);
  }
});

test('on the day of expiry futures and short options need one and a half times normal, at most half of their value', () => {
  for (const side of ['B', 'S'] as const) {
    const before = marginOf(FUTURE, side, 1);
    const normal = before.span + before.exposure;
    const last = marginOf(FUTURE, side, 0);
    assert.equal(last.span + last.exposure, Math.round(normal * 1.5));
  }
  const normal = marginOf(CALL, 'S', 0);
  const usual = 0.035 * 1_260_00 * LOT;
  const raised = normal.span + normal.exposure;
  assert.ok(Math.abs(raised - 1.5 * (normal.span + usual)) <= 1, `${raised}`);
  assert.ok(raised < 0.5 * 1_240_00 * LOT);
});

test('on the day of expiry the margin is half of the value when that is less than one and a half times normal', () => {
  const wild = riskMarket(new Map([[RELIANCE, { spot: 1_260_00, volatility: 0.75 }]]), QUOTED);
  const ports = marginPorts(
    wild,
    QUOTED.map(({ instrument }) => instrument),
    (TODAY + 30) as IstDay,
  );
  const parts = requirement(ports, portfolio(row(FUTURE, 'M', [['S', LOT, 1_262_00]])));
  assert.equal(parts.span + parts.exposure, (1_262_00 * LOT) / 2);
});

test('index contracts are settled in cash and add nothing', () => {
  const index = call(9, 24_000);
  const quoted = [{ instrument: index, price: 428_85, volatility: 0.13 }];
  const at = riskMarket(new Map([[index.underlying, { spot: 25_000_00, volatility: 0.12 }]]), quoted);
  const ports = marginPorts(at, [index], (TODAY + 29) as IstDay);
  assert.equal(requirement(ports, portfolio(row(index, 'M', [['B', 65, 428_85]]))).exposure, 0);
});

test('the volatility of a stock moves by ten points when a quarter of it is less', () => {
  const ports = marginPorts(
    market,
    QUOTED.map(({ instrument }) => instrument),
  );
  const risk = riskSheet(ports).contract(CALL.id);
  const figures = market.risk(CALL.id, ports.riskTick);
  assert.equal(risk.losses[0], Math.round((figures.value - figures.reprice(0, 0.1)) * 100));
  assert.equal(risk.shortMinimum, 0, 'only a file states a least margin');
});
