import assert from 'node:assert/strict';
import test from 'node:test';
import { marginPorts } from '../../../test/kit/margin-ports.ts';
import type { IstDay } from '../../base/time.ts';
import type { Portfolio, Position } from '../account.ts';
import { addOpen } from '../position.ts';
import {
  call,
  contract,
  NIFTY,
  NO_PARTS,
  portfolio,
  put,
  type Quoted,
  RELIANCE,
  riskMarket,
  row,
  share,
  TODAY,
  totalOf,
} from './margin-fixture.ts';
import { requirement } from './requirement.ts';

const LOT = 65;
const FUTURE = contract(2, { kind: 'future' });
const CALL = call(3, 24_000);
const HIGHER = call(4, 24_500);
const PUT = put(6, 23_500);
const SHARE = share(RELIANCE);
const NIMBLE = share(8, { hasDerivatives: false, series: 'SM' });
const QUOTED: readonly Quoted[] = [
  { instrument: FUTURE, price: 24_138_50 },
  { instrument: CALL, price: 428_85, volatility: 0.13 },
  { instrument: HIGHER, price: 195_25, volatility: 0.125 },
  { instrument: PUT, price: 143_30, volatility: 0.14 },
  { instrument: SHARE, price: 1_260_00 },
  { instrument: NIMBLE, price: 1_260_00 },
];
const SHOWN = new Map([
  [NIFTY, { spot: 24_000_00, volatility: 0.12 }],
  [RELIANCE, { spot: 1_260_00, volatility: 0.2 }],
  [NIMBLE.id, { spot: 1_260_00, volatility: 0.2 }],
]);
const INSTRUMENTS = QUOTED.map(({ instrument }) => instrument);
const market = riskMarket(SHOWN, QUOTED);
const ports = marginPorts(market, INSTRUMENTS);

/** The requirement of rows, once from the books and once as a wish. */
function marginOf(...rows: readonly Position[]) {
  const parts = requirement(ports, portfolio(...rows));
  assert.deepEqual(requirement(ports, undefined, rows), parts, 'a wish is measured as the books are');
  return parts;
}

const SHORT_CALL = row(CALL, 'M', [['S', LOT, 428_85]]);
const NAKED = marginOf(SHORT_CALL);

test('a long option blocks its premium while it rests, and nothing once it is paid', () => {
  assert.deepEqual(marginOf(row(CALL, 'M', [['B', LOT, 428_85]])), NO_PARTS);
  assert.deepEqual(marginOf(row(CALL, 'M', [], [['B', LOT, 428_85]])), { ...NO_PARTS, premium: 27_875_25 });
});

test('contracts of one underlying offset each other, and products of one contract are one', () => {
  const spread = marginOf(SHORT_CALL, row(HIGHER, 'I', [['B', LOT, 195_25]]));
  assert.ok(spread.span < NAKED.span / 4);
  const flat = marginOf(row(FUTURE, 'M', [['B', LOT, 24_138_50]]), row(FUTURE, 'I', [['S', LOT, 24_138_50]]));
  assert.deepEqual(flat, NO_PARTS);
});

test('a resting hedge gives no benefit before it is filled, and needs no margin by itself', () => {
  const resting = marginOf(SHORT_CALL, row(HIGHER, 'M', [], [['B', LOT, 195_25]]));
  assert.deepEqual(resting, NAKED);
});

test('the resting sale of a hedge is margined as if the hedge were gone', () => {
  const hedge = row(HIGHER, 'M', [['B', LOT, 195_25]]);
  const selling = row(HIGHER, 'M', [['B', LOT, 195_25]], [['S', LOT, 190_00]]);
  assert.ok(totalOf(marginOf(SHORT_CALL, hedge)) < totalOf(NAKED));
  assert.deepEqual(marginOf(SHORT_CALL, selling), NAKED);
});

test('a closing order needs no margin, and two of them are margined as the short that they open together', () => {
  const held = row(FUTURE, 'M', [['B', LOT, 24_138_50]]);
  const closing = row(FUTURE, 'M', [['B', LOT, 24_138_50]], [['S', LOT, 24_000_00]]);
  assert.deepEqual(marginOf(closing), marginOf(held));
  addOpen(closing, 'S', 2 * LOT, 2 * LOT * 24_000_00);
  assert.equal(marginOf(closing).span, 2 * marginOf(held).span);
  const buyingBack = row(CALL, 'M', [['S', LOT, 428_85]], [['B', 2 * LOT, 400_00]]);
  assert.deepEqual(marginOf(buyingBack), NAKED, 'the world in which nothing is filled needs more than the premium');
});

