import assert from 'node:assert/strict';
import fs, { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { storedTrail } from '../../../audit/reading/stored-trail.ts';
import { verifyTrail } from '../../../audit/reading/verify-trail.ts';
import { TrailLog } from '../../../audit/trail-log.ts';
import { REAL_DISK } from '../../../journal/disk/real-disk.ts';
import { NoRoom, ROOM_KEPT } from '../../../os/disk-room.ts';
import type { AskMember } from './ask-member.ts';
import { TrailCopy, trailFilesFrom, trailPiece } from './trail-copies.ts';

interface Pair {
  readonly trail: string;
  readonly copy: string;
  /** The pieces that were asked for: the day, and the first byte. */
  readonly asked: string[];
  isAway: boolean;
  /** The bytes of a day from here on are not given, as if its file could not be read. */
  hidden: { readonly day: string; readonly from: number } | undefined;
  /** The free bytes of the disk of the copy. */
  free: number;
  readonly copies: TrailCopy;
}

async function withPair(body: (pair: Pair) => Promise<void>): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'sauda-copies-'));
  const [trail, copy] = [join(scratch, 'audit'), join(scratch, 'copies', 'one')];
  mkdirSync(trail);
  const asked: string[] = [];
  const ask: AskMember = async (_url, { want, from }) => {
    if (pair.isAway) throw new Error('away');
    if (want === 'trail') return { days: trailFilesFrom(trail, from) };
    asked.push(`${want} ${from}`);
    const piece = trailPiece(trail, want, from);
    const { hidden } = pair;
    const given = hidden?.day === want ? piece.subarray(0, Math.max(0, hidden.from - from)) : piece;
    return { bytes: given.toString('base64') };
  };
  const pair: Pair = {
    trail,
    copy,
    asked,
    isAway: false,
    hidden: undefined,
    free: Number.POSITIVE_INFINITY,
    copies: new TrailCopy(copy, 'http://one', ask, () => pair.free),
  };
  try {
    await body(pair);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Each file of a folder, with its content. */
function filesOf(folder: string): Record<string, string> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

test('lines wait at the member that wrote them, and come when it is back, each once', () =>
  withPair(async (pair) => {
    const { trail, copy, copies, asked } = pair;
    writeFileSync(join(trail, '2026-11-23.log'), 'one\n');
    await copies.fetch();
    pair.isAway = true;
    appendFileSync(join(trail, '2026-11-23.log'), 'two\n'.repeat(500_000));
    writeFileSync(join(trail, '2026-11-24.log'), 'three\n');
    await assert.rejects(copies.fetch(), /away/);
    pair.isAway = false;
    await copies.fetch();
    assert.deepEqual(filesOf(copy), filesOf(trail));
    asked.length = 0;
    await copies.fetch();
    assert.deepEqual(asked, []);
    appendFileSync(join(trail, '2026-11-24.log'), 'four\n');
    await copies.fetch();
    assert.deepEqual(asked, ['2026-11-24 0']);
    assert.deepEqual(filesOf(copy), filesOf(trail));
  }));

test('a copy is a whole trail of its own, and a changed byte of it is found', () =>
  withPair(async ({ trail, copy, copies }) => {
    const log = new TrailLog(REAL_DISK, trail, storedTrail(REAL_DISK, trail), 5);
    const line = (seq: number): string => `"utc":1800000000000,"kind":"Start","seq":${seq},"recovered":0,"cut":0`;
    log.append(Buffer.from(`${[1, 2, 3].map(line).join('\n')}\n`));
    await copies.fetch();
    const whole = verifyTrail(REAL_DISK, copy);
    assert.deepEqual(whole.faults, []);
    assert.equal(whole.lines, verifyTrail(REAL_DISK, trail).lines);
    assert.ok(whole.lines >= 3, `${whole.lines}`);
    const [name = ''] = readdirSync(copy);
    const bytes = readFileSync(join(copy, name));
    bytes[120] = (bytes[120] ?? 0) ^ 1;
    writeFileSync(join(copy, name), bytes);
    assert.notDeepEqual(verifyTrail(REAL_DISK, copy).faults, []);
  }));

test('lines that a power cut took from the member stay in the copy, beside those that it wrote afterwards', () =>
  withPair(async ({ trail, copy, copies }) => {
    const path = join(trail, '2026-11-23.log');
    writeFileSync(path, 'one\ntwo\nthree\n');
    await copies.fetch();
    writeFileSync(path, 'one\nanother two\n');
    await copies.fetch();
    const names = readdirSync(copy).sort();
    assert.deepEqual(names, ['2026-11-23.log', '2026-11-23.log.cut-14']);
    assert.deepEqual(filesOf(copy)['2026-11-23.log'], 'one\nanother two\n');
  }));

test('lines that would fill the disk wait at the member that wrote them', () =>
  withPair(async (pair) => {
    const { trail, copy, copies } = pair;
    writeFileSync(join(trail, '2026-11-23.log'), 'one\n');
    pair.free = ROOM_KEPT + 3;
    await assert.rejects(copies.fetch(), NoRoom);
    assert.deepEqual(filesOf(copy), {});
    pair.free = ROOM_KEPT + 4;
    await copies.fetch();
    assert.deepEqual(filesOf(copy), filesOf(trail));
  }));

test('a copy keeps no days that the member has removed for their age', () =>
  withPair(async ({ trail, copy, copies }) => {
    mkdirSync(copy, { recursive: true });
    writeFileSync(join(copy, '2020-01-01.log'), 'old\n');
    for (const folder of [copy, trail]) writeFileSync(join(folder, '2026-11-23.log'), 'one\n');
    await copies.fetch();
    assert.deepEqual(readdirSync(copy), ['2026-11-23.log']);
  }));

test('the copy of a member that lost its disk stays, and goes on with the new trail', () =>
  withPair(async ({ trail, copy, copies }) => {
    mkdirSync(copy, { recursive: true });
    writeFileSync(join(copy, '2026-11-20.log'), 'the only copy\n');
    writeFileSync(join(trail, '2026-11-23.log'), 'one\n');
    await copies.fetch();
    assert.deepEqual(filesOf(copy), { '2026-11-20.log': 'the only copy\n', '2026-11-23.log': 'one\n' });
  }));

test('lines that two power cuts took at the same place stay in the copy, both', () =>
  withPair(async ({ trail, copy, copies }) => {
    const path = join(trail, '2026-11-23.log');
    for (const content of ['one\n', 'two\n', 'six\n']) {
      writeFileSync(path, content);
      await copies.fetch();
      // The next one has the same size, so its line is found when another comes after it.
      appendFileSync(path, '7\n');
      await copies.fetch();
    }
    assert.deepEqual(Object.values(filesOf(copy)).sort(), ['one\n7\n', 'six\n7\n', 'two\n7\n']);
  }));

test('a day whose lines did not all come is looked at again, though a later day has begun', () =>
  withPair(async (pair) => {
    const { trail, copy, copies } = pair;
    const early = join(trail, '2026-11-20.log');
    writeFileSync(early, 'one\ntwo\n');
    writeFileSync(join(trail, '2026-11-21.log'), 'three\n');
    writeFileSync(join(trail, '2026-11-23.log'), 'four\n');
    pair.hidden = { day: '2026-11-20', from: 4 };
    await copies.fetch();
    assert.equal(filesOf(copy)['2026-11-20.log'], 'one\n');
    pair.hidden = undefined;
    await copies.fetch();
    assert.deepEqual(filesOf(copy), filesOf(trail));
  }));

test('lines that a clock which was set back adds to the day before are fetched', () =>
  withPair(async ({ trail, copy, copies }) => {
    writeFileSync(join(trail, '2026-11-22.log'), 'one\n');
    writeFileSync(join(trail, '2026-11-23.log'), 'two\n');
    await copies.fetch();
    appendFileSync(join(trail, '2026-11-22.log'), 'three\n');
    await copies.fetch();
    assert.deepEqual(filesOf(copy), filesOf(trail));
  }));

test('lines are flushed while the thread of the member goes on, which may lead', async (t) => {
  await withPair(async ({ trail, copies }) => {
    appendFileSync(join(trail, '2026-11-28.log'), 'one\n');
    await copies.fetch();
    const handle = await open(join(trail, '2026-11-28.log'));
    const aside = t.mock.method(Object.getPrototypeOf(handle), 'sync');
    await handle.close();
    const inTheWay = t.mock.method(fs, 'fsyncSync');
    syncBuiltinESMExports();
    try {
      appendFileSync(join(trail, '2026-11-28.log'), 'two\n');
      await copies.fetch();
    } finally {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    }
    assert.deepEqual([aside.mock.callCount(), inTheWay.mock.callCount()], [1, 0]);
  });
});
