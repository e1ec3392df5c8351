import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY, listed } from '../../test/kit/money/listed.ts';
import { World } from '../../test/kit/money/world.ts';
import { testPorts } from '../../test/kit/ports.ts';
import { DAY_MS, istDay, type WallMs, wallOf } from '../base/time.ts';
import { logDay } from './day-notes.ts';

test('on each of the last seven days the operator is warned of API keys that end, some by name and the rest by number', () => {
  const ports = testPorts();
  const world = new World(ports, FIRST_DAY);
  for (let user = 1; user <= 12; user += 1) world.user(`USER${user}`, 0);
  const last = istDay(world.at) + 364;
  const told = (day: number, wall?: WallMs): string[] => {
    const lines: string[] = [];
    const rolled = { type: 'DayRolled', day } as never;
    logDay((message, gravity) => lines.push(`${gravity}: ${message}`), world.state, listed, [rolled], wall);
    return lines;
  };
  assert.deepEqual(told(last - 7), []);
  const names = Array.from({ length: 10 }, (_, user) => `USER${user + 1} (2027-11-22)`).join(', ');
  const way = 'sauda user key renews one, a start those of demo users';
  assert.deepEqual(told(last - 6), [`warn: the last days of API keys: ${names} and 2 more; ${way}`]);
  assert.equal(told(last).length, 1);
  assert.deepEqual(told(last + 1), []);
  const wall = wallOf(world.at);
  assert.deepEqual(told(last, wall), [], 'a day of the market ends no key');
  assert.equal(told(last - 300, (wall + 364 * DAY_MS) as WallMs).length, 1);
});
