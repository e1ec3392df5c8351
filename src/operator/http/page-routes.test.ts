import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOperatorPort } from '../../../test/kit/operator-port.ts';
import type { PageFile, PageFiles } from '../../page/page-files.ts';

const file = (type: string, text: string, over: Partial<PageFile> = {}): PageFile => {
  return { type, plain: Buffer.from(text), packed: new Map(), isHashed: false, ...over };
};
const PAGE: PageFiles = new Map([
  ['/index.html', file('text/html', 'the terminal')],
  ['/operator.html', file('text/html', 'the operator')],
  [
    '/assets/operator-1.js',
    file('text/javascript', 'plain', { isHashed: true, packed: new Map([['br', Buffer.from('br')]]) }),
  ],
]);

test('the page is given without the token and under its own policy, and no other page with it', async () => {
  await withOperatorPort(
    () => ({ page: Promise.resolve(PAGE) }),
    {},
    async ({ address }) => {
      const page = await fetch(`${address}/`);
      assert.deepEqual([page.status, await page.text()], [200, 'the operator']);
      assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self';/);
      assert.doesNotMatch(page.headers.get('content-security-policy') ?? '', /unsafe/);
      assert.deepEqual(
        ['cache-control', 'referrer-policy', 'x-content-type-options'].map((name) => page.headers.get(name)),
        ['no-store', 'no-referrer', 'nosniff'],
      );
      const script = await fetch(`${address}/assets/operator-1.js`, { headers: { 'accept-encoding': 'identity' } });
      assert.deepEqual(
        [await script.text(), script.headers.get('cache-control')],
        ['plain', 'public, max-age=31536000, immutable'],
      );
      for (const path of ['/index.html', '/operator.html', '/assets/../operator.token', '/assets/none.js']) {
        assert.equal((await fetch(address + path)).status, 404, path);
      }
    },
  );
});

test('a browser that reads packed files gets one, and the others the file as it is', async () => {
  await withOperatorPort(
    () => ({ page: Promise.resolve(PAGE) }),
    {},
    async ({ routes }) => {
      const path = '/assets/operator-1.js';
      const packed = await routes.inject({ url: path, headers: { 'accept-encoding': 'gzip, br' } });
      assert.deepEqual([packed.headers['content-encoding'], packed.body], ['br', 'br']);
      const weighed = await routes.inject({ url: path, headers: { 'accept-encoding': 'gzip, br;q=0.5' } });
      assert.equal(weighed.headers['content-encoding'], 'br');
      const refused = await routes.inject({ url: path, headers: { 'accept-encoding': 'br;q=0' } });
      assert.equal(refused.headers['content-encoding'], undefined);
      const plain = await routes.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
      assert.deepEqual([plain.headers['content-encoding'], plain.body], [undefined, 'plain']);
    },
  );
});

test('a page of another origin can do nothing: no request of its browser is allowed or taken', async () => {
  await withOperatorPort(
    () => ({ page: Promise.resolve(PAGE) }),
    {},
    async ({ routes }) => {
      const origin = 'http://evil.example';
      const asked = await routes.inject({
        method: 'OPTIONS',
        url: '/switches',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      });
      const allowed = Object.keys(asked.headers).filter((name) => name.startsWith('access-control-'));
      assert.deepEqual([asked.statusCode, allowed], [403, []]);
      const plain = { origin, 'content-type': 'text/plain' };
      const body = '{"kind":"FullKill","on":true,"by":"x","why":"x"}';
      assert.equal((await routes.inject({ method: 'POST', url: '/switches', headers: plain, body })).statusCode, 403);
    },
  );
});