test('orders on both sides never need less than the held position', () => {
  const held = row(FUTURE, 'M', [['B', LOT, 24_138_50]]);
  const leaving = row(FUTURE, 'M', [['B', LOT, 24_138_50]], [['S', LOT, 24_138_50]]);
  const hedging = row(PUT, 'M', [], [['B', LOT, 1]]);
  assert.deepEqual(marginOf(leaving, hedging), marginOf(held));
});

test('buys and sells that gain from the same move add up', () => {
  const buying = row(FUTURE, 'M', [], [['B', LOT, 24_138_50]]);
  const writing = row(PUT, 'M', [], [['S', LOT, 143_30]]);
  const filled = marginOf(row(FUTURE, 'M', [['B', LOT, 24_138_50]]), row(PUT, 'M', [['S', LOT, 143_30]]));
  assert.ok(totalOf(filled) > totalOf(marginOf(buying)) + totalOf(marginOf(writing)) / 2);
  assert.deepEqual(marginOf(buying, writing), filled);
});

test('the premium of resting buys is blocked in addition to the margin of a resting short', () => {
  const writing = row(CALL, 'M', [], [['S', LOT, 428_85]]);
  const paying = row(PUT, 'M', [], [['B', 10 * LOT, 143_30]]);
  assert.equal(marginOf(writing, paying).premium, 10 * LOT * 143_30);
});

test('a resting exit does not reduce the held position when another order gains from the same move', () => {
  const leaving = row(FUTURE, 'M', [['B', LOT, 24_138_50]], [['S', LOT, 25_000_00]]);
  const held = row(FUTURE, 'M', [['B', LOT, 24_138_50]]);
  const writing = row(PUT, 'M', [], [['S', LOT, 143_30]]);
  assert.deepEqual(marginOf(leaving, writing), marginOf(held, writing), 'without the exit nothing is added');
});

test('a wish is measured without a change of the books', () => {
  const books = portfolio(SHORT_CALL);
  const wish = row(HIGHER, 'M', [['B', LOT, 195_25]]);
  const spread = marginOf(SHORT_CALL, wish);
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual(requirement(ports, books, [wish]), spread);
    assert.deepEqual(requirement(ports, books), NAKED);
  }
});

test('changed rows are added up again, and new figures get new sums', () => {
  const changing = row(CALL, 'M', [['S', LOT, 428_85]]);
  const books = portfolio(changing);
  assert.deepEqual(requirement(ports, books), NAKED);
  addOpen(changing, 'S', LOT, LOT * 428_85);
  books.touched.push(CALL.id);
  assert.equal(requirement(ports, books).span, marginOf(row(CALL, 'M', [['S', 2 * LOT, 428_85]])).span);
  const jumpy = marginPorts(riskMarket(new Map([[NIFTY, { spot: 24_000_00, volatility: 0.3 }]]), QUOTED), INSTRUMENTS);
  assert.ok(requirement(jumpy, books).span > 2 * NAKED.span);
});

function keptSums({ sums }: Portfolio) {
  return sums;
}

test('a wish beyond exact sums leaves no trace in the margin of the books', () => {
  const books = portfolio(SHORT_CALL, row(FUTURE, 'M', [['B', LOT, 24_138_50]]));
  const margin = requirement(ports, books);
  const wishes = [CALL, HIGHER, PUT].map((of) => row(of, 'M', [], [['S', 3_333_333_335, 1]]));
  for (let round = 0; round < 3; round += 1) {
    assert.ok(requirement(ports, books, wishes).span > 1e14);
    assert.equal(keptSums(books), undefined, 'sums that may have lost digits are not kept');
    assert.deepEqual(requirement(ports, books), margin);
    assert.ok(keptSums(books)?.isExact);
  }
});

test('orders that cancel each other out still count as beyond exact sums', () => {
  const books = portfolio(SHORT_CALL);
  const margin = requirement(ports, books);
  const wishes = [CALL, HIGHER, PUT].map((of) =>
    row(
      of,
      'M',
      [],
      [
        ['B', 3_333_333_335, 1],
        ['S', 3_333_333_335, 1],
      ],
    ),
  );
  requirement(ports, books, wishes);
  assert.equal(keptSums(books), undefined, 'sums that may have lost digits are not kept');
  assert.deepEqual(requirement(ports, books), margin);
});

test('near a delivery sums lose their last digits sooner, and are then not kept', () => {
  const expiring = [call(40, 1_260, 0, RELIANCE), call(41, 1_200, 0, RELIANCE), call(42, 1_300, 0, RELIANCE)] as const;
  const [sold, bought, other] = expiring;
  const quoted = expiring.map((instrument) => ({ instrument, price: 40_00, volatility: 0.2 }));
  const at = marginPorts(riskMarket(SHOWN, [...QUOTED, ...quoted]), [...INSTRUMENTS, ...expiring]);
  const books = portfolio(row(sold, 'M', [['S', 500, 40_00]]));
  const margin = requirement(at, books);
  const units = 70_000_000;
  for (const side of ['S', 'B'] as const) {
    const of = side === 'S' ? sold : bought;
    requirement(at, books, [row(of, 'M', [[side, units, 1]]), row(other, 'M', [[side, units, 1]])]);
    assert.equal(keptSums(books), undefined, side);
    assert.deepEqual(requirement(at, books), margin);
  }
});

