import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Price, price } from '../../../base/money.ts';
import { Flexes, type MinutePrices } from './flexes.ts';
import { slidBand } from './sliding-band.ts';

const BASE = price(1_260_00);
const OPEN = 555;
const CLOSE = 930;

/** A day whose minutes have one price each, with a trade a second. */
function dayOf(priceAt: (minute: number) => number, trades = 60): MinutePrices {
  return {
    tick: price(10),
    open: OPEN,
    close: CLOSE,
    highest: priceAt,
    lowest: priceAt,
    tradesBeyond: (minute, level, up) => (up === priceAt(minute) >= level ? trades : 0),
  };
}

const minutes = (flexes: Flexes, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => flexes.slidAt((from + i) * 60));

test('at 9.90 % the band slides by 5 % a quarter of an hour later, and not a second before', () => {
  const flexes = new Flexes(
    dayOf((minute) => (minute >= 600 ? 1_384_80 : 1_300_00)),
    BASE,
  );
  assert.equal(flexes.slidAt(616 * 60 - 1), 0);
  assert.equal(flexes.slidAt(616 * 60), 500);
  assert.equal(flexes.slidAt(CLOSE * 60), 500, 'below 14.90 % nothing asks for another');
  assert.equal(flexes.slidAt(616 * 60 - 1), 0, 'asked again of an earlier second');
});

test('a price a tenth of a point short of the trigger asks for nothing', () => {
  const flexes = new Flexes(
    dayOf(() => 1_384_70),
    BASE,
  );
  assert.equal(flexes.slidAt(CLOSE * 60), 0);
});

test('a flex needs fifty trades, however long they take', () => {
  const flexes = new Flexes(
    dayOf((minute) => (minute >= 600 ? 1_384_80 : 1_300_00), 10),
    BASE,
  );
  assert.equal(flexes.slidAt(620 * 60 - 1), 0);
  assert.equal(flexes.slidAt((604 + 1 + 15) * 60), 500, 'the fifth minute has the fiftieth');
});

test('a rising day goes through the flexes with their cooling-off: 5, 5, 3, 3, 2 %', () => {
  const at = (slid: number) => BASE * (1 + (slid + 990) / 10_000) + 10;
  let flexes: Flexes | undefined;
  let slid = 0;
  const day = dayOf((minute) => (minute < 600 ? 1_300_00 : Math.floor(at(slid))));
  flexes = new Flexes(day, BASE);
  const changes: string[] = [];
  for (let minute = OPEN; minute < CLOSE; minute += 1) {
    const now = flexes.slidAt(minute * 60);
    if (now !== slid) changes.push(`${minute - 600} min ${now}`);
    slid = now;
  }
  assert.deepEqual(changes, [
    '16 min 500',
    '33 min 1000',
    '65 min 1300',
    '97 min 1600',
    '159 min 1800',
    '221 min 2000',
    '283 min 2200',
  ]);
});

test('in the last half hour the first flexes cool off for five minutes', () => {
  const flexes = new Flexes(
    dayOf((minute) => (minute >= 900 ? 1_384_80 : 1_300_00)),
    BASE,
  );
  assert.deepEqual([flexes.slidAt(906 * 60 - 1), flexes.slidAt(906 * 60)], [0, 500]);
});

test('a market that goes through the edge is followed at once', () => {
  const flexes = new Flexes(
    dayOf((minute) => (minute >= 700 ? 1_460_00 : 1_260_00)),
    BASE,
  );
  assert.deepEqual([flexes.slidAt(700 * 60 - 1), flexes.slidAt(700 * 60)], [0, 1_000]);
  const falling = new Flexes(
    dayOf((minute) => (minute >= 700 ? 1_100_00 : 1_260_00)),
    BASE,
  );
  assert.deepEqual([falling.slidAt(700 * 60 - 1), falling.slidAt(700 * 60)], [0, -500]);
});

test('every price of any day lies in the band of its minute, which slides and does not widen', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    let state = seed;
    const prices = Array.from({ length: CLOSE }, () => 0);
    let at: number = BASE;
    for (let minute = OPEN; minute < CLOSE; minute += 1) {
      state = (state * 48_271) % 2_147_483_647;
      at *= 1 + ((state % 2_001) - 1_000) / 40_000;
      prices[minute] = Math.round(at / 10) * 10;
    }
    const flexes = new Flexes(
      dayOf((minute) => prices[minute] ?? 0),
      BASE,
    );
    for (const [index, slid] of minutes(flexes, OPEN, CLOSE).entries()) {
      const { lower, upper } = slidBand(BASE, slid, 10 as Price);
      const of = prices[OPEN + index] ?? 0;
      assert.ok(of >= lower && of <= upper, `seed ${seed}, minute ${OPEN + index}: ${of} in ${lower}..${upper}`);
    }
  }
});
