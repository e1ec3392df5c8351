import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { must } from '../../../base/assert.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import { hashWords } from '../../../base/random.ts';
import { MINUTE_SECONDS } from '../../day-tape.ts';
import { dayExtremes } from '../../session/day-extremes.ts';
import { emptyFold, join } from '../../session/day-folds.ts';
import { civil, EXPIRY, FUTURE, freshRoster, IDLE_SHARE, NIFTY, OPTIONS, SHARE, SHARE_IDS } from '../fixture.ts';
import type { Tape } from './tape.ts';

const DAY = civil(2026, 9, 14);
const IDS = [SHARE, IDLE_SHARE, NIFTY, FUTURE, must(OPTIONS[4], 'an option'), must(OPTIONS[9], 'an option')];

function traded(id: InstrumentId, regime: 'always' | 'exchange' = 'exchange', day = DAY, seed = 9) {
  const roster = freshRoster(regime, seed);
  const drawn = must(roster.get(id).traded(day), 'a trading day');
  return { ...drawn, tape: drawn.tape as Tape };
}

function tapeOf(id: InstrumentId): Tape {
  return traded(id).tape;
}

/** The seconds of the day's prints, each found from the one after it. */
function printsOf(tape: Tape): number[] {
  const seconds: number[] = [];
  for (let last = tape.lastPrint(tape.end); last >= 0; last = tape.lastPrint(last - 1)) seconds.push(last);
  return seconds.reverse();
}

test('a walk from any second back finds the same prints, and the day begins with one', () => {
  for (const regime of ['exchange', 'always'] as const) {
    for (const id of [...IDS, must(OPTIONS[0], 'an option')]) {
      const { tape } = traded(id, regime);
      const prints = printsOf(tape);
      const again = traded(id, regime).tape;
      assert.equal(prints[0], tape.open);
      let walked = -1;
      let next = 0;
      for (let second = tape.open - 30; second < tape.open + 7_000; second += 1) {
        if (prints[next] === second) {
          walked = second;
          next += 1;
        }
        assert.equal(again.lastPrint(second), walked, `second ${second} of ${id}`);
      }
      assert.equal(again.lastPrint(tape.close + 1_000), prints.at(-1));
      assert.equal(again.lastContinuous(), prints.at(-1));
    }
  }
});

test('the prints of a day add up to its volume at every second, each with at least a lot, in whatever order they are asked for', () => {
  for (const regime of ['exchange', 'always'] as const) {
    for (const id of IDS.filter((candidate) => candidate !== NIFTY)) {
      const { tape, liquidity } = traded(id, regime);
      const shuffled = traded(id, regime).tape;
      const prints = printsOf(tape);
      let lots = 0;
      const after = prints.map((second) => {
        const quantity = tape.printQuantity(second);
        assert.ok(quantity >= tape.terms.lot && quantity % tape.terms.lot === 0, `${quantity} at ${second} of ${id}`);
        lots += quantity / tape.terms.lot;
        assert.equal(tape.lotsUpTo(second), lots);
        return lots;
      });
      assert.equal(lots, liquidity.lots);
      assert.equal(tape.lotsUpTo(tape.end), lots);
      for (let i = 0; i < 2_000; i += 1) {
        const place = hashWords(7, i) % prints.length;
        const [second, next] = [must(prints[place], 'a print'), prints[place + 1] ?? tape.close];
        const between = second + (hashWords(8, i) % (next - second));
        assert.equal(shuffled.lotsUpTo(between), after[place], `${between} of ${id}`);
        assert.equal(shuffled.lastPrint(between), second);
      }
    }
  }
});

test('a share that hardly trades has whole quarters of an hour without a print, and prints on every day', () => {
  for (let day = DAY; day < DAY + 5; day = (day + 1) as typeof DAY) {
    const { tape, liquidity } = traded(IDLE_SHARE, 'exchange', day);
    const prints = printsOf(tape);
    assert.ok(prints.length >= 1 && prints.length <= liquidity.lots, `${prints.length}`);
    assert.ok([...prints, tape.close].some((second, i) => second - (prints[i - 1] ?? tape.open) > 900));
  }
});

