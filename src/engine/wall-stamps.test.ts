import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../base/ids.ts';
import type { WallMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import { wallStamped } from './wall-stamps.ts';

const WALL = 1_795_150_800_000 as WallMs;
const account = 0 as AccountId;
const grounds = { by: 'desk', why: 'asked' };
const user = { userId: 'AB1234', name: '', email: '', sealedCredentials: '', usesTotp: false, demo: false };

const AT_THE_DOOR: readonly Command[] = [
  { type: 'RegisterUser', ...user },
  { type: 'SetAddresses', account, addresses: [], ...grounds },
  { type: 'RenewApiKey', account, sealedCredentials: '', ...grounds },
  { type: 'OpenSession', account, tokenDigest: 'a', totpStep: 7 },
  { type: 'TouchSession', tokenDigest: 'a' },
  { type: 'ExpireSessions' },
  { type: 'SetClock', speed: 60, ...grounds },
];

test('a command that guards the door, or sets the clock, has its instant of the wall when the clocks stand apart', () => {
  for (const command of AT_THE_DOOR) assert.deepEqual(wallStamped(command, WALL), { ...command, wall: WALL });
});

test('commands stay as they are while the clocks are one, and other commands at any time', () => {
  for (const command of AT_THE_DOOR) assert.equal(wallStamped(command, undefined), command);
  const others: readonly Command[] = [
    { type: 'CloseSession', tokenDigest: 'a' },
    { type: 'CheckLosses' },
    { type: 'SetOrderRate', account, ...grounds },
  ];
  for (const command of others) assert.equal(wallStamped(command, WALL), command);
});
