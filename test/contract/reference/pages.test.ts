import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { ERROR_NAMES } from '../../../src/gateway/reference/error-help.ts';
import { GUIDES } from '../../../src/gateway/reference/guides.ts';
import { renderMarkdown } from '../../../src/gateway/reference/markdown.ts';
import { referencePages } from '../../../src/gateway/reference/pages.ts';
import { assertFailure } from '../../kit/wire/wire-checks.ts';
import { openWorld } from '../../kit/wire/world.ts';

const PAGES = [...referencePages().keys()];

test('every page is answered to GET with its length, its type and its market, and to HEAD without a body', async () => {
  const world = await openWorld();
  const base = `http://127.0.0.1:${world.port}`;
  for (const path of PAGES) {
    const got = await fetch(base + path);
    const bytes = await got.arrayBuffer();
    assert.equal(got.status, 200, path);
    assert.ok(bytes.byteLength > 200, path);
    assert.equal(got.headers.get('x-market'), 'simulated');
    assert.equal(got.headers.get('x-content-type-options'), 'nosniff');
    const head = await fetch(base + path, { method: 'HEAD' });
    assert.equal(head.status, 200, path);
    assert.equal((await head.arrayBuffer()).byteLength, 0);
    const names = ['content-type', 'content-length', 'cache-control', 'content-security-policy'];
    for (const name of names) assert.equal(head.headers.get(name), got.headers.get(name), `${path}: ${name}`);
    const isHtml = got.headers.get('content-type')?.startsWith('text/html');
    assert.equal(got.headers.has('content-security-policy'), isHtml, path);
  }
  assert.deepEqual(world.failures, []);
  await world.close();
});

test('a page is for GET and HEAD alone, and there is none beside the known ones', async () => {
  const world = await openWorld();
  assertFailure(await world.send('POST', '/docs', {}, '{}'), 405, 'METHOD_NOT_ALLOWED', 'method');
  for (const path of [
    '/docs/nothing',
    '/docs/errors/NOTHING',
    '/docs/guides/../../package.json',
    '/docs/guides/x.md',
  ]) {
    assertFailure(await world.send('GET', path, {}), 404, 'NOT_FOUND', 'path');
  }
  await world.close();
});

test('the script is named by its content, kept for a year, and packed for clients that read it so', async () => {
  const world = await openWorld();
  const page = (await world.send('GET', '/docs', {})).text;
  const [, path = ''] = /<script src="([^"]+)">/.exec(page) ?? [];
  assert.match(path, /^\/docs\/scalar\.js\?v=[0-9a-f]{16}$/);
  const url = `http://127.0.0.1:${world.port}${path}`;
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(plain.headers.get('vary'), 'accept-encoding');
  assert.equal(plain.headers.get('content-encoding'), null);
  const script = Buffer.from(await plain.arrayBuffer());
  const packed = await world.send('GET', path, { 'accept-encoding': 'br, gzip;q=0.8' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.ok(Number(packed.headers['content-length']) < script.length / 3);
  const unpacked = await (await fetch(url, { headers: { 'accept-encoding': 'gzip' } })).arrayBuffer();
  assert.ok(script.equals(Buffer.from(unpacked)));
  assert.equal(
    (await world.send('GET', path, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'],
    undefined,
  );
  assert.doesNotMatch(script.toString('utf8', script.length - 200), /sourceMappingURL/);
  await world.close();
});

test('the script is read in a thread, so the event loop does a small part of the work', async () => {
  const pages = referencePages();
  const all = process.cpuUsage();
  const own = process.threadCpuUsage();
  const document = await pages.get('/docs/scalar.js')?.((coding) => coding === 'gzip');
  const ofAll = process.cpuUsage(all).user;
  const ofLoop = process.threadCpuUsage(own).user;
  assert.ok(gunzipSync(document?.bytes ?? '').length > 4_000_000);
  assert.ok(ofLoop * 3 < ofAll, `${ofLoop} of ${ofAll} µs`);
});

test('every error page says when the error comes, what to do, and its words', async () => {
  const world = await openWorld();
  const list = (await world.send('GET', '/docs/errors', {})).text;
  for (const name of ERROR_NAMES) {
    assert.ok(list.includes(`href="/docs/errors/${name}"`));
    const { text } = await world.send('GET', `/docs/errors/${name}`, {});
    for (const part of [`<h1>${name}</h1>`, 'When it comes', 'What to do']) assert.ok(text.includes(part), name);
  }
  assert.match((await world.send('GET', '/docs/errors/INVALID_JKEY', {})).text, /jKey parameter is invalid/);
  await world.close();
});

test('guides are served as text and as pages, and their links lead to other guides', async () => {
  const world = await openWorld();
  for (const { name, title } of GUIDES) {
    const text = (await world.send('GET', `/docs/guides/${name}.md`, {})).text;
    assert.ok(text.startsWith(`# ${title}\n`), name);
    const page = (await world.send('GET', `/docs/guides/${name}`, {})).text;
    for (const [, path = ''] of page.matchAll(/href="(\/[^"]*)"/g)) assert.ok(PAGES.includes(path), `${name}: ${path}`);
    assert.doesNotMatch(page, /\.\.\/|\.md[)#"]/, `${name}: no link leads to a file that no page shows`);
    const prose = page.replaceAll(/<pre>[\s\S]*?<\/pre>/g, '');
    assert.ok(!prose.includes('```') && !prose.includes('**'), name);
  }
  await world.close();
});

test('the document of the sockets names the port that the service listens on', async () => {
  const world = await openWorld();
  const { servers } = JSON.parse((await world.send('GET', '/asyncapi.json', {})).text);
  assert.equal(servers.self.variables.host.default, `127.0.0.1:${world.port}`);
  assert.equal(servers.self.protocol, 'ws');
  await world.close();
});

test('text of a guide never becomes a tag or a script', () => {
  const html = renderMarkdown(
    '# <b>\n\na <script>alert(1)</script> `<i>` [x](javascript:alert(1)) [y](/docs"onclick="z)\n\n- <u>\n  on\n\n| <s> |\n|---|\n| "q" |\n\n```\n</code><p>\n```',
  );
  const tags = new Set(Array.from(html.matchAll(/<\/?(\w+)/g), ([, tag]) => tag));
  assert.deepEqual([...tags].sort(), ['a', 'code', 'h1', 'li', 'p', 'pre', 'table', 'td', 'th', 'tr', 'ul']);
  assert.ok(!html.includes('href="javascript') && !html.includes('"onclick'));
});

test('a guide has its emphasis, and a cell of a table the bars that are escaped in it', () => {
  assert.equal(renderMarkdown('the tab *Orders* and 2 * 3 * 4'), '<p>the tab <em>Orders</em> and 2 * 3 * 4</p>');
  assert.match(renderMarkdown('| a |\n|---|\n| `one \\| two` |'), /<tr><td><code>one \| two<\/code><\/td><\/tr>/);
});
