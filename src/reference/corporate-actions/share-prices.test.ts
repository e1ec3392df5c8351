import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import type { HoursRegime } from '../../base/market/hours-regime.ts';
import type { Price } from '../../base/money.ts';
import { Random } from '../../base/random.ts';
import { tickOf } from '../../base/tick.ts';
import type { IstDay } from '../../base/time.ts';
import type { CorporateAction, CorporateActions } from '../../core/broker/corporate-actions/corporate-action.ts';
import { ALL_IDS, BSE_SHARE, civil, freshMarket, NIFTY, SHARE } from '../../market/synthetic/fixture.ts';

/** A Monday, so that a weekend lies before it in `exchange` hours. */
const EX_DAY = civil(2026, 9, 14);
const NOON = 43_200;

function actionOf(terms: Partial<CorporateAction>): CorporateAction {
  return {
    kind: 'split',
    isin: 'INE2',
    listings: [SHARE, BSE_SHARE],
    exDay: EX_DAY,
    before: 1,
    after: 5,
    dividend: 0 as Price,
    adjustsContracts: true,
    ...terms,
  };
}

const SPLIT = actionOf({});
const DIVIDEND = actionOf({ kind: 'dividend', after: 1, dividend: 4_000 as Price });

function marketWith(actions: CorporateActions, regime: HoursRegime = 'always') {
  return freshMarket(regime, 7, () => actions);
}

function candleAt(market: ReturnType<typeof freshMarket>, id: InstrumentId, day: IstDay) {
  return must(market.daily(id, day, day, tickOf((day + 30) as IstDay, 0))[0], 'a candle');
}

test('before the ex-date nothing differs, and an announcement changes no answer about the past', () => {
  const random = new Random(11);
  const plain = marketWith([]);
  const announced = marketWith([SPLIT, actionOf({ ...DIVIDEND, exDay: (EX_DAY + 9) as IstDay })]);
  for (let turn = 0; turn < 300; turn += 1) {
    const id = random.pick(ALL_IDS);
    const tick = tickOf((EX_DAY - random.between(1, 40)) as IstDay, random.below(86_400));
    assert.deepEqual(announced.lastPrint(id, tick), plain.lastPrint(id, tick));
    assert.deepEqual(announced.depth(id, tick), plain.depth(id, tick));
    assert.deepEqual(announced.dayFigures(id, tick), plain.dayFigures(id, tick));
    assert.equal(announced.previousClose(id, tick), plain.previousClose(id, tick));
  }
});

for (const regime of ['always', 'exchange'] as const) {
  test(`after a split prices are a fifth and returns are what they would have been, in ${regime} hours`, () => {
    const plain = marketWith([], regime);
    const split = marketWith([SPLIT], regime);
    for (const listing of [SHARE, BSE_SHARE]) {
      for (let day = EX_DAY; day < EX_DAY + 4; day = (day + 1) as IstDay) {
        const tick = tickOf(day, NOON);
        const [before, after] = [plain.lastPrint(listing, tick).price, split.lastPrint(listing, tick).price];
        // A tick of ten paise, five times: the print may be at the other side of the touch.
        assert.ok(Math.abs(after * 5 - before) <= 60, `${after} is a fifth of ${before}`);
        const [close, adjusted] = [plain.previousClose(listing, tick), split.previousClose(listing, tick)];
        assert.ok(Math.abs(adjusted * 5 - close) <= 30, `${adjusted} is a fifth of ${close}`);
      }
    }
  });

  test(`a dividend is taken off the previous close to the tick, and returns go on, in ${regime} hours`, () => {
    const plain = marketWith([], regime);
    const paid = marketWith([DIVIDEND], regime);
    const tick = tickOf(EX_DAY, NOON);
    assert.equal(paid.previousClose(SHARE, tick), plain.previousClose(SHARE, tick) - 4_000);
    for (let day = EX_DAY; day < EX_DAY + 4; day = (day + 1) as IstDay) {
      const at = tickOf(day, NOON);
      const growth = plain.lastPrint(SHARE, at).price / plain.previousClose(SHARE, tick);
      const same = paid.lastPrint(SHARE, at).price / paid.previousClose(SHARE, tick);
      assert.ok(Math.abs(growth - same) < 0.0004, `${growth} and ${same}`);
    }
  });
}