test('an index prints each second without quantity', () => {
  const tape = tapeOf(NIFTY);
  assert.equal(printsOf(tape).length, tape.close - tape.open);
  assert.equal(tape.printQuantity(tape.open + 100), 0);
});

test('the fold of a minute equals that of a naive walk over its prints, up to every second', () => {
  for (const id of IDS) {
    const tape = tapeOf(id);
    const first = tape.open / MINUTE_SECONDS;
    const prints = printsOf(tape);
    for (const minute of [first, first + 1, first + 77, tape.close / MINUTE_SECONDS - 1]) {
      for (let until = minute * MINUTE_SECONDS; until < (minute + 1) * MINUTE_SECONDS; until += 7) {
        const fold = emptyFold();
        tape.fold(minute, until, true, fold);
        assert.deepEqual(
          fold,
          naiveFold(tape, prints, minute, until, fold),
          `minute ${minute} until ${until} of ${id}`,
        );
      }
    }
  }
});

test('the fold of a whole minute with a print in every second equals that of a naive walk, on any day of any market', () => {
  const minutesOfMarket = fc.record({
    seed: fc.nat(1_000),
    id: fc.constantFrom(...SHARE_IDS, NIFTY),
    day: fc.nat(4).map((after) => (DAY + after) as typeof DAY),
    minutes: fc.array(fc.nat(374), { minLength: 10, maxLength: 10 }),
  });
  let full = 0;
  let wide = 0;
  fc.assert(
    fc.property(minutesOfMarket, ({ seed, id, day, minutes }) => {
      const { tape } = traded(id, 'exchange', day, seed);
      for (const after of minutes) {
        const start = tape.open + after * MINUTE_SECONDS;
        const prints = secondsFrom(start).filter((second) => tape.lastPrint(second) === second);
        const end = start + MINUTE_SECONDS - 1;
        const fold = emptyFold();
        tape.fold(start / MINUTE_SECONDS, end, true, fold);
        assert.deepEqual(fold, naiveFold(tape, prints, start / MINUTE_SECONDS, end, fold));
        if (prints.length < MINUTE_SECONDS) continue;
        full += 1;
        if (widthAt(tape, start) > 1) wide += 1;
      }
    }),
    { numRuns: 240 },
  );
  assert.ok(full > 150 && wide > 20, `${full} minutes had a print in every second, ${wide} of them a wide touch`);
});

/** The width of the touch in ticks of the book. */
function widthAt(tape: Tape, second: number): number {
  const [bids, asks] = [new Int32Array(1), new Int32Array(1)];
  tape.touches(second, 1, bids, asks);
  return -(asks[0] as number) - (bids[0] as number);
}

function secondsFrom(start: number): number[] {
  return Array.from({ length: MINUTE_SECONDS }, (_, i) => start + i);
}

function naiveFold(tape: Tape, prints: readonly number[], minute: number, until: number, shape: object) {
  const fold = emptyFold();
  for (const second of prints) {
    if (second > until) break;
    if (Math.floor(second / MINUTE_SECONDS) !== minute) continue;
    const ticks = tape.printPrice(second).price / tape.terms.tick;
    const lots = tape.lotsUpTo(second) - tape.lotsUpTo(second - 1);
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
      const near = tape.nearBounds(minute);
      assert.ok(part.high <= near.high && part.low >= near.low, `near bounds of ${minute} of ${id}`);
      const [high, low] = [tape.highBound(minute), tape.lowBound(minute)];
      assert.ok(near.high <= high + 1e-6 && near.low >= low - 1e-6, `bounds of ${minute} of ${id}`);
    }
    assert.deepEqual(dayExtremes(tape), { high: total.high, low: total.low });
  }
});

test('an expiring option keeps within its bounds to the last second', () => {
  let found = 0;
  for (const id of OPTIONS) {
    const { tape } = traded(id, 'always', EXPIRY, 5);
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
  const prints = printsOf(tape);
  for (const second of prints) if (tape.printPrice(second).aggressor === 'B') bought += 1;
  assert.ok(Math.abs(bought / prints.length - 0.5) < 0.02);
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
