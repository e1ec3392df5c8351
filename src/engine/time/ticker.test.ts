import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { EpochMs, WallMs } from '../../base/time.ts';
import { MarketClock } from './market-clock.ts';
import { everySecond } from './ticker.ts';

type Ticked = Pick<MarketClock, 'now' | 'untilLook' | 'isHeld'>;
type Body = (pass: (ms: number) => void, jump: (ms: number) => void) => void;

/**
 * Runs `body` on timers that go on only when `pass` lets them, and a wall that goes with them and can `jump`. Returns
 * the market's instants at which the ticker worked.
 */
function ticking(clockOf: (wall: () => WallMs) => Ticked, body: Body): number[] {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_700_000_000_250 });
  try {
    let ahead = 0;
    const clock = clockOf(() => (Date.now() + ahead) as WallMs);
    const worked: number[] = [];
    const stop = everySecond(clock, () => worked.push(clock.now()));
    const pass = (ms: number): void => {
      for (let passed = 0; passed < ms; passed += 1) mock.timers.tick(1);
    };
    body(pass, (ms) => {
      ahead += ms;
    });
    stop();
    const before = worked.length;
    mock.timers.tick(5_000);
    assert.equal(worked.length, before, 'nothing comes after the end');
    return worked;
  } finally {
    mock.timers.reset();
  }
}

/** The market of a folder whose clock nobody set. */
function marketOfTheWall(wall: () => WallMs): Ticked {
  return new MarketClock({ wall, elapsed: () => 0, state: { clock: undefined, at: 0 as EpochMs } });
}

/** A market that begins at 0 with the test and runs `speed()` times as fast as the wall. */
function marketAt(speed: () => number): (wall: () => WallMs) => Ticked {
  return (wall) => {
    let last = wall();
    let market = 0;
    const now = (): EpochMs => {
      market += (wall() - last) * speed();
      last = wall();
      return Math.floor(market) as EpochMs;
    };
    const untilLook = () => (speed() === 0 ? Number.POSITIVE_INFINITY : (1_000 - (now() % 1_000)) / speed());
    return { now, untilLook, isHeld: () => false };
  };
}

test('the market of the wall has its seconds at those of the wall', () => {
  const worked = ticking(marketOfTheWall, (pass) => pass(3_000));
  assert.deepEqual(worked, [1_700_000_001_000, 1_700_000_002_000, 1_700_000_003_000]);
});

test('the seconds of a market that runs four times as fast come four a second, those of a slow one late', () => {
  const fast = ticking(
    marketAt(() => 4),
    (pass) => pass(1_000),
  );
  assert.deepEqual(fast, [1_000, 2_000, 3_000, 4_000]);
  const slow = ticking(
    marketAt(() => 0.1),
    (pass) => pass(25_000),
  );
  assert.deepEqual(slow, [1_000, 2_000]);
});

test('nothing passes in a market that stands still, and it is seen within a second that it runs again', () => {
  let speed = 0;
  const worked = ticking(
    marketAt(() => speed),
    (pass) => {
      pass(60_000);
      speed = 1;
      pass(2_000);
    },
  );
  assert.equal(worked.length, 2);
});

test('seconds that were missed are one second', () => {
  const worked = ticking(marketOfTheWall, (pass, jump) => {
    pass(750);
    jump(30_000);
    pass(1_000);
  });
  assert.deepEqual(worked, [1_700_000_001_000, 1_700_000_032_000]);
});

test('a wall that is put back does not stop the seconds', () => {
  const worked = ticking(marketOfTheWall, (pass, jump) => {
    pass(750);
    jump(-3_600_000);
    pass(2_000);
  });
  assert.deepEqual(worked, [1_700_000_001_000, 1_699_996_402_000, 1_699_996_403_000]);
});