test('an index and other shares do not notice', () => {
  const plain = marketWith([]);
  const adjusted = marketWith([SPLIT]);
  const tick = tickOf((EX_DAY + 2) as IstDay, NOON);
  for (const id of ALL_IDS) {
    if (id === SHARE || id === BSE_SHARE || id % 4 === 2) continue;
    assert.deepEqual(adjusted.lastPrint(id, tick), plain.lastPrint(id, tick));
  }
  assert.deepEqual(adjusted.lastPrint(NIFTY, tick), plain.lastPrint(NIFTY, tick));
});

test('candles stay as they were traded, and the volume in rupees stays what it was', () => {
  const plain = marketWith([]);
  const split = marketWith([SPLIT]);
  assert.deepEqual(candleAt(split, SHARE, (EX_DAY - 1) as IstDay), candleAt(plain, SHARE, (EX_DAY - 1) as IstDay));
  const asTraded = plain.previousClose(SHARE, tickOf(EX_DAY, NOON));
  assert.equal(split.previousClose(SHARE, tickOf(EX_DAY, NOON), true), asTraded, 'the close as it was traded');
  const [before, after] = [candleAt(plain, SHARE, EX_DAY), candleAt(split, SHARE, EX_DAY)];
  assert.ok(Math.abs(after.volume / before.volume - 5) < 0.01, `${before.volume} becomes ${after.volume}`);
  assert.ok(Math.abs(after.high * 5 - before.high) <= 30 && Math.abs(after.low * 5 - before.low) <= 30);
});

test('on the weekend before an ex-date the last price is that of Friday in the new terms', () => {
  const plain = marketWith([], 'exchange');
  const split = marketWith([SPLIT], 'exchange');
  const saturday = tickOf((EX_DAY - 2) as IstDay, NOON);
  const friday = tickOf((EX_DAY - 3) as IstDay, 86_399);
  const last = plain.lastPrint(SHARE, friday);
  assert.deepEqual(split.lastPrint(SHARE, friday), last);
  assert.ok(Math.abs(split.lastPrint(SHARE, saturday).price * 5 - last.price) <= 25);
  assert.equal(split.lastPrint(SHARE, saturday).tick, last.tick);
});

test('several actions follow each other, each on the terms that it finds', () => {
  const bonus = actionOf({ kind: 'bonus', after: 2, exDay: (EX_DAY + 1) as IstDay });
  const market = marketWith([bonus, { ...DIVIDEND, exDay: (EX_DAY + 2) as IstDay, dividend: 300 as Price }, SPLIT]);
  const plain = marketWith([]);
  const closeBefore = (days: number) => market.previousClose(SHARE, tickOf((EX_DAY + days) as IstDay, NOON));
  const lastOf = (days: number) => market.previousClose(SHARE, tickOf((EX_DAY + days + 1) as IstDay, NOON), true);
  assert.ok(Math.abs(closeBefore(0) * 5 - plain.previousClose(SHARE, tickOf(EX_DAY, NOON))) <= 25);
  assert.ok(Math.abs(closeBefore(1) * 2 - lastOf(0)) <= 10);
  assert.equal(closeBefore(2), lastOf(1) - 300);
  assert.equal(closeBefore(3), lastOf(2));
});

test('the answers do not depend on what was asked before, nor on when an action was announced', () => {
  let actions: CorporateActions = [];
  const market = freshMarket('always', 7, () => actions);
  const ticks = Array.from({ length: 40 }, (_, i) => (tickOf((EX_DAY - 2) as IstDay, 0) + i * 9_001) as Tick);
  const ask = () => ticks.map((tick) => [market.lastPrint(SHARE, tick), market.band(SHARE, tick)]);
  const plain = ask();
  actions = [DIVIDEND];
  const backwards = [...ticks].reverse().map((tick) => [market.lastPrint(SHARE, tick), market.band(SHARE, tick)]);
  const fresh = marketWith([DIVIDEND]);
  assert.deepEqual(
    ticks.map((tick) => [fresh.lastPrint(SHARE, tick), fresh.band(SHARE, tick)]),
    backwards.reverse(),
  );
  assert.notDeepEqual(ask(), plain);
  actions = [];
  assert.deepEqual(ask(), plain, 'an action that is withdrawn leaves no trace');
});

test('the band of the ex-date lies around the adjusted close', () => {
  const market = marketWith([SPLIT], 'exchange');
  const tick = tickOf(EX_DAY, 33_300);
  const { lower, upper } = market.band(SHARE, tick);
  const close = market.previousClose(SHARE, tick);
  assert.ok(lower < close && close < upper && upper < close * 1.3, `${lower} ${close} ${upper}`);
});
