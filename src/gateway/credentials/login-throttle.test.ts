import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WallMs } from '../../base/time.ts';
import { KnownAddresses } from './known-addresses.ts';
import { LoginThrottle } from './login-throttle.ts';

const START = 1_790_000_000_000;

function fail(throttle: LoginThrottle, times: number, atMs: number): void {
  for (let i = 0; i < times; i += 1) throttle.recordFailure('AB1234', '127.0.0.1', atMs as WallMs);
}

function wait(throttle: LoginThrottle, atMs: number): number {
  return throttle.waitMs('AB1234', '127.0.0.1', atMs as WallMs);
}

test('four failures cost nothing', () => {
  const throttle = new LoginThrottle();
  fail(throttle, 4, START);
  assert.equal(wait(throttle, START), 0);
});

test('from the fifth failure on the wait doubles up to a minute and no further', () => {
  const throttle = new LoginThrottle();
  fail(throttle, 5, START);
  const waits = [wait(throttle, START)];
  for (let i = 0; i < 9; i += 1) {
    fail(throttle, 1, START);
    waits.push(wait(throttle, START));
  }
  assert.deepEqual(
    waits,
    [1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map((seconds) => seconds * 1000),
  );
});

test('the wait runs from the last failure and ends', () => {
  const throttle = new LoginThrottle();
  fail(throttle, 7, START);
  assert.equal(wait(throttle, START + 1_500), 2_500);
  assert.equal(wait(throttle, START + 4_000), 0);
});

test('the wait runs from the last of failures that came one after the other', () => {
  const throttle = new LoginThrottle();
  for (let i = 0; i < 7; i += 1) fail(throttle, 1, START + i * 1_000);
  assert.equal(wait(throttle, START + 6_000), 4_000);
  assert.equal(wait(throttle, START + 9_999), 1);
});

test('failures are forgotten after fifteen minutes, and by a success', () => {
  const throttle = new LoginThrottle();
  fail(throttle, 30, START);
  assert.equal(wait(throttle, START + 15 * 60_000), 0);
  fail(throttle, 4, START + 15 * 60_000);
  assert.equal(wait(throttle, START + 15 * 60_000), 0);
  fail(throttle, 30, START + 15 * 60_000);
  throttle.recordSuccess('AB1234', '127.0.0.1');
  assert.equal(wait(throttle, START + 15 * 60_000), 0);
});

test('a clock that is set back keeps no user waiting', () => {
  const throttle = new LoginThrottle();
  fail(throttle, 30, START);
  assert.equal(wait(throttle, START - 3_600_000), 0);
});

test('the table is bounded and forgets the entry that failed longest ago', () => {
  const throttle = new LoginThrottle({ maxEntries: 3 });
  for (const user of ['A', 'B', 'C', 'A', 'D']) throttle.recordFailure(user, '127.0.0.1', START as WallMs);
  assert.equal(throttle.size, 3);
  for (let i = 0; i < 4; i += 1) throttle.recordFailure('A', '127.0.0.1', START as WallMs);
  assert.equal(throttle.waitMs('A', '127.0.0.1', START as WallMs), 2_000);
});

test('a hundred thousand addresses that fail take a bounded memory, and the owner at his own address waits for nothing', () => {
  const throttle = new LoginThrottle();
  for (let i = 0; i < 100_000; i += 1) {
    throttle.recordFailure('AB1234', `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, START as WallMs);
  }
  assert.equal(throttle.size, 10_000);
  assert.equal(wait(throttle, START), 0);
});

test('all addresses of one IPv6 network count as one', () => {
  const throttle = new LoginThrottle();
  for (let i = 1; i <= 8; i += 1) throttle.recordFailure('AB1234', `2001:db8:0:1::${i}`, START as WallMs);
  assert.equal(throttle.size, 1);
  assert.equal(throttle.waitMs('AB1234', '2001:db8:0:1:ffff::', START as WallMs), 8_000);
  assert.equal(throttle.waitMs('AB1234', '2001:db8:0:2::1', START as WallMs), 0);
});

test('the addresses that users logged in from are a bounded number, the latest ones', () => {
  const known = new KnownAddresses(2);
  for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.1', '10.0.0.3']) known.add('AB1234', address);
  assert.equal(known.size, 2);
  assert.deepEqual(
    ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => known.has('AB1234', address)),
    [true, false, true],
  );
  assert.equal(known.has('CD5678', '10.0.0.1'), false);
});
