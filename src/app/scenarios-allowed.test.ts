import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HoursRegime } from '../base/market/hours-regime.ts';
import { CommandFailed, EXIT_CONFIG } from '../os/command-failed.ts';
import type { RunningParts } from './running-parts.ts';
import { expectScenariosAreAllowed } from './scenarios-allowed.ts';

/** A start over a folder with these users. */
function startOf(scenarios: 'on' | 'off', hours: HoursRegime, ...users: readonly [userId: string, demo: boolean][]) {
  const accounts = users.map(([userId, demo]) => ({ userId, demo }));
  const demoAccounts = new Set(users.flatMap(([, demo], account) => (demo ? [account] : [])));
  const engine = { read: async (look: (state: object) => unknown) => look({ accounts, demoAccounts }) };
  return expectScenariosAreAllowed({
    config: { scenarios },
    identity: { hours },
    running: { engine },
  } as unknown as RunningParts);
}

test('scenarios are refused in exchange hours as soon as one user is real, and allowed everywhere else', async () => {
  const demo = ['SD1001', true] as const;
  const real = ['AB1234', false] as const;
  await startOf('on', 'exchange', [...demo]);
  await startOf('on', 'always', [...demo], [...real]);
  await startOf('off', 'exchange', [...real]);
  await assert.rejects(startOf('on', 'exchange', [...demo], [...real]), (error) => {
    assert.ok(error instanceof CommandFailed);
    assert.equal(error.exitCode, EXIT_CONFIG);
    assert.match(error.message, /AB1234 is not a demo user.*without --scenarios/);
    return true;
  });
});
