import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClockSpeed, type EpochMs, SECOND_MS, type WallMs } from '../../base/time.ts';
import type { ClockLine } from '../../core/clock/clock-line.ts';
import { MarketClock, secondAfter } from './market-clock.ts';

const OPEN = 1_795_146_300_000 as EpochMs;
const WALL = 1_800_000_000_000 as WallMs;

/** A clock over a state that the test changes, on time that passes when the test says so. */
class Bench {
  readonly state: { clock: ClockLine | undefined; at: EpochMs } = { clock: undefined, at: OPEN };
  wall = WALL;
  elapsed = 5_000;
  readonly clock = new MarketClock({ wall: () => this.wall, elapsed: () => this.elapsed, state: this.state });

  set(speed: ClockSpeed, market = OPEN, until?: EpochMs): this {
    this.state.clock = { at: this.wall, market, speed, by: 'desk', why: 'a lesson', ...(until && { until }) };
    this.state.at = market;
    this.clock.begin(market);
    this.work();
    return this;
  }

  /** The work of an instant is done. */
  work(): void {
    this.clock.end(secondAfter(this.clock.now()));
  }

  /** Passes real time in steps, and the work of each second of the market that comes is done at once. */
  pass(ms: number, step = 1): void {
    for (let passed = 0; passed < ms; passed += step) {
      this.elapsed += step;
      while (this.clock.isHeld()) {
        this.clock.begin();
        this.work();
      }
    }
  }

  get gone(): number {
    return this.clock.now() - OPEN;
  }
}

test('a clock that nobody set is that of the wall, and waits for nothing', () => {
  const bench = new Bench();
  assert.equal(bench.clock.now() as number, WALL);
  assert.equal(bench.clock.wallApart(), undefined);
  assert.ok(!bench.clock.isHeld() && !bench.clock.isSet);
  bench.wall = (WALL + 250) as WallMs;
  assert.equal(bench.clock.untilLook(), 750);
  bench.wall = (WALL - SECOND_MS) as WallMs;
  assert.equal(bench.clock.now() as number, WALL - SECOND_MS);
});

for (const speed of [0.1, 0.5, 1, 60, 1_000, 3_600]) {
  test(`a clock at ${speed} goes ${speed} seconds in a second of the wall, whatever the wall clock shows`, () => {
    const bench = new Bench().set(speed);
    bench.pass(1_000);
    bench.wall = (WALL + 86_400_000) as WallMs;
    bench.pass(1_000);
    assert.equal(bench.gone, 2_000 * speed);
    assert.equal(bench.clock.lostMs, 0);
    assert.equal(bench.clock.wallApart(), WALL + 86_400_000);
  });
}

test('a clock that stands still shows one instant, and goes on from it at its new speed', () => {
  const bench = new Bench().set(60);
  bench.pass(500);
  bench.set(0, bench.clock.now());
  bench.pass(10_000);
  assert.equal(bench.gone, 30_000);
  assert.equal(bench.clock.untilLook(), 100);
  bench.set(2, bench.clock.now());
  bench.pass(1_000);
  assert.equal(bench.gone, 32_000);
});

test('a clock is looked at when its next second begins, and ten times a second of the wall at least', () => {
  const bench = new Bench().set(40);
  assert.equal(bench.clock.untilLook(), 25);
  bench.pass(10);
  assert.equal(bench.clock.untilLook(), 15);
  assert.equal(new Bench().set(0.1).clock.untilLook(), 100);
});

test('the market stands before a second until its work begins, and at its begin until that is done', () => {
  const bench = new Bench().set(10);
  bench.elapsed += 60_000;
  assert.equal(bench.gone, 999);
  assert.ok(bench.clock.isHeld());
  assert.equal(bench.clock.begin(), OPEN + 1_000);
  bench.elapsed += 60_000;
  assert.equal(bench.gone, 1_000);
  bench.work();
  assert.equal(bench.gone, 1_999);
  assert.ok(bench.clock.untilLook() > 0);
});

test('at max the next work is always due, and time stands before it', () => {
  const bench = new Bench().set('max');
  assert.ok(bench.clock.isHeld());
  assert.equal(bench.gone, 999);
  bench.clock.begin();
  bench.clock.end((OPEN + 60_000) as EpochMs);
  assert.equal(bench.gone, 59_999, 'a minute in which nothing can happen');
  bench.clock.expect((OPEN + 90_000) as EpochMs);
  assert.equal(bench.clock.begin(), OPEN + 60_000);
  assert.equal(bench.clock.lostMs, 0);
});

test('a step does not pass its end, which need not be a whole second', () => {
  const end = (OPEN + 2_500) as EpochMs;
  const bench = new Bench().set('max', OPEN, end);
  bench.clock.begin();
  bench.work();
  bench.clock.begin();
  bench.work();
  assert.equal(bench.gone, 2_499);
  assert.equal(bench.clock.begin(), end);
  bench.clock.end((OPEN + 3_000) as EpochMs);
  bench.set(0, end);
  bench.elapsed += 60_000;
  assert.equal(bench.gone, 2_500);
});

test('time that work took is caught up where it is short, and given up where it is long', () => {
  const short = new Bench().set(10);
  short.elapsed += 300;
  assert.equal(short.gone, 999);
  short.pass(1);
  assert.equal(short.gone, 3_010);
  assert.equal(short.clock.lostMs, 0);

  const long = new Bench().set(10);
  long.elapsed += 100_000;
  assert.equal(long.gone, 999);
  long.pass(1);
  assert.equal(long.gone, 3_500, 'a quarter of a second of the wall is caught up');
  assert.equal(long.clock.lostMs, 996_510);
});

test('no order of settings and stalls lets market time go back', () => {
  const bench = new Bench().set(1);
  let last = bench.clock.now();
  for (let turn = 0; turn < 2_000; turn += 1) {
    if (turn % 7 === 0) bench.set([0, 0.1, 1, 60, 3_600][turn % 5] ?? 1, bench.clock.now());
    if (turn % 3 === 0) bench.elapsed += turn % 400;
    else bench.pass(turn % 11);
    const now = bench.clock.now();
    assert.ok(now >= last, `${now} after ${last}`);
    last = now;
  }
  assert.ok(last > OPEN);
});

test('a start goes on from the last record of the former process, not from the wall', () => {
  const before = new Bench().set(60);
  before.state.at = (OPEN + 125_000) as EpochMs;
  const { state } = before;
  const clock = new MarketClock({ wall: () => (WALL + 3_600_000) as WallMs, elapsed: () => 7, state });
  assert.equal(clock.now(), OPEN + 125_000);
  assert.equal(clock.wallApart(), WALL + 3_600_000);
});
