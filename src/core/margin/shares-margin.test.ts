import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { marginPorts } from '../../../test/kit/margin-ports.ts';
import { type Fills, RELIANCE, riskMarket, row, share } from './margin-fixture.ts';
import { sharesMargin } from './shares-margin.ts';

const SHARE = share(RELIANCE);
/** A calm share: the rate of its group is the least, a fifth. Source: market-rules R4.20. */
const LAST = 1_000_00;
const market = riskMarket(new Map([[RELIANCE, { spot: LAST, volatility: 0.1 }]]), [{ instrument: SHARE, price: LAST }]);
const DESK = marginPorts(market, [SHARE]);

/** Units held at a price, below 0 when short, and the resting units on each side. Prices in paise. */
interface Shares {
  readonly net: number;
  readonly at: number;
  readonly buys: number;
  readonly buyAt: number;
  readonly sells: number;
  readonly sellAt: number;
}

function marginOf({ net, at, buys, buyAt, sells, sellAt }: Shares): number {
  const fills: Fills = net === 0 ? [] : [[net > 0 ? 'B' : 'S', Math.abs(net), at]];
  const open: Fills = [
    ...(buys === 0 ? [] : ([['B', buys, buyAt]] as const)),
    ...(sells === 0 ? [] : ([['S', sells, sellAt]] as const)),
  ];
  return sharesMargin(DESK, row(SHARE, 'I', fills, open));
}

/**
 * A fifth of the dearer world, share by share. In each world the orders of one side first fill against the held shares,
 * and every share that is left, or that opens, counts at its own price. A sale that opens counts at the last price at
 * least.
 */
function plainMargin({ net, at, buys, buyAt, sells, sellAt }: Shares): number {
  const worth = (held: number, units: number, price: number): number => {
    const closed = Math.min(held, units);
    return (held - closed) * at + (units - closed) * price;
  };
  const up = net < 0 ? worth(-net, buys, buyAt) : net * at + buys * buyAt;
  const short = Math.max(sellAt, LAST);
  const down = net > 0 ? worth(net, sells, short) : -net * at + sells * short;
  return Math.round(Math.max(up, down) / 5);
}

test('intraday shares need exactly a fifth of the dearer world', () => {
  const units = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2_000 }));
  const price = fc.integer({ min: 900_00, max: 1_100_00 });
  const shares = fc.record({
    net: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -2_000, max: 2_000 })),
    at: price,
    buys: units,
    buyAt: price,
    sells: units,
    sellAt: price,
  });
  fc.assert(
    fc.property(shares, (drawn) => {
      assert.equal(marginOf(drawn), plainMargin(drawn), JSON.stringify(drawn));
    }),
    { numRuns: 3_000 },
  );
});

test('a single share, held or ordered, needs a fifth of its value', () => {
  const none = { net: 0, at: 1_010_00, buys: 0, buyAt: 1_020_00, sells: 0, sellAt: 1_030_00 };
  assert.equal(marginOf(none), 0);
  assert.equal(marginOf({ ...none, net: 1 }), 202_00);
  assert.equal(marginOf({ ...none, net: -1 }), 202_00);
  assert.equal(marginOf({ ...none, buys: 1 }), 204_00);
  assert.equal(marginOf({ ...none, sells: 1 }), 206_00);
  assert.equal(marginOf({ ...none, sells: 1, sellAt: 990_00 }), 200_00, 'a low limit may fill at the last price');
});
