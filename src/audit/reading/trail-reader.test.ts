import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import { bodiesOf } from '../trail-line.ts';
import { TrailLog } from '../trail-log.ts';
import { storedTrail } from './stored-trail.ts';
import { TrailReader } from './trail-reader.ts';

const UTC = Date.UTC(2026, 10, 2, 6);
const folder = mkdtempSync(join(tmpdir(), 'sauda-reader-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const log = new TrailLog(REAL_DISK, folder, storedTrail(REAL_DISK, folder));
const LINES = 10;
for (let i = 0; i < LINES; i += 1) {
  log.append(
    bodiesOf([`"utc":${UTC + i},"kind":"Act","op":"POST /switches","user":"U${i % 2}","what":{"why":"w${i}"}`]),
  );
}

test('the trail is read in another thread while it is written', async () => {
  const reader = new TrailReader(folder);
  const found = await reader.newest({ user: 'U1', kind: 'act', op: 'POST /switches', most: 2 });
  assert.deepEqual(
    found?.lines.map(({ user, what }) => [user, what]),
    [
      ['U1', { why: 'w9' }],
      ['U1', { why: 'w7' }],
    ],
  );
  const older = await reader.newest({
    user: 'U1',
    most: 10,
    ...(found?.reached !== undefined && { before: found.reached }),
  });
  assert.deepEqual([older?.lines.length, older?.reached], [3, undefined]);
});

test('a ninth question that would wait is turned away, and the eight are answered in their order', async () => {
  const reader = new TrailReader(folder);
  const asked = Array.from({ length: 9 }, (_, i) => reader.newest({ most: i + 1 }));
  const counts = (await Promise.all(asked)).map((found) => found?.lines.length);
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8, undefined]);
  assert.equal((await reader.newest({ most: 3 }))?.lines.length, 3);
});

test('a trail that cannot be read is an error, and the next question is answered', async () => {
  const reader = new TrailReader(fileURLToPath(import.meta.url));
  await assert.rejects(reader.newest({ most: 1 }), /the audit trail cannot be read: .*ENOTDIR/);
  await assert.rejects(reader.newest({ most: 1 }), /the audit trail cannot be read: .*ENOTDIR/);
  assert.deepEqual(await new TrailReader(join(folder, 'absent')).newest({ most: 1 }), { lines: [] });
});
