import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY } from '../../test/kit/money/listed.ts';
import { World } from '../../test/kit/money/world.ts';
import { testPorts } from '../../test/kit/ports.ts';
import type { SwitchTarget } from '../core/switches/switch.ts';
import { grounds, subject } from './command-fields.ts';

test('the kill switch of an account is about its user, with who and why, and no other switch is about a user', () => {
  const world = new World(testPorts(), FIRST_DAY);
  const account = world.user('ASHA', 0);
  const set = (target: SwitchTarget) => ({ type: 'SetSwitch', target, on: true, by: 'desk', why: 'a drill' }) as const;
  const kill = set({ kind: 'AccountKill', account });
  assert.equal(subject(world.state, kill) + grounds(kill), ',"user":"ASHA","by":"desk","why":"a drill"');
  for (const target of [{ kind: 'FullKill' }, { kind: 'Halt', exchange: 'NSE' }] as const) {
    assert.equal(subject(world.state, set(target)), '');
  }
});
