import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FIRST_DAY } from '../../../test/kit/money/listed.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { unasked } from '../../../test/kit/unasked.ts';
import { istInstant, wallOf } from '../../base/time.ts';
import { SnapshotFolder } from '../../journal/snapshot-file.ts';
import { startEngine } from '../start-engine.ts';

/** The snapshots that an engine leaves at its end, and the users that its next start finds. */
async function leftBy(endsQuietly: boolean): Promise<{ snapshots: number; users: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-last-'));
  const failStop = (error: unknown): never => {
    throw error;
  };
  const wall = () => wallOf(istInstant(FIRST_DAY, 36_000_000));
  const around = { ports: testPorts({}), wall, failStop, log: () => undefined, endsQuietly };
  const settings = { folder, snapshotRecords: 1_000_000, snapshotMinutes: 60 };
  try {
    const first = await startEngine(settings, around);
    const names = { userId: 'AB1234', name: 'A', email: 'a@example.com', sealedCredentials: '-' };
    await first.engine.submit(unasked({ ...names, type: 'RegisterUser', usesTotp: false, demo: true }));
    await first.stop();
    const snapshots = new SnapshotFolder(join(folder, 'snapshots')).list().length;
    const second = await startEngine(settings, around);
    const users = await second.engine.read(({ accountByUser }) => accountByUser.size);
    await second.stop();
    return { snapshots, users };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('an engine takes a last snapshot, and none where nobody waits for the next start; both are there again', async () => {
  assert.deepEqual(await leftBy(false), { snapshots: 1, users: 1 });
  assert.deepEqual(await leftBy(true), { snapshots: 0, users: 1 });
});
