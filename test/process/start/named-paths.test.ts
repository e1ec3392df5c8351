import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type CommandResult, sauda, saudaLines, temporaryFolder } from './started-service.ts';

const folder = temporaryFolder();
const at = (...names: string[]): string => join(folder.path, ...names);
mkdirSync(at('folder'));
mkdirSync(at('data'));
writeFileSync(at('file'), '');
writeFileSync(at('data', 'operator.token'), `${'0'.repeat(64)}\n`, { mode: 0o600 });
symlinkSync(at('nowhere'), at('link'));
symlinkSync(at('data'), at('within'));
mkdirSync(at('full'));
writeFileSync(at('full', 'x'), '');
execFileSync('mkfifo', [at('pipe')]);
// Files without content that say that they are large.
for (const [name, bytes] of [
  ['large', 2 ** 21],
  ['huge', 2 ** 29],
] as const) {
  writeFileSync(at(name), '');
  truncateSync(at(name), bytes);
}

after(() => folder.remove());

const FREE = ['--port', '0', '--operator-port', '0'];
const KEYLESS = ['--audit-anchor', at('anchor'), '--audit-anchor-key', at('missing')];

const MISTAKES: readonly (readonly [line: readonly string[], code: number, said: RegExp])[] = [
  [['start', '--config', at('folder')], 78, /\/folder cannot be read: it is a folder$/m],
  [
    ['start', '--data', at('file'), ...FREE],
    78,
    /\/file\/sauda\.json cannot be read: a part of the path is not a folder$/m,
  ],
  [['start', '--data', at('link'), ...FREE], 78, /\/link is a broken link$/m],
  [['start', '--data', at('link', 'below'), ...FREE], 78, /\/link is a broken link$/m],
  [['start', '--data', at('new'), ...FREE, ...KEYLESS], 78, /\/missing: there is no such file or folder$/m],
  [['verify', '--data', at('data'), ...KEYLESS], 78, /\/missing: there is no such file or folder$/m],
  [['instruments', 'import', at('folder'), '--data', at('data')], 1, /\/folder cannot be imported: it is a folder$/m],
  [
    ['instruments', 'import', at('missing'), '--data', at('data')],
    1,
    /\/missing cannot be imported: there is no such file or folder$/m,
  ],
  [['backup', at('file'), '--data', at('data')], 1, /\/file: a part of the path is not a folder$/m],
  [['audit', 'search', '--data', at('missing')], 1, /\/missing has no audit trail/],
  [['audit', 'export', '2026-11-23', '--csv', '--data', at('missing')], 1, /\/missing has no audit trail/],
  [['start', '--config', ''], 78, /--config is "": it must be the path of a file$/m],
  [['start', '--config', '/dev/zero'], 78, /\/dev\/zero cannot be read: it is not a file$/m],
  [['start', '--config', at('pipe')], 78, /\/pipe cannot be read: it is not a file$/m],
  [['start', '--config', at('large')], 78, /\/large cannot be read: it is too large$/m],
  [['start', '--data', '', ...FREE], 78, /--data is "": it must be the path of a folder$/m],
  [
    ['start', '--data', at('new'), ...FREE, '--audit-anchor', ''],
    78,
    /--audit-anchor is "": it must be the path of a file$/m,
  ],
  [['start', '--data', at('new'), ...FREE, '--archive', at('file')], 78, /\/file: it is not a folder$/m],
  [['start', '--data', at('new'), ...FREE, '--audit-anchor', '/dev/null'], 78, /\/dev\/null: it is not a file$/m],
  [
    ['start', '--data', at('new'), ...FREE, '--tls-cert', ' ', '--tls-key', 'x'],
    78,
    /--tls-cert is " ": it must be the path of a file$/m,
  ],
  [
    ['start', '--data', at('new'), ...FREE, '--tls-cert', '/dev/zero', '--tls-key', at('file')],
    78,
    /it is not a file$/m,
  ],
  [
    ['start', '--data', at('new'), ...FREE, '--tls-cert', at('pipe'), '--tls-key', at('file')],
    78,
    /it is not a file$/m,
  ],
  [
    ['instruments', 'import', '/dev/zero', '--data', at('data')],
    1,
    /\/dev\/zero cannot be imported: it is not a file$/m,
  ],
  [['instruments', 'import', at('pipe'), '--data', at('data')], 1, /\/pipe cannot be imported: it is not a file$/m],
  [['instruments', 'import', '', '--data', at('data')], 1, /the path of the file is blank$/m],
  [['instruments', 'import', at('huge'), '--data', at('data')], 1, /\/huge cannot be imported: it is too large$/m],
  [['span', 'import', '/dev/zero', '--data', at('data')], 1, /\/dev\/zero cannot be imported: it is not a file$/m],
  [['span', 'import', '', '--data', at('data')], 1, /the path of the file is blank$/m],
  [['backup', '', '--data', at('data')], 1, /the path of the folder is blank$/m],
  [['restore', '', '--data', at('data')], 1, /the path of the folder is blank$/m],
  [['backup', at('data'), '--data', at('data')], 1, /is in the data folder/],
  [['backup', at('data', 'below', 'it'), '--data', at('data')], 1, /is in the data folder/],
  [['backup', at('within', 'new'), '--data', at('data')], 1, /is in the data folder/],
  [['backup', folder.path, '--data', at('data')], 1, /holds the data folder/],
  [['backup', at('full'), '--data', at('data')], 1, /\/full is not empty$/m],
  [['backup', '/proc/self/x', '--data', at('data')], 1, /\/proc\/self\/x is on no disk$/m],
  [['backup', '/dev/../dev/x', '--data', at('data')], 1, /is on no disk$/m],
  [['restore', at('folder'), '--data', at('link')], 1, /\/link is a broken link$/m],
];

