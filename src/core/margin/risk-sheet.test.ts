import assert from 'node:assert/strict';
import test from 'node:test';
import { marginPorts } from '../../../test/kit/margin-ports.ts';
import { price } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { Option } from '../instrument.ts';
import type { DecisionPorts } from '../ports.ts';
import { EVERY_DAY, type TradingDays } from '../trading-days.ts';
import { call, NIFTY, portfolio, type Quoted, RELIANCE, riskMarket, row, share, TODAY } from './margin-fixture.ts';
import { type SpanFile, type SpanFiles, spanKey } from './rates/span-file.ts';
import { requirement } from './requirement.ts';

const LOT = 500;
const OF_INDEX = call(2, 24_000);
/** A stock option in the money, whose delivery margin grows over its last trading days. */
const CALL = call(3, 1_240, 8, RELIANCE);
const QUOTED: readonly Quoted[] = [
  { instrument: share(RELIANCE), price: 1_260_00 },
  { instrument: CALL, price: 25_00, volatility: 0.2 },
  { instrument: OF_INDEX, price: 428_85, volatility: 0.13 },
];
const SHOWN = new Map([
  [RELIANCE, { spot: 1_260_00, volatility: 0.2 }],
  [NIFTY, { spot: 24_000_00, volatility: 0.12 }],
]);
/** Every other day trades. */
const HALF_OF_THEM: TradingDays = { ...EVERY_DAY, isTradingDay: (day: IstDay) => day % 2 === 0 };

/** A file of NFO with one index at this spot, in paise. */
function filesAt(spot: number): SpanFiles {
  const stated = { price: price(428_85), losses: new Float64Array(16), delta: 50_000 };
  const contracts = new Map([[spanKey(OF_INDEX.expiryDay, OF_INDEX as Option), stated]]);
  const nifty = { symbol: 'NIFTY', spot: price(spot), calendarRate: undefined, shortOptionMinimum: 0, contracts };
  const file: SpanFile = { digest: 'a', exchange: 'NFO', day: TODAY, underlyings: new Map([['NIFTY', nifty]]) };
  return { get: () => file };
}

/** Ports over one market that all tests of this file share, as a service and a reader beside it would. */
const SHARED = marginPorts(
  riskMarket(SHOWN, QUOTED),
  QUOTED.map(({ instrument }) => instrument),
);
function portsWith(differing: Partial<DecisionPorts>): DecisionPorts {
  return { ...SHARED, ...differing };
}

const bought = () => portfolio(row(CALL, 'M', [['B', LOT, 25_00]]));
const sold = () => portfolio(row(OF_INDEX, 'M', [['S', 65, 428_85]]));

/** The requirement of rows under `ports` while no other reader has asked for anything: over a market of their own. */
function alone(ports: DecisionPorts, rows: typeof bought) {
  return requirement({ ...ports, market: Object.create(ports.market) }, rows());
}

test('a decision keeps to its own trading days after a read by others', () => {
  const [reader, decider] = [portsWith({ days: EVERY_DAY }), portsWith({ days: HALF_OF_THEM })];
  assert.notDeepEqual(alone(reader, bought), alone(decider, bought), 'the trading days change the margin');
  const books = bought();
  requirement(reader, books);
  assert.deepEqual(requirement(decider, bought()), alone(decider, bought), 'of a wish');
  assert.deepEqual(requirement(decider, books), alone(decider, bought), 'of the books that were read');
});

test('a decision keeps to its own SPAN files after a read by others', () => {
  const riskFiles = ['a'];
  const reader = portsWith({ riskFiles, spanFiles: filesAt(24_000_00) });
  const decider = portsWith({ riskFiles, spanFiles: filesAt(30_000_00) });
  assert.notDeepEqual(alone(reader, sold), alone(decider, sold), 'the files make a difference');
  const books = sold();
  requirement(reader, books);
  assert.deepEqual(requirement(decider, sold()), alone(decider, sold), 'of a wish');
  assert.deepEqual(requirement(decider, books), alone(decider, sold), 'of the books that were read');
});
