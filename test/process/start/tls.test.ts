import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROJECT, StartedService, sauda, temporaryFolder } from './started-service.ts';

const CERTIFICATE = join(PROJECT, 'test/kit/tls/only-for-tests.cert.pem');

/** The body of an answer over TLS to a client that trusts the certificate of the tests alone. */
function secureGet(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { ca: readFileSync(CERTIFICATE) }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

test('a service with a certificate speaks TLS alone, and reads a renewed one at SIGHUP', async () => {
  const folder = temporaryFolder();
  const cert = join(folder.path, 'cert.pem');
  const key = join(folder.path, 'key.pem');
  try {
    copyFileSync(CERTIFICATE, cert);
    copyFileSync(CERTIFICATE.replace('.cert.', '.key.'), key);
    const tls = { SAUDA_TLS_CERT: cert, SAUDA_TLS_KEY: key };
    chmodSync(key, 0o644);
    const open = await sauda(['start', '--data', join(folder.path, 'data')], tls);
    assert.equal(open.code, 78);
    assert.match(open.stderr, /read by every user/);
    chmodSync(key, 0o600);
    const service = await StartedService.start(folder.path, tls);
    assert.match(service.base, /^https:/);
    const ready = service.base.replace('/V1', '/readyz');
    assert.match(await secureGet(ready), /"message":"ready"/);
    await assert.rejects(fetch(ready.replace('https:', 'http:')));
    service.child.kill('SIGHUP');
    await service.untilSaid(/the certificate .* was read again/);
    for (const [file, text] of [
      [cert, 'none'],
      [cert, ''],
      [key, ''],
    ] as const) {
      const good = readFileSync(file);
      writeFileSync(file, text);
      service.output = service.output.replaceAll('cannot be used', '');
      service.child.kill('SIGHUP');
      await service.untilSaid(/the certificate .* cannot be used/);
      assert.match(await secureGet(ready), /"message":"ready"/);
      writeFileSync(file, good);
    }
    assert.equal(await service.end('SIGTERM'), 0);
  } finally {
    await folder.remove();
  }
});

test('nothing but loopback is listened on in the clear, unless it is asked for', async () => {
  const folder = temporaryFolder();
  try {
    const refused = await sauda(['start', '--data', folder.path, '--host', '0.0.0.0'], { SAUDA_DEMO: 'off' });
    assert.equal(refused.code, 78);
    assert.match(refused.stderr, /0\.0\.0\.0 is not loopback.*--tls-cert.*--insecure/);
  } finally {
    await folder.remove();
  }
});
