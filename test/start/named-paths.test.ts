import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sauda, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();
const at = (...names: string[]): string => join(folder.path, ...names);
mkdirSync(at('folder'));
mkdirSync(at('data'));
writeFileSync(at('file'), '');
writeFileSync(at('data', 'operator.token'), `${'0'.repeat(64)}\n`);
symlinkSync(at('nowhere'), at('link'));

after(() => folder.remove());

const FREE = ['--port', '0', '--operator-port', '0'];
const KEYLESS = ['--audit-anchor', at('anchor'), '--audit-anchor-key', at('missing')];

const MISTAKES: readonly (readonly [line: readonly string[], code: number, said: RegExp])[] = [
  [['start', '--config', at('folder')], 78, /\/folder cannot be read: it is a folder$/m],
  [
    ['start', '--data', at('file'), ...FREE],
    78,
    /\/file\/sauda\.json cannot be read: a part of the path is no folder$/m,
  ],
  [['start', '--data', at('link'), ...FREE], 78, /\/link: it is a link that leads nowhere$/m],
  [['start', '--data', at('link', 'below'), ...FREE], 78, /\/link: it is a link that leads nowhere$/m],
  [
    ['start', '--data', at('new'), ...FREE, ...KEYLESS],
    78,
    /\/missing, cannot be read: there is no such file or folder$/m,
  ],
  [['verify', '--data', at('data'), ...KEYLESS], 78, /\/missing, cannot be read: there is no such file or folder$/m],
  [['instruments', 'import', at('folder'), '--data', at('data')], 1, /\/folder is a folder, no file$/m],
  [['instruments', 'import', at('missing'), '--data', at('data')], 1, /there is no file .*\/missing$/m],
  [['backup', at('file'), '--data', at('data')], 1, /\/file: a part of the path is no folder$/m],
  [['audit', 'search', '--data', at('missing')], 1, /\/missing has no audit trail/],
  [['audit', 'export', '2026-11-23', '--csv', '--data', at('missing')], 1, /\/missing has no audit trail/],
  [['restore', at('folder'), '--data', at('link')], 1, /\/link: it is a link that leads nowhere$/m],
];

for (const [line, code, said] of MISTAKES) {
  test(`a path that cannot be used is told in words: ${line.join(' ').replaceAll(folder.path, '')}`, async () => {
    const refused = await sauda(line);
    assert.match(refused.stderr, said);
    assert.doesNotMatch(refused.stderr, /a defect|^ +at /m);
    assert.equal(refused.code, code, refused.stderr);
  });
}

test('another service at the operator port is told as such', async () => {
  const other = createServer((_request, response) => response.end('<html>'));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  try {
    const address = other.address();
    assert.ok(typeof address === 'object' && address !== null);
    const run = (...words: string[]) =>
      sauda([...words, '--data', at('data'), '--operator-port', String(address.port)]);
    const refused = await run('user', 'list');
    assert.match(refused.stderr, /^sauda: what answers at the operator port \d+ is no Sauda service$/m);
    assert.equal(refused.code, 1);
  } finally {
    other.close();
  }
});
