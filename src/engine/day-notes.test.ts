import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY } from '../../test/kit/money/listed.ts';
import { World } from '../../test/kit/money/world.ts';
import { testPorts } from '../../test/kit/ports.ts';
import type { AccountId } from '../base/ids.ts';
import { type IstDay, istDay } from '../base/time.ts';
import { warnOfEndingKeys } from './day-notes.ts';
import { finish } from './slice.ts';

test('on each of the last seven days the operator is warned of API keys that end, some by name and the rest by number', () => {
  const ports = testPorts();
  const world = new World(ports, FIRST_DAY);
  for (let user = 1; user <= 12; user += 1) world.user(`USER${user}`, 0);
  const last = istDay(world.at) + 364;
  const told = (day: number): string[] => {
    const lines: string[] = [];
    finish(warnOfEndingKeys((message, gravity) => lines.push(`${gravity}: ${message}`), world.state, day as IstDay));
    return lines;
  };
  assert.deepEqual(told(last - 7), []);
  const names = Array.from({ length: 10 }, (_, user) => `USER${user + 1} (2027-11-22)`).join(', ');
  const way = '"sauda user key" renews one; a start renews those of demo users';
  assert.deepEqual(told(last - 6), [`warn: API keys that end soon: ${names} and 2 more. ${way}`]);
  assert.equal(told(last).length, 1);
  assert.deepEqual(told(last + 1), []);
});

test('the warning of API keys leaves the loop between its pieces', () => {
  const world = new World(testPorts(), FIRST_DAY);
  const [account] = [world.user('USER', 0)];
  const like = world.account(account);
  for (let id = 1; id < 10_000; id += 1) world.state.accounts.push({ ...like, id: id as AccountId });
  const lines: string[] = [];
  const pieces = warnOfEndingKeys((message) => lines.push(message), world.state, (istDay(world.at) + 364) as IstDay);
  let count = 0;
  while (pieces.next().done !== true) count += 1;
  assert.equal(count, 5);
  assert.match(lines.join(), /^API keys that end soon: USER .* and 9990 more\./);
});
