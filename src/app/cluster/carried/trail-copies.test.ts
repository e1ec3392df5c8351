import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { storedTrail } from '../../../audit/reading/stored-trail.ts';
import { verifyTrail } from '../../../audit/reading/verify-trail.ts';
import { TrailLog } from '../../../audit/trail-log.ts';
import { REAL_DISK } from '../../../journal/disk/real-disk.ts';
import type { AskMember } from './ask-member.ts';
import { TrailCopy, trailFilesFrom, trailPiece } from './trail-copies.ts';

interface Pair {
  readonly trail: string;
  readonly copy: string;
  /** The pieces that were asked for: the day, and the first byte. */
  readonly asked: string[];
  isAway: boolean;
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
    return { bytes: trailPiece(trail, want, from).toString('base64') };
  };
  const pair: Pair = { trail, copy, asked, isAway: false, copies: new TrailCopy(copy, 'http://one', ask) };
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

test('a copy keeps no days that the member has removed', () =>
  withPair(async ({ trail, copy, copies }) => {
    mkdirSync(copy, { recursive: true });
    writeFileSync(join(copy, '2020-01-01.log'), 'old\n');
    writeFileSync(join(trail, '2026-11-23.log'), 'one\n');
    await copies.fetch();
    assert.deepEqual(readdirSync(copy), ['2026-11-23.log']);
  }));
