import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Config, loadConfig } from '../config.ts';
import { agreeOnIdentity, createIdentity, type Identity, readIdentity, renewIdentity } from './identity.ts';

const KEYS = '0123456789abcdef';
const FIXED: Identity = { market: 'synthetic', seed: 7, hours: 'exchange', keyFingerprint: KEYS };

function configOf(flags: Record<string, string>): Config {
  const config = loadConfig({ flags, env: {}, readFile: () => undefined });
  assert.ok(config.ok);
  return config.value;
}

test('a new data folder is fixed to the settings of its first start', () => {
  const agreed = agreeOnIdentity(undefined, configOf({ seed: '9' }), KEYS);
  assert.deepEqual(agreed, {
    ok: true,
    value: { market: 'synthetic', seed: 9, hours: 'always', keyFingerprint: KEYS },
  });
});

test('settings that are left out, or the same, go on with what is fixed', () => {
  assert.deepEqual(agreeOnIdentity(FIXED, configOf({}), KEYS), { ok: true, value: FIXED });
  assert.deepEqual(agreeOnIdentity(FIXED, configOf({ seed: '7', hours: 'exchange' }), KEYS), {
    ok: true,
    value: FIXED,
  });
});

test('a folder that an older release made with its own default seed goes on with that seed', () => {
  withFile((path) => {
    for (const seed of [1, 4_294_967_295]) {
      rmSync(path, { force: true });
      createIdentity(path, { ...FIXED, seed });
      const fixed = readIdentity(path);
      assert.ok(fixed.ok);
      const agreed = agreeOnIdentity(fixed.value, configOf({}), KEYS);
      assert.deepEqual(agreed, { ok: true, value: { ...FIXED, seed } });
    }
  });
});

test('another seed, other hours and another key file are refused with words', () => {
  const refused = [
    agreeOnIdentity(FIXED, configOf({ seed: '8' }), KEYS),
    agreeOnIdentity(FIXED, configOf({ hours: 'always' }), KEYS),
    agreeOnIdentity(FIXED, configOf({}), 'fedcba9876543210'),
  ];
  const messages = refused.map((result) => (result.ok ? '' : result.error));
  assert.match(messages[0] ?? '', /seed 7 and cannot go on with 8/);
  assert.match(messages[1] ?? '', /hours exchange and cannot go on with always/);
  assert.match(messages[2] ?? '', /key file/);
});

test('the identity comes back as it was written, and a damaged one is reported', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-identity-'));
  try {
    const path = join(folder, 'identity');
    assert.deepEqual(readIdentity(path), { ok: true, value: undefined });
    assert.equal(createIdentity(path, FIXED), true);
    assert.equal(createIdentity(path, { ...FIXED, seed: 8 }), false, 'the first start counts');
    assert.deepEqual(readIdentity(path), { ok: true, value: FIXED });
    writeFileSync(path, 'sauda-identity 1 seed=7 hours=never keys=0123456789abcdef\n');
    assert.equal(readIdentity(path).ok, false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Runs a test with the path of a file in a folder of its own, which is removed afterwards. */
function withFile(work: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-identity-'));
  try {
    work(join(folder, 'identity'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('no flipped bit of an identity is taken for another identity', () => {
  withFile((path) => {
    createIdentity(path, { ...FIXED, seed: 1, hours: 'always' });
    const bytes = readFileSync(path);
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const other = Buffer.from(bytes);
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(path, other);
      assert.equal(readIdentity(path).ok, false, other.toString('latin1'));
    }
  });
});

test('an identity without a digest is read, and gets one', () => {
  withFile((path) => {
    writeFileSync(path, `sauda-identity 1 seed=7 hours=exchange keys=${KEYS}\n`);
    assert.deepEqual(readIdentity(path), { ok: true, value: FIXED });
    renewIdentity(path);
    assert.match(
      readFileSync(path, 'utf8'),
      /^sauda-identity 3 market=synthetic seed=7 hours=exchange keys=\w+ sha256=[0-9a-f]{64}\n$/,
    );
    assert.deepEqual(readIdentity(path), { ok: true, value: FIXED });
    const { mtimeNs, ino } = statSync(path, { bigint: true });
    renewIdentity(path);
    const after = statSync(path, { bigint: true });
    assert.deepEqual([after.mtimeNs, after.ino], [mtimeNs, ino], 'it is written once');
  });
});

test('an identity that names no market is of the synthetic one, and stays as it is', () => {
  withFile((path) => {
    const terms = `sauda-identity 2 seed=7 hours=exchange keys=${KEYS}`;
    const line = `${terms} sha256=${createHash('sha256').update(terms).digest('hex')}\n`;
    writeFileSync(path, line);
    assert.deepEqual(readIdentity(path), { ok: true, value: FIXED });
    renewIdentity(path);
    assert.equal(readFileSync(path, 'utf8'), line);
  });
});

test('an identity of a market that this release does not know is refused, and so is a name where there was none', () => {
  withFile((path) => {
    for (const start of ['3 market=recorded', '3', '2 market=synthetic', '4 market=synthetic']) {
      const terms = `sauda-identity ${start} seed=7 hours=exchange keys=${KEYS}`;
      writeFileSync(path, `${terms} sha256=${createHash('sha256').update(terms).digest('hex')}\n`);
      assert.equal(readIdentity(path).ok, false, start);
    }
  });
});

test('an identity that is missing or damaged is left as it is', () => {
  withFile((path) => {
    renewIdentity(path);
    assert.deepEqual(readIdentity(path), { ok: true, value: undefined });
    writeFileSync(path, 'sauda-identity 1 seed=7');
    renewIdentity(path);
    assert.equal(readFileSync(path, 'utf8'), 'sauda-identity 1 seed=7');
  });
});
