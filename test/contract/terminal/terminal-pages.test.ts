import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageFile, PageFiles } from '../../../src/page/page-files.ts';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import { openWorld, type World } from '../../kit/wire/world.ts';

const HTML = '<!doctype html><title>Sauda</title>';
const SCRIPT = 'export const answer = 42;'.repeat(100);

function file(type: string, plain: string, over: Partial<PageFile> = {}): PageFile {
  return { type, plain: Buffer.from(plain), packed: new Map(), isHashed: false, ...over };
}

const FILES: PageFiles = new Map([
  ['/index.html', file('text/html; charset=utf-8', HTML)],
  ['/operator.html', file('text/html; charset=utf-8', 'for operators')],
  [
    '/assets/index-4f2a.js',
    file('text/javascript; charset=utf-8', SCRIPT, {
      isHashed: true,
      packed: new Map([
        ['br', Buffer.from('brotli')],
        ['gzip', Buffer.from('gzip')],
      ]),
    }),
  ],
]);

async function inWorld(page: PageFiles | undefined, run: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld(page === undefined ? {} : { page: Promise.resolve(page) });
  try {
    await run(world);
    assert.deepEqual(world.failures, []);
  } finally {
    await world.close();
  }
}

test('the terminal stands at the address itself, is kept by no store, and holds to its own policy', () =>
  inWorld(FILES, async (world) => {
    for (const path of ['/', '/index.html', '/?from=mail']) {
      const { status, headers, text } = await world.send('GET', path, {});
      assert.equal(status, 200);
      assert.equal(text, HTML);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      const policy = String(headers['content-security-policy']);
      for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) {
        assert.ok(policy.split('; ').includes(part), part);
      }
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    }
  }));

test('while a start builds the page its address says so and looks again, and has the page once it is built', async () => {
  const build = Promise.withResolvers<PageFiles | undefined>();
  const world = await openWorld({ page: build.promise });
  try {
    const during = await world.send('GET', '/', {});
    assert.equal(during.status, 200);
    assert.match(during.text, /The terminal is being built/);
    assert.equal(during.headers.refresh, '1');
    assert.equal((await world.send('GET', '/assets/index-4f2a.js', {})).status, 404);
    build.resolve(FILES);
    await build.promise;
    const afterwards = await world.send('GET', '/', {});
    assert.equal(afterwards.text, HTML);
    assert.equal(afterwards.headers.refresh, undefined);
    assert.equal((await world.send('GET', '/assets/index-4f2a.js', {})).text, SCRIPT);
  } finally {
    await world.close();
  }
});

test('a build that fails leaves the words how to build the page', async () => {
  const world = await openWorld({ page: Promise.resolve(undefined) });
  try {
    const { text, headers } = await world.send('GET', '/', {});
    assert.match(text, /The terminal is not built/);
    assert.equal(headers.refresh, undefined);
  } finally {
    await world.close();
  }
});

test('a hashed file is kept for a year and sent in the smallest form that the client reads', () =>
  inWorld(FILES, async (world) => {
    const path = '/assets/index-4f2a.js';
    for (const [accepted, coding, body] of [
      ['gzip, deflate, br, zstd', 'br', 'brotli'],
      ['gzip;q=0.5, br;q=0', 'gzip', 'gzip'],
      ['deflate', undefined, SCRIPT],
      ['', undefined, SCRIPT],
    ] as const) {
      const { headers, text } = await world.send('GET', path, { 'accept-encoding': accepted });
      assert.equal(headers['content-encoding'], coding);
      assert.equal(text, body);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers.vary, 'accept-encoding');
      assert.equal(headers['content-length'], String(body.length));
    }
  }));

test('a page is for GET and HEAD alone; a HEAD brings the same head without a body', () =>
  inWorld(FILES, async (world) => {
    const base = `http://127.0.0.1:${world.port}`;
    for (const path of ['/', '/assets/index-4f2a.js', '/favicon.ico']) {
      const headers = { 'accept-encoding': 'identity' };
      const got = await fetch(base + path, { headers });
      const head = await fetch(base + path, { headers, method: 'HEAD' });
      assert.equal(head.status, 200);
      assert.equal((await head.arrayBuffer()).byteLength, 0);
      assert.ok((await got.arrayBuffer()).byteLength > 0);
      for (const name of ['content-type', 'cache-control', 'content-security-policy']) {
        assert.equal(head.headers.get(name), got.headers.get(name), `${path} ${name}`);
      }
      assertFailure(await world.send('POST', path, {}, '{}'), 405, 'METHOD_NOT_ALLOWED', 'method');
    }
  }));

test('nothing beside the files that a start has read is served, whatever the path says', () =>
  inWorld(FILES, async (world) => {
    for (const path of [
      '/operator.html',
      '/assets',
      '/assets/',
      '/assets/index-4f2a.js.br',
      '/assets/../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/..\\..\\package.json',
      '//etc/passwd',
      '/source.txt',
      '/src/main.ts',
      '/assets/constructor',
    ]) {
      assertFailure(await world.send('GET', path, {}), 404, 'NOT_FOUND', 'path');
    }
  }));

test('a page of another name that leads to this machine gets nothing', async () => {
  const { OwnHosts } = await import('../../../src/base/net/own-hosts.ts');
  const world = await openWorld({ page: Promise.resolve(FILES), hosts: new OwnHosts(['127.0.0.1', 'localhost']) });
  const seen = await world.send('GET', '/', { host: 'evil.example' });
  assertFailure(seen, 400, 'BAD_REQUEST', 'Host');
  assert.equal((await world.send('GET', '/', { host: `localhost:${world.port}` })).text, HTML);
  await world.close();
});

test('a service without a build says at its address how to get one, and runs', () =>
  inWorld(undefined, async (world) => {
    const { status, headers, text } = await world.send('GET', '/', {});
    assert.equal(status, 200);
    assert.match(text, /npm run build/);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    assert.equal((await world.send('GET', '/livez', {})).status, 200);
  }));