test('sums are kept however often somebody asks about large orders', () => {
  const books = portfolio(SHORT_CALL);
  for (let round = 0; round < 200; round += 1) {
    requirement(ports, books, [row(CALL, 'M', [], [['S', 500_000, 1]])]);
    requirement(ports, books);
    assert.ok(keptSums(books)?.isExact, `round ${round}`);
  }
});

test('shares block the full value of delivery buys, and a fifth of the larger world of intraday rows', () => {
  assert.equal(marginOf(row(SHARE, 'C', [], [['B', 100, 1_260_00]])).cash, 126_000_00);
  assert.equal(marginOf(row(SHARE, 'C', [], [['S', 100, 1_260_00]])).cash, 0);
  assert.equal(marginOf(row(SHARE, 'I', [], [['B', 100, 1_260_00]])).cash, 25_200_00);
  assert.equal(marginOf(row(SHARE, 'M', [['B', 100, 1_260_00]])).cash, 25_200_00);
  assert.equal(marginOf(row(SHARE, 'I', [], [['S', 100, 1_266_30]])).cash, 25_326_00);
  assert.equal(marginOf(row(SHARE, 'I', [], [['S', 100, 1_200_00]])).cash, 25_200_00);
  assert.equal(marginOf(row(SHARE, 'I', [['B', 100, 1_260_00]], [['S', 100, 1_300_00]])).cash, 25_200_00);
  assert.equal(marginOf(row(SHARE, 'I', [['B', 100, 1_260_00]], [['S', 300, 1_300_00]])).cash, 52_000_00);
  assert.equal(marginOf(row(SHARE, 'I', [['S', 100, 1_260_00]], [['B', 40, 1_250_00]])).cash, 25_200_00);
});

test('a share of the second group blocks a quarter of its value', () => {
  assert.equal(marginOf(row(NIMBLE, 'I', [], [['B', 100, 1_260_00]])).cash, 31_500_00);
});

test('shares and contracts of one stock are one portfolio and do not offset each other', () => {
  const future = contract(30, { kind: 'future' }, 30, RELIANCE);
  const at = marginPorts(riskMarket(SHOWN, [...QUOTED, { instrument: future, price: 1_268_00 }]), [
    ...INSTRUMENTS,
    future,
  ]);
  const books = portfolio(row(SHARE, 'I', [['S', 500, 1_260_00]]), row(future, 'M', [['B', 500, 1_268_00]]));
  const alone = requirement(at, portfolio(row(future, 'M', [['B', 500, 1_268_00]])));
  assert.deepEqual(requirement(at, books), { ...alone, cash: 126_000_00 });
  assert.equal(alone.span, Math.round(0.142 * 1_260_00 * 500));
  assert.equal(alone.exposure, Math.round(0.035 * 1_268_00 * 500));
});

test('shares and contracts of one portfolio are each measured as if alone', () => {
  const [future, option] = [contract(30, { kind: 'future' }, 30, RELIANCE), call(31, 1_300, 30, RELIANCE)];
  const quoted = [
    { instrument: future, price: 1_268_00 },
    { instrument: option, price: 20_00, volatility: 0.2 },
  ];
  const at = marginPorts(riskMarket(SHOWN, [...QUOTED, ...quoted]), [...INSTRUMENTS, future, option]);
  const shares = row(SHARE, 'I', [['S', 500, 1_260_00]]);
  const contracts = [row(future, 'M', [['B', 500, 1_268_00]]), row(option, 'M', [['S', 500, 20_00]])];
  const alone = requirement(at, portfolio(...contracts));
  assert.ok(alone.span > 0);
  const together = { ...alone, cash: 126_000_00 };
  assert.deepEqual(requirement(at, portfolio(shares), contracts), together);
  assert.deepEqual(requirement(at, portfolio(...contracts), [shares]), together);
  assert.deepEqual(requirement(at, portfolio(), [shares, ...contracts]), together);
  assert.deepEqual(requirement(at, undefined, [...contracts, shares]), together);
  assert.deepEqual(requirement(at, portfolio(shares)), { ...NO_PARTS, cash: 126_000_00 });
});

