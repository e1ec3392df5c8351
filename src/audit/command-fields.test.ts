import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY, RELIANCE } from '../../test/kit/money/listed.ts';
import { placement, World } from '../../test/kit/money/world.ts';
import { testPorts } from '../../test/kit/ports.ts';
import type { SwitchTarget } from '../core/switches/switch.ts';
import { grounds, hasLine, isOwn, subject } from './command-fields.ts';

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

test('a placement names the outcome that it asks for without its text, and an outcome that comes later its user', () => {
  const world = new World(testPorts(), FIRST_DAY);
  const by = world.user('ASHA', 10_000);
  const scenario = { reject: 'a secret', ackDelay: 500, duplicateFrame: true } as const;
  const placed = { ...placement({ by, of: RELIANCE.id, side: 'B', units: 1, at: 1_000_00, product: 'C' }), scenario };
  const user = '"user":"ASHA"';
  assert.equal(subject(world.state, placed), `,${user},"scenario":"reject, ackDelay 500, duplicateFrame"`);
  const { reply } = world.submit(placed);
  assert.ok(reply.type === 'OrderPlaced');
  const met = { type: 'MeetOutcome', order: reply.order, outcome: 'Acknowledge' } as const;
  assert.equal(subject(world.state, met), `,${user},"scenario":"Acknowledge"`);
  assert.deepEqual([isOwn(met), hasLine(met), isOwn(placed)], [true, true, false]);
});
