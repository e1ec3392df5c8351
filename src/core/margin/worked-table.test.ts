import assert from 'node:assert/strict';
import test from 'node:test';
import { marginPorts } from '../../../test/kit/margin-ports.ts';
import { must } from '../../base/assert.ts';
import type { IstDay } from '../../base/time.ts';
import type { Derivative } from '../instrument.ts';
import { call, contract, NIFTY, portfolio, put, type Quoted, riskMarket, row, TODAY } from './margin-fixture.ts';
import { explainRequirement, requirement } from './requirement.ts';
import { riskSheet } from './risk-sheet.ts';

/*
 * The worked examples of market-rules 4.1 and 4.3: S 24000, r 7 %, 30 days, lot 65, scan range 2232, volatility range 4
 * %.
 */

const LOT = 65;
const FUTURE = contract(2, { kind: 'future' });
const FAR = contract(3, { kind: 'future' }, 60);
const CALL_24000 = call(4, 24_000);
const CALL_24500 = call(5, 24_500);
const CALL_25000 = call(6, 25_000);
const PUT_24000 = put(7, 24_000);
const PUT_23500 = put(8, 23_500);
const PUT_23000 = put(9, 23_000);

const QUOTED: readonly Quoted[] = [
  { instrument: FUTURE, price: 24_138_50 },
  { instrument: FAR, price: 24_420_00 },
  { instrument: CALL_24000, price: 428_85, volatility: 0.13 },
  { instrument: CALL_24500, price: 195_25, volatility: 0.125 },
  { instrument: CALL_25000, price: 70_80, volatility: 0.122 },
  { instrument: PUT_24000, price: 291_20, volatility: 0.13 },
  { instrument: PUT_23500, price: 143_30, volatility: 0.14 },
  { instrument: PUT_23000, price: 65_95, volatility: 0.15 },
];
const SHOWN = new Map([[NIFTY, { spot: 24_000_00, volatility: 0.12 }]]);
const INSTRUMENTS = QUOTED.map(({ instrument }) => instrument);
const ports = marginPorts(riskMarket(SHOWN, QUOTED), INSTRUMENTS);
/** The same arrays on the day that everything of 30 days expires. */
const expiryDesk = marginPorts(riskMarket(SHOWN, QUOTED, 30), INSTRUMENTS, (TODAY + 30) as IstDay);

type Lots = readonly (readonly [Derivative, lots: number])[];

function held(legs: Lots) {
  return portfolio(
    ...legs.map(([instrument, lots]) => {
      const quoted = must(
        QUOTED.find((one) => one.instrument === instrument),
        'it is quoted',
      );
      return row(instrument, 'M', [[lots > 0 ? 'B' : 'S', Math.abs(lots) * LOT, quoted.price]]);
    }),
  );
}

function near(paise: number, rupees: number, what: string): void {
  assert.ok(Math.abs(paise - rupees * 100) <= 5, `${what}: ${paise / 100} is not ${rupees}`);
}

interface Example {
  readonly name: string;
  readonly legs: Lots;
  readonly scan: number;
  readonly worst: number;
  readonly optionValue: number;
  readonly span: number;
  readonly exposure: number;
  readonly total: number;
  readonly onExpiryDay?: boolean;
}

const TABLE: readonly Example[] = [
  ex('a long future', [[FUTURE, 1]], 145_080, 13, 0, 145_080, 31_380.05, 176_460.05),
  ex('a short 24000 call', [[CALL_24000, -1]], 126_568.46, 11, -27_875.25, 154_443.71, 31_200, 185_643.71),
  {
    ...ex(
      'a short 24000 call on expiry day',
      [[CALL_24000, -1]],
      126_568.46,
      11,
      -27_875.25,
      154_443.71,
      62_400,
      216_843.71,
    ),
    onExpiryDay: true,
  },
  ex('a long 24000 call', [[CALL_24000, 1]], 27_875.48, 14, 27_875.25, 0, 0, 0),
  ex(
    'a bull call spread',
    [
      [CALL_24000, 1],
      [CALL_24500, -1],
    ],
    15_183.19,
    14,
    15_184,
    0,
    31_200,
    31_200,
  ),
  ex(
    'a bear call spread',
    [
      [CALL_24000, -1],
      [CALL_24500, 1],
    ],
    17_125.04,
    12,
    -15_184,
    32_309.04,
    31_200,
    63_509.04,
  ),
  ex(
    'a short straddle',
    [
      [CALL_24000, -1],
      [PUT_24000, -1],
    ],
    108_354.4,
    11,
    -46_803.25,
    155_157.65,
    62_400,
    217_557.65,
  ),
  ex(
    'a short strangle',
    [
      [CALL_24500, -1],
      [PUT_23500, -1],
    ],
    101_549.07,
    11,
    -22_005.75,
    123_554.82,
    62_400,
    185_954.82,
  ),
  ex(
    'an iron condor',
    [
      [CALL_24500, -1],
      [PUT_23500, -1],
      [CALL_25000, 1],
      [PUT_23000, 1],
    ],
    19_082.02,
    12,
    -13_117,
    32_199.02,
    62_400,
    94_599.02,
  ),
  ex(
    'a future with a long put',
    [
      [FUTURE, 1],
      [PUT_24000, 1],
    ],
    27_577.99,
    14,
    18_928,
    8_649.99,
    31_380.05,
    40_030.04,
  ),
  ex(
    'a future with a short call',
    [
      [FUTURE, 1],
      [CALL_24500, -1],
    ],
    132_564.58,
    13,
    -12_691.25,
    145_255.83,
    62_580.05,
    207_835.88,
  ),
];