test('a wish for one product adds to the position in the other product', () => {
  const books = portfolio(row(CALL, 'M', [['S', LOT, 428_85]]), row(CALL, 'I', [['S', LOT, 428_85]]));
  const wish = row(CALL, 'I', [['S', 2 * LOT, 428_85]]);
  assert.equal(requirement(ports, books, [wish]).span, marginOf(row(CALL, 'M', [['S', 3 * LOT, 428_85]])).span);
  const shares = portfolio(row(SHARE, 'M', [['B', 100, 1_260_00]]), row(SHARE, 'I', [['B', 100, 1_260_00]]));
  assert.equal(requirement(ports, shares, [row(SHARE, 'I', [['B', 300, 1_260_00]])]).cash, 4 * 25_200_00);
});

test('one unit needs its own margin, and a closing purchase blocks no premium, not even a paisa', () => {
  const future = marginOf(row(FUTURE, 'M', [['B', 1, 24_138_50]]));
  assert.equal(future.span, 0.093 * 24_000_00);
  assert.equal(future.exposure, Math.round(0.02 * 24_138_50));
  assert.equal(marginOf(row(FUTURE, 'M', [['S', 1, 24_138_50]])).span, future.span);
  assert.equal(marginOf(row(CALL, 'M', [], [['B', 1, 1]])).premium, 1);
  const sold = marginOf(row(CALL, 'M', [['S', 1, 428_85]]));
  assert.deepEqual(marginOf(row(CALL, 'M', [['S', 1, 428_85]], [['B', 1, 1]])), sold);
});

test('futures of two expiries on one side add up; one unit of each on opposite sides is a pair', () => {
  const far = contract(32, { kind: 'future' }, 60);
  const [near, later] = [24_138_50, 24_277_00];
  const shown = [...QUOTED, { instrument: far, price: later }];
  const at = marginPorts(riskMarket(SHOWN, shown), [...INSTRUMENTS, far]);
  const exposure = (...rows: readonly Position[]) => requirement(at, portfolio(...rows)).exposure;
  const held = (units: number) => row(FUTURE, 'M', [['B', units, near]]);
  assert.equal(exposure(held(LOT), row(far, 'M', [['B', LOT, later]])), Math.round(0.02 * LOT * (near + later)));
  const pair = (units: number) => exposure(held(units), row(far, 'M', [['S', units, later]]));
  assert.deepEqual([pair(1), pair(LOT)], [Math.round((0.02 * later) / 3), Math.round((0.02 * LOT * later) / 3)]);
  assert.equal(exposure(held(2), row(far, 'M', [['S', 1, later]])), Math.round(0.02 * (near + later / 3)));
});

test('expired contracts block nothing, however many they are', () => {
  const later = marginPorts(market, INSTRUMENTS, (TODAY + 31) as IstDay);
  for (const side of ['B', 'S'] as const) {
    for (const expired of [FUTURE, CALL, PUT]) {
      const books = portfolio(row(expired, 'M', [[side, 10_000_000, 100_00]]));
      assert.deepEqual(requirement(later, books), NO_PARTS);
    }
  }
});

test('an expired contract offsets no living contract', () => {
  const far = contract(32, { kind: 'future' }, 60);
  const shown = [...QUOTED, { instrument: far, price: 24_277_00 }];
  const later = marginPorts(riskMarket(SHOWN, shown), [...INSTRUMENTS, far], (TODAY + 31) as IstDay);
  const alone = requirement(later, portfolio(row(far, 'M', [['S', LOT, 24_277_00]])));
  const expired = row(FUTURE, 'M', [['B', 10_000_000, 24_138_50]]);
  assert.deepEqual(requirement(later, portfolio(expired, row(far, 'M', [['S', LOT, 24_277_00]]))), alone);
});

test('kept sums belong to one market, one tick and one set of instruments', () => {
  const books = portfolio(row(CALL, 'M', [['S', LOT, 428_85]]));
  assert.deepEqual(requirement(ports, books), NAKED);
  const jumpy = { ...ports, market: riskMarket(new Map([[NIFTY, { spot: 24_000_00, volatility: 0.3 }]]), QUOTED) };
  assert.ok(requirement(jumpy, books).span > NAKED.span);
  assert.deepEqual(requirement(ports, books), NAKED);
  const strike = call(CALL.id, 27_000);
  const renamed = { ...ports, instruments: { get: (id: typeof CALL.id) => (id === CALL.id ? strike : undefined) } };
  assert.notDeepEqual(requirement(renamed, books), NAKED);
  assert.deepEqual(requirement(renamed, books), requirement(renamed, portfolio(row(CALL, 'M', [['S', LOT, 428_85]]))));
  assert.deepEqual(requirement(ports, books), NAKED);
  const tomorrow = marginPorts(market, INSTRUMENTS, (TODAY + 1) as IstDay);
  assert.notDeepEqual(requirement({ ...tomorrow, instruments: ports.instruments }, books), NAKED);
  assert.deepEqual(requirement(ports, books), NAKED);
});
