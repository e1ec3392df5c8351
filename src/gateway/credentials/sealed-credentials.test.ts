import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256Hex } from '../../os/digest.ts';
import { enrol } from './enrolment.ts';
import { createKeyFile, KeyFileError, newKeys, readKeyFile } from './key-file.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { openCredentials, sealCredentials } from './sealed-credentials.ts';

const keys = newKeys();
const plain = {
  userId: 'AB1234',
  password: 'correct horse battery',
  totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  vendorCode: 'AB1234_API',
  apiKey: '34ffc4587242fa66a03ba8ce6801f3c9',
};

test('sealed credentials open with the same key for the same user only', async () => {
  const sealed = await enrol(keys, plain);
  const opened = openCredentials(keys.sealing, 'AB1234', sealed);
  assert.equal(opened.totpSecret, plain.totpSecret);
  assert.equal(opened.vendorCode, plain.vendorCode);
  assert.equal(opened.apiKeyDigest, sha256Hex(plain.apiKey));
  assert.throws(() => openCredentials(keys.sealing, 'AB1235', sealed));
  assert.throws(() => openCredentials(newKeys().sealing, 'AB1234', sealed));
});

test('no secret can be read in the sealed text, and no two texts are alike', async () => {
  const sealed = await enrol(keys, plain);
  assert.notEqual(sealed, await enrol(keys, plain));
  const bytes = Buffer.from(sealed.slice(3), 'base64url').toString('latin1');
  const secrets = [
    plain.password,
    plain.totpSecret,
    plain.vendorCode,
    sha256Hex(plain.apiKey),
    sha256Hex(plain.password),
  ];
  for (const secret of secrets) {
    assert.equal(sealed.includes(secret), false);
    assert.equal(bytes.includes(secret), false);
  }
});

test('any changed byte of the sealed text is noticed', () => {
  const credentials = { passwordHash: 'x', vendorCode: 'y', apiKeyDigest: 'z' };
  const sealed = sealCredentials(keys.sealing, 'AB1234', credentials);
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (let i = 0; i < bytes.length; i += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(i) ^ 1, i);
    assert.throws(() => openCredentials(keys.sealing, 'AB1234', `v1.${changed.toString('base64url')}`), `byte ${i}`);
  }
});

test('the password hash is a PHC string of argon2id that needs the pepper', async () => {
  const digest = sha256Hex('correct horse battery');
  const phc = await hashPassword(keys.pepper, digest);
  assert.match(phc, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.equal(await verifyPassword(keys.pepper, digest, phc), true);
  assert.equal(await verifyPassword(keys.pepper, sha256Hex('wrong'), phc), false);
  assert.equal(await verifyPassword(newKeys().pepper, digest, phc), false);
  await assert.rejects(verifyPassword(keys.pepper, digest, '$2b$10$abc'));
});

test("the key file comes back as it was written, is its owner's alone, and damage is reported", () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-keys-'));
  try {
    const path = join(folder, 'secret.key');
    assert.equal(readKeyFile(path), undefined);
    assert.equal(createKeyFile(path, keys), true);
    assert.equal(createKeyFile(path, newKeys()), false, 'the first keys stay');
    const read = readKeyFile(path);
    assert.deepEqual(Buffer.from(read?.sealing ?? []), Buffer.from(keys.sealing));
    assert.deepEqual(Buffer.from(read?.pepper ?? []), Buffer.from(keys.pepper));
    assert.equal(read?.fingerprint, keys.fingerprint);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(existsSync(`${path}.${process.pid}.new`), false);
    writeFileSync(path, 'sauda-keys 1 00 00\n');
    assert.throws(() => readKeyFile(path), KeyFileError);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