function ex(
  name: string,
  legs: Lots,
  scan: number,
  worst: number,
  optionValue: number,
  span: number,
  exposure: number,
  total: number,
): Example {
  return { name, legs, scan, worst, optionValue, span, exposure, total };
}

for (const { name, legs, scan, worst, optionValue, span, exposure, total, onExpiryDay } of TABLE) {
  test(`the worked margin of ${name}`, () => {
    const at = onExpiryDay === true ? expiryDesk : ports;
    const parts = requirement(at, held(legs));
    const { margin } = must(explainRequirement(at, held(legs)), 'there are contracts');
    near(margin.scan / 100, scan, 'scan');
    assert.equal(margin.worst, worst);
    near(margin.optionValue / 100, optionValue, 'option value');
    near(parts.span, span, 'SPAN');
    near(parts.exposure, exposure, 'exposure');
    near(parts.span + parts.exposure, total, 'total');
    assert.equal(parts.premium, 0);
    assert.equal(parts.cash, 0);
  });
}

test('the extracts of the arrays: the loss of one long unit', () => {
  const losses = (of: Derivative) => riskSheet(ports).contract(of.id).losses;
  const expected: readonly (readonly [Derivative, scenario: number, rupees: number])[] = [
    [CALL_24000, 1, -98.24],
    [CALL_24000, 4, -469.73],
    [CALL_24000, 11, -1947.21],
    [CALL_24000, 12, -1936.25],
    [CALL_24000, 13, 417.45],
    [CALL_24000, 14, 428.85],
    [CALL_24000, 15, -1458.88],
    [CALL_24000, 16, 150.11],
    [CALL_24500, 14, 195.27],
    [PUT_24000, 11, 280.22],
    [PUT_24000, 13, -1819.13],
    [PUT_24000, 14, -1807.72],
    [PUT_24000, 16, -1413.9],
    [FUTURE, 11, -2232],
    [FUTURE, 13, 2232],
    [FUTURE, 15, -1562.4],
    [FUTURE, 16, 1562.4],
  ];
  for (const [of, scenario, rupees] of expected) {
    const loss = must(losses(of)[scenario - 1], 'there are sixteen') / 10_000;
    assert.ok(
      Math.abs(loss - rupees) <= 0.006,
      `scenario ${scenario} of ${of.tradingSymbol}: ${loss} is not ${rupees}`,
    );
  }
});

test('composite deltas are the weighted mean over seven price points', () => {
  const delta = (of: Derivative) => riskSheet(ports).contract(of.id).delta / 10;
  assert.equal(delta(FUTURE), 10_000);
  const expected: readonly (readonly [Derivative, number])[] = [
    [CALL_24000, 5_409],
    [CALL_24500, 3_997],
    [PUT_24000, -4_591],
    [PUT_23500, -3_271],
    [PUT_23000, -2_179],
    [CALL_25000, 2_694],
  ];
  for (const [of, wanted] of expected) {
    assert.ok(Math.abs(delta(of) - wanted) <= 1, `${of.tradingSymbol}: ${delta(of)} is not ${wanted}`);
  }
});

test('a calendar spread needs the charge and a third of the exposure of the later future', () => {
  for (const lots of [1, -1]) {
    const parts = requirement(
      ports,
      held([
        [FUTURE, lots],
        [FAR, -lots],
      ]),
    );
    assert.equal(parts.span, 27_777_75);
    assert.equal(parts.exposure, 10_582_00);
  }
});

test('on the day of the near expiry a calendar spread is margined as two outright futures', () => {
  const spread = requirement(
    expiryDesk,
    held([
      [FUTURE, 1],
      [FAR, -1],
    ]),
  );
  const outright = [held([[FUTURE, 1]]), held([[FAR, -1]])].map((one) => requirement(expiryDesk, one));
  assert.equal(
    spread.span,
    outright.reduce((sum, parts) => sum + parts.span, 0),
  );
  assert.equal(
    spread.exposure,
    outright.reduce((sum, parts) => sum + parts.exposure, 0),
  );
  assert.equal(spread.span, 2 * 145_080_00);
});

test('margins agree with the settlement file of 29-May-2026 within five per cent', () => {
  const sold = call(20, 23_700, 32);
  const future = contract(21, { kind: 'future' }, 32);
  const quoted: readonly Quoted[] = [
    { instrument: sold, price: 437_65, volatility: 0.158_629_683 },
    { instrument: future, price: 23_748_46 },
  ];
  const shown = new Map([[NIFTY, { spot: 23_547_75, volatility: 0.175_669 }]]);
  const at = marginPorts(riskMarket(shown, quoted), [sold, future]);
  const ofFuture = requirement(at, portfolio(row(future, 'M', [['B', LOT, 23_748_46]])));
  assert.ok(Math.abs(ofFuture.span - 143_720_00) < 10_00, `${ofFuture.span}`);
  assert.equal(ofFuture.exposure, 30_873_00);
  const ofCall = requirement(at, portfolio(row(sold, 'M', [['S', LOT, 437_65]])));
  assert.equal(ofCall.exposure, 30_612_08);
  const total = (ofCall.span + ofCall.exposure) / 100;
  assert.ok(Math.abs(total / 172_285 - 1) < 0.05, `${total} is within five per cent of the file's 172285`);
  assert.ok(Math.abs(total - 176_034.8) < 176_034.8 * 0.002, `${total} is near the replay's 176034.80`);
});
