import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { EpochMs, WallMs } from '../base/time.ts';
import { emptyState } from '../core/state.ts';
import { GENESIS_HASH } from './line.ts';
import { Trail } from './trail.ts';

const NOON = Date.UTC(2026, 10, 20, 6);
const root = mkdtempSync(join(tmpdir(), 'sauda-trail-test-'));
after(() => rmSync(root, { recursive: true, force: true }));

test('lines that wait for a record that does not become durable take a bounded memory', async () => {
  const failure = Promise.withResolvers<Error>();
  const trail = new Trail({
    data: mkdtempSync(join(root, 'data-')),
    years: 0,
    anchor: undefined,
    wall: () => NOON as WallMs,
    failStop: failure.resolve,
    log: () => undefined,
  });
  trail.open(emptyState());
  trail.start(() => ({ seq: 0, hash: GENESIS_HASH }));
  const step = { reply: { type: 'Done' }, events: [] } as never;
  trail.decided(1, NOON as EpochMs, { type: 'CheckLosses' }, step);
  const fields = { why: 'x'.repeat(100) };
  for (let bytes = 0; bytes < 40 * 1024 * 1024; bytes += 150) trail.act('POST /users', '', 200, fields);
  assert.match((await failure.promise).message, /takes no lines of the audit trail/);
  await trail.stop();
});
