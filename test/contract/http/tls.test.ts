import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { WallMs } from '../../../src/base/time.ts';
import { readTlsFiles, renewalFault, validityFault } from '../../../src/gateway/http/connections/tls-files.ts';
import { RawConnection, seenOf } from '../../kit/wire/raw-connection.ts';
import { secure, TLS, TLS_FOLDER } from '../../kit/wire/secure.ts';
import { ALICE, openWorld } from '../../kit/wire/world.ts';

const BODY = JSON.stringify(ALICE.credentials);
const HEAD = ['POST /V1/limit HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
const PLAIN = `${HEAD.join('\r\n')}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
const CHUNKED = `${HEAD.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

test('over TLS plain requests, all others and pieces of both are answered as without it', async () => {
  const answers: string[][] = [];
  for (const tls of [undefined, TLS]) {
    const world = await openWorld(tls && { tls });
    const connection = tls ? new RawConnection(await secure(world)) : await RawConnection.open(world.port);
    const seen: string[] = [];
    for (const [request, inPieces] of [
      [PLAIN, false],
      [PLAIN, false],
      [CHUNKED, false],
      [PLAIN, true],
      ['GET /livez HTTP/1.1\r\nHost: x\r\n\r\n', false],
      [PLAIN + CHUNKED, true],
      ['HELLO\r\n\r\n', false],
    ] as const) {
      await connection.write(Buffer.from(request), inPieces);
      seen.push(await connection.next());
    }
    seen.push(await connection.next());
    await connection.ended;
    connection.socket.destroy();
    answers.push(seen);
    await world.close();
  }
  assert.deepEqual(answers[0], answers[1]);
  assert.deepEqual(
    answers[1]?.map((answer) => seenOf(answer).status),
    [200, 200, 200, 200, 200, 200, 200, 400],
  );
});

test('TLS older than 1.2 is not spoken', async () => {
  const world = await openWorld({ tls: TLS });
  await assert.rejects(secure(world, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }));
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const socket = await secure(world, { minVersion: version, maxVersion: version });
    assert.equal(socket.getProtocol(), version);
    socket.destroy();
  }
  await world.close();
});

test('HTTP on the TLS port is closed without a word, and others are served on', async () => {
  const world = await openWorld({ tls: TLS });
  const connection = await RawConnection.open(world.port);
  connection.socket.write(PLAIN);
  await connection.ended;
  const said = await connection.next();
  assert.doesNotMatch(said, /HTTP|jKey|success/);
  const socket = new RawConnection(await secure(world));
  socket.socket.write(PLAIN);
  assert.equal(seenOf(await socket.next()).status, 200);
  socket.socket.destroy();
  assert.deepEqual(world.failures, []);
  await world.close();
});

test('a handshake that does not come to its end is cut off', async () => {
  const world = await openWorld({ tls: TLS, limits: { headMs: 20 } });
  const connection = new RawConnection(connectPlain(world.port, '127.0.0.1'));
  connection.socket.write('\x16\x03\x01');
  await connection.ended;
  await world.close();
});

test('a renewed certificate is shown to new connections', async () => {
  const world = await openWorld({ tls: TLS });
  world.useCertificate(TLS);
  const socket = await secure(world);
  assert.match(String(socket.getPeerCertificate().subject.CN), /sauda test/);
  socket.destroy();
  await world.close();
});

test('a gateway with TLS ends in order', async () => {
  const world = await openWorld({ tls: TLS });
  const idle = new RawConnection(await secure(world));
  idle.socket.write(PLAIN);
  await idle.next();
  await Promise.all([world.close(), idle.ended]);
});

test('a key is read only when others cannot read it and it fits the certificate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-tls-'));
  const [cert, key, none] = ['cert.pem', 'key.pem', 'none.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  try {
    copyFileSync(join(TLS_FOLDER, 'only-for-tests.cert.pem'), cert);
    copyFileSync(join(TLS_FOLDER, 'only-for-tests.key.pem'), key);
    chmodSync(key, 0o644);
    const open = readTlsFiles(cert, key);
    assert.match(open.ok ? '' : open.error, /read by every user.*chmod o=/);
    chmodSync(key, 0o640);
    assert.deepEqual(readTlsFiles(cert, key), { ok: true, value: TLS });
    const missing = readTlsFiles(cert, none);
    assert.match(missing.ok ? '' : missing.error, /none\.pem: there is no such file or folder$/);
    writeFileSync(cert, 'no certificate');
    const broken = readTlsFiles(cert, key);
    assert.match(broken.ok ? '' : broken.error, /cannot be used/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an empty certificate, an empty key and a key of another kind are refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-tls-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const encoded = { privateKeyEncoding: { type: 'pkcs8', format: 'pem' } } as const;
  const spki = { publicKeyEncoding: { type: 'spki', format: 'pem' } } as const;
  const pairs = [
    ['', TLS.key],
    [TLS.cert, ''],
    [TLS.cert, generateKeyPairSync('ec', { namedCurve: 'P-256', ...encoded, ...spki }).privateKey],
    [TLS.cert, generateKeyPairSync('rsa', { modulusLength: 2048, ...encoded, ...spki }).privateKey],
  ] as const;
  try {
    for (const [certText, keyText] of pairs) {
      writeFileSync(cert, certText);
      writeFileSync(key, keyText, { mode: 0o600 });
      const read = readTlsFiles(cert, key);
      assert.match(read.ok ? '' : read.error, /cannot be used with the key/);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a certificate that clients refuse replaces no valid one', () => {
  const renewed = { ...TLS, cert: readFileSync(join(TLS_FOLDER, 'only-for-tests.renewed.pem'), 'utf8') };
  const [first, second] = [TLS, renewed].map(({ cert }) => {
    const { validFrom, validTo } = new X509Certificate(cert);
    return { from: Date.parse(validFrom) as WallMs, to: Date.parse(validTo) as WallMs };
  });
  assert(first !== undefined && second !== undefined);
  assert.equal(validityFault(TLS, first.to), undefined);
  assert.match(validityFault(TLS, (first.to + 1) as WallMs) ?? '', /^it ended at 2126-10-28 21:09:47/);
  assert.match(validityFault(TLS, (first.from - 1) as WallMs) ?? '', /^it begins at 2026-11-21 21:09:47/);
  assert.equal(renewalFault(TLS, renewed, second.from), undefined);
  assert.match(renewalFault(TLS, renewed, first.from) ?? '', /^it begins at/);
  assert.match(renewalFault(renewed, TLS, second.to) ?? '', /^it ended at/);
  // Clients refuse both then.
  assert.equal(renewalFault(TLS, renewed, (second.to + 1) as WallMs), undefined);
});
