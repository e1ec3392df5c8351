import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorOperations } from '../../src/app/operator-operations.ts';
import type { RunningParts } from '../../src/app/running-parts.ts';
import { Unavailable } from '../../src/engine/port.ts';

test('questions of operators go to the engine as clients ask it, so a leader without a lease answers none', async () => {
  const asked = {
    read: () => {
      throw new Unavailable('this member may not lead any more');
    },
  };
  const running = { engine: { read: () => assert.fail('the engine behind the lease was asked') } };
  const world = { instruments: {}, market: {}, spanFiles: {} };
  const parts = { config: {}, identity: {}, keys: {}, folder: {}, world, running, asked };
  const operations = operatorOperations(parts as unknown as RunningParts, new Promise(() => undefined));
  const { access, bans, clock, corporate, keys, switches, users } = operations;
  const questions = [
    () => access.list(),
    () => bans.list(),
    () => clock.show(),
    () => corporate.list(),
    () => keys.warnOfEndedKeys(),
    () => switches.list(),
    () => users.find('SD1001'),
  ];
  for (const ask of questions) await assert.rejects(ask, Unavailable);
});
