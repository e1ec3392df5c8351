import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WallMs } from '../../src/base/time.ts';
import { ClockGuard } from '../../src/cluster/leading/clock-guard.ts';
import { Lease } from '../../src/cluster/leading/lease.ts';

const WALL = 1_800_000_000_000;

class Clock {
  now = 0;
  apart = 0;
  readonly guard = new ClockGuard({
    elapsed: () => this.now,
    wall: () => (WALL + this.now + this.apart) as WallMs,
  });

  /** Messages of a leader whose clock is right or `ahead`, each `delay` milliseconds on its way. */
  hear(messages: number, delay: number, isFresh = true, ahead = 0): void {
    for (let message = 0; message < messages; message += 1) {
      this.now += 100;
      this.guard.heard(WALL + this.now - delay + ahead, isFresh);
    }
  }
}

test('a clock is not judged before enough messages were heard', () => {
  const clock = new Clock();
  clock.apart = 5_000;
  assert.equal(clock.guard.apartMs(), undefined);
  clock.hear(4, 1);
  assert.equal(clock.guard.apartMs(), undefined);
  clock.hear(1, 1);
  assert.equal(clock.guard.apartMs(), 5_001);
});

test('a clock that is behind is seen by one message, however old the message is', () => {
  const clock = new Clock();
  clock.apart = -5_000;
  clock.hear(1, 300, false);
  assert.equal(clock.guard.apartMs(), -4_700);
});

test('messages that were long on their way do not make a clock wrong', () => {
  const clock = new Clock();
  clock.hear(40, 7_000, false);
  assert.equal(clock.guard.apartMs(), undefined);
  clock.hear(10, 3_000);
  clock.hear(1, 2);
  clock.hear(10, 3_000);
  assert.equal(clock.guard.apartMs(), 2);
});

test('a step of the clock counts although nothing is heard any more', () => {
  const clock = new Clock();
  clock.hear(10, 1);
  assert.equal(clock.guard.apartMs(), 1);
  clock.now += 60_000;
  clock.apart = 2_000;
  assert.equal(clock.guard.apartMs(), 2_001);
});

test('a corrected clock is believed after some seconds', () => {
  const clock = new Clock();
  clock.apart = 5_000;
  clock.hear(100, 1);
  clock.apart = 0;
  clock.hear(150, 1);
  assert.equal(clock.guard.apartMs(), 1);
});

test('a lease lasts nine tenths of a silence from the beginning of the last append, and ends when it is dropped', () => {
  let now = 1_000;
  const lease = new Lease(() => now, 600, 1_000);
  now = 1_539;
  assert.ok(lease.isHeld);
  now = 1_540;
  assert.ok(!lease.isHeld);
  lease.renew(1_400);
  lease.renew(1_200);
  assert.ok(lease.isHeld);
  now = 1_940;
  assert.ok(!lease.isHeld);
  lease.renew(1_900);
  lease.drop();
  assert.ok(!lease.isHeld);
});

test('a member that was cut off keeps its measure until it has heard enough for another one', () => {
  const clock = new Clock();
  clock.apart = 3_600_000;
  clock.hear(10, 6);
  clock.now += 60_000;
  clock.hear(1, 6);
  assert.equal(clock.guard.apartMs(), 3_600_006);
  clock.now += 60_000;
  clock.hear(1, 6);
  assert.equal(clock.guard.apartMs(), 3_600_006);
});

test('a leader whose clock is set back does not hide that this clock is ahead', () => {
  const clock = new Clock();
  clock.apart = -3_600_000;
  clock.hear(10, 8, true, 3_600_000);
  assert.equal(clock.guard.apartMs(), -7_199_992);
  clock.hear(3, 8);
  assert.equal(clock.guard.apartMs(), -3_599_992);
  clock.apart = 3_600_000;
  clock.hear(3, 8);
  assert.equal(clock.guard.apartMs(), 3_600_008);
  clock.hear(3, 500, false, 3_600_000);
  assert.equal(clock.guard.apartMs(), 3_600_008, 'messages of before that were read late do not count');
});
