import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { OPERATIONS } from '../../src/gateway/operations.ts';
import { ERROR_NAMES } from '../../src/gateway/reference/error-help.ts';
import { launchChromium } from '../kit/chromium.ts';
import { openWorld, type World } from '../kit/wire/world.ts';

/*
 * The reference in a browser. Debian's Chromium is used, or the one that `SAUDA_CHROMIUM` names.
 */

let world: World;
let browser: Browser;

before(async () => {
  world = await openWorld();
  browser = await launchChromium();
});

after(async () => {
  await browser.close();
  await world.close();
});

/** Opens a page of the service; gives it with every request that it made and every complaint of the browser. */
async function opened(path: string) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(60_000);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`http://127.0.0.1:${world.port}${path}`);
  return { page, requests, complaints };
}

test('the reference shows the operations, asks this service alone, and keeps its policy', async () => {
  const { page, requests, complaints } = await opened('/docs');
  await page.getByRole('heading', { name: 'Sauda V1' }).first().waitFor();
  await page.getByText('Open Group - Orders').first().click();
  const place = OPERATIONS.find(({ path }) => path === '/placeOrder');
  await page
    .getByText(place?.summary ?? '', { exact: true })
    .first()
    .waitFor();
  assert.equal(await page.getByText('Deploy').count(), 0, 'nothing that leads to another host');
  await page.waitForTimeout(1_000);
  const base = `http://127.0.0.1:${world.port}`;
  const asked = new Set(requests.map((url) => url.replace(base, '').replace(/\?.*/, '')));
  assert.deepEqual(
    [...asked].sort(),
    ['/docs', '/docs/scalar.js', '/openapi.json', 'data:,'].filter((url) => asked.has(url)),
  );
  assert.ok(asked.has('/docs/scalar.js') && asked.has('/openapi.json'));
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a page of errors and a guide show without a request of their own', async () => {
  for (const [path, text] of [
    [`/docs/errors/${ERROR_NAMES[0]}`, 'When it comes'],
    ['/docs/guides/going-live', 'Before the first real order'],
  ] as const) {
    const { page, requests, complaints } = await opened(path);
    await page.getByRole('heading', { name: text }).waitFor();
    assert.deepEqual(
      requests.filter((url) => !url.startsWith('data:')),
      [`http://127.0.0.1:${world.port}${path}`],
    );
    assert.deepEqual(complaints, []);
    await page.close();
  }
});
