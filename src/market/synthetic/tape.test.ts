import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { InstrumentId } from '../../base/ids.ts';
import { dayExtremes } from './day-extremes.ts';
import { emptyFold, join } from './day-folds.ts';
import { civil, EXPIRY, FUTURE, freshRoster, IDLE_SHARE, NIFTY, OPTIONS, SHARE } from './fixture.ts';
import { MINUTE_SECONDS, type Tape } from './tape.ts';

const DAY = civil(2026, 9, 14);
const IDS = [SHARE, IDLE_SHARE, NIFTY, FUTURE, must(OPTIONS[4], 'an option'), must(OPTIONS[9], 'an option')];

function traded(id: InstrumentId, regime: 'always' | 'exchange' = 'exchange', day = DAY) {
  const roster = freshRoster(regime, 9);
  return must(roster.get(id).traded(day), 'a trading day');
}

function tapeOf(id: InstrumentId): Tape {
  return traded(id).tape;
}

test('each block prints once, inside itself, in order', () => {
  for (const id of IDS) {
    const tape = tapeOf(id);
    const length = (tape.close - tape.open) / tape.blocks;
    for (let block = 0; block < tape.blocks; block += 1) {
      const second = tape.printSecond(block);
      assert.equal(tape.blockAt(second), block);
      assert.ok(second >= tape.open + Math.floor(block * length) && second < tape.close);
    }
  }
});

test('the last block before a second is the one that a walk finds', () => {
  for (const id of IDS) {
    const tape = tapeOf(id);
    let walked = -1;
    for (let second = tape.open - 30; second < tape.open + 7_000; second += 1) {
      while (walked + 1 < tape.blocks && tape.printSecond(walked + 1) <= second) walked += 1;
      assert.equal(tape.lastBlock(second), walked, `second ${second} of ${id}`);
    }
    assert.equal(tape.lastBlock(tape.close + 1_000), tape.blocks - 1);
  }
});

test('the prints of a day add up to its volume, each with at least a lot', () => {
  for (const id of IDS.filter((candidate) => candidate !== NIFTY)) {
    const { tape, liquidity } = traded(id);
    let units = 0;
    for (let block = 0; block < tape.blocks; block += 1) {
      const quantity = tape.printQuantity(block);
      assert.ok(quantity >= tape.terms.lot && quantity % tape.terms.lot === 0, `block ${block} of ${id}`);
      units += quantity;
    }
    assert.equal(units, liquidity.lots * tape.terms.lot);
  }
});

test('an index prints each second without quantity', () => {
  const tape = tapeOf(NIFTY);
  assert.equal(tape.blocks, tape.close - tape.open);
  assert.equal(tape.printQuantity(100), 0);
});

test('the fold of a minute is what a naive walk over its prints gives, for every second that it may end at', () => {
  for (const id of IDS) {
    const tape = tapeOf(id);
    const first = tape.open / MINUTE_SECONDS;
    for (const minute of [first, first + 1, first + 77, tape.close / MINUTE_SECONDS - 1]) {
      for (let until = minute * MINUTE_SECONDS; until < (minute + 1) * MINUTE_SECONDS; until += 7) {
        const fold = emptyFold();
        tape.fold(minute, until, true, fold);
        assert.deepEqual(fold, naiveFold(tape, minute, until, fold), `minute ${minute} until ${until} of ${id}`);
      }
    }
  }
});

function naiveFold(tape: Tape, minute: number, until: number, shape: object) {
  const fold = emptyFold();
  for (let block = 0; block < tape.blocks; block += 1) {
    const second = tape.printSecond(block);
    if (second > until) break;
    if (Math.floor(second / MINUTE_SECONDS) !== minute) continue;
    const ticks = tape.printPrice(block).price / tape.terms.tick;
    const lots = tape.lotsBefore(block + 1) - tape.lotsBefore(block);
    join(fold, { prints: 1, open: ticks, high: ticks, low: ticks, close: ticks, turnover: ticks * lots });
  }
  return fold.prints > 0 ? fold : { ...shape, prints: 0, turnover: 0 };
}

test('the extremes of a day are those of the fold of all its minutes', () => {
  for (const id of [...IDS, ...OPTIONS]) {
    const tape = tapeOf(id);
    const total = emptyFold();
    const part = emptyFold();
    for (let minute = tape.open / MINUTE_SECONDS; minute * MINUTE_SECONDS < tape.close; minute += 1) {
      tape.fold(minute, tape.close, false, part);
      join(total, part);
      if (part.prints === 0) continue;
      assert.ok(
        part.high <= tape.highBound(minute) && part.low >= tape.lowBound(minute),
        `bounds of ${minute} of ${id}`,
      );
    }
    assert.deepEqual(dayExtremes(tape), { high: total.high, low: total.low });
  }
});

test('an expiring option keeps within its bounds to the last second', () => {
  let found = 0;
  for (const id of OPTIONS) {
    const { tape } = traded(id, 'always', EXPIRY);
    assert.equal(tape.close, 940 * MINUTE_SECONDS);
    const last = emptyFold();
    tape.fold(939, tape.close, false, last);
    if (last.prints === 0) continue;
    found += 1;
    assert.ok(last.high <= tape.highBound(939) && last.low >= tape.lowBound(939), `${id}`);
    assert.ok(last.low >= 1);
  }
  assert.ok(found > 3);
});

test('a share is bought and sold about equally often', () => {
  const tape = tapeOf(SHARE);
  let bought = 0;
  for (let block = 0; block < tape.blocks; block += 1) if (tape.printPrice(block).aggressor === 'B') bought += 1;
  assert.ok(Math.abs(bought / tape.blocks - 0.5) < 0.02);
});

test('open interest starts at nothing, ends below its height and never moves by more than was traded', () => {
  const roster = freshRoster('exchange', 9);
  for (const id of [FUTURE, must(OPTIONS[4], 'an option'), must(OPTIONS[9], 'an option')]) {
    const listed = roster.get(id);
    let before: number | undefined;
    let height = 0;
    for (let day = civil(2026, 8, 1); day <= EXPIRY; day = (day + 1) as typeof day) {
      const found = listed.traded(day);
      if (found === undefined) continue;
      assert.equal(found.openFrom, before ?? 0);
      assert.ok(Math.abs(found.openTo - found.openFrom) <= found.liquidity.lots);
      assert.ok(found.openTo >= 0);
      before = found.openTo;
      height = Math.max(height, found.openTo);
    }
    assert.ok(height > 0 && (before ?? 0) <= height);
  }
});

test('a contract trades from its listing day to its expiry', () => {
  const roster = freshRoster('always', 9);
  const listed = roster.get(FUTURE);
  assert.equal(listed.traded(civil(2026, 8, 2)), undefined);
  assert.equal(listed.traded(civil(2026, 8, 3))?.openFrom, 0);
  assert.equal(listed.traded(EXPIRY)?.tape.close, 940 * MINUTE_SECONDS);
  assert.equal(listed.traded(civil(2026, 10, 28)), undefined);
});

test('successive prints are on the same side more often than by chance, as large orders are made of many', () => {
  const tape = tapeOf(SHARE);
  const sides = Array.from({ length: 10_000 }, (_, block) => (tape.printPrice(block).aggressor === 'B' ? 1 : -1));
  const correlation = sides.slice(1).reduce((sum, side, i) => sum + side * (sides[i] as number), 0) / sides.length;
  assert.ok(correlation > 0.07 && correlation < 0.28, `${correlation}`);
});