/** A start may get far before it fails: it has a process of its own. The other lines share one. */
const isStart = ([command]: readonly string[]): boolean => command === 'start';
const shared = MISTAKES.map(([line]) => line).filter((line) => !isStart(line));
const results = new Map<readonly string[], CommandResult>();

before(async () => {
  for (const [place, result] of (await saudaLines(shared)).entries()) results.set(shared[place] ?? [], result);
});

for (const [line, code, said] of MISTAKES) {
  test(`a path that cannot be used is refused in words: ${line.join(' ').replaceAll(folder.path, '')}`, async () => {
    const refused = isStart(line) ? await sauda(line) : (results.get(line) ?? assert.fail('it has run'));
    assert.match(refused.stderr, said);
    assert.doesNotMatch(refused.stderr, /a defect|^ +at /m);
    assert.equal(refused.code, code, refused.stderr);
  });
}

test('another service at the operator port is reported as such', async () => {
  const other = createServer((_request, response) => response.end('<html>'));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  try {
    const address = other.address();
    assert.ok(typeof address === 'object' && address !== null);
    const run = (...words: string[]) =>
      sauda([...words, '--data', at('data'), '--operator-port', String(address.port)]);
    const refused = await run('user', 'list');
    assert.match(refused.stderr, /^sauda: the answer at the operator port \d+ is not of a Sauda service$/m);
    assert.equal(refused.code, 1);
  } finally {
    other.close();
  }
});

test('a file of somebody else that is named as the settings is refused, and nothing of it is printed', async () => {
  for (const text of [
    'root:$6$secret:19000::',
    '{"a": "secret"',
    '{"$6$secret": 1, "a secret": 2}',
    '["secret"]',
    '"secret"',
  ]) {
    writeFileSync(at('others'), text);
    const refused = await sauda(['start', '--config', at('others')]);
    assert.equal(refused.code, 78, refused.stderr);
    assert.match(refused.stderr, /\/others/);
    assert.doesNotMatch(refused.stderr + refused.stdout, /secret/);
  }
});
