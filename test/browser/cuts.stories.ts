/**
 * The story of a bad line: the connections between page and service are cut 500 times at random moments, many of them
 * while a request is on its way, and somebody goes on clicking. Each press has a quantity of its own, by which its
 * order is found in the books.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { Random } from '../../src/base/random.ts';
import { CuttingProxy } from '../process/client/cutting-proxy.ts';
import { chooseListed } from './kit/desk.ts';
import { until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { story } from './kit/story.ts';
import { StoryService, type StoryUser } from './kit/story-service.ts';

const CUTS = 500;
/** Cuts come in bursts, as on a bad line, with time between them in which orders come through. */
const BURST = 10;
const IN_BURST_MS = 30;
const QUIET_MS = 600;
/** A part of all requests is cut off within this time after its first byte, so that it or its answer is lost. */
const LOST_PERCENT = 8;
const ON_ITS_WAY_MS = 12;
/** The story says little of fewer orders. */
const LEAST_ORDERS = 11;

/** Runs in the page: opens the ticket, writes the next quantity and clicks twice, as fast as the page lets it. */
const CLICKING = `(() => {
  const said = [];
  let pressed = 0;
  const type = (input, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, text);
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
  new MutationObserver(() => {
    for (const message of document.querySelectorAll('.toasts p')) {
      const text = message.firstChild?.textContent ?? '';
      if (said.at(-1) !== text && !said.includes(text)) said.push(text);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  const step = () => {
    const send = document.querySelector('.ticket-form .send');
    if (send === null) {
      document.querySelector('.ticket-idle button')?.click();
      return;
    }
    if (send.getAttribute('aria-disabled') === 'true' || send.disabled) return;
    const [quantity, price] = document.querySelectorAll('.ticket-form .stepper input');
    if (price === undefined || price.value === '') return;
    pressed += 1;
    type(quantity, String(pressed));
    setTimeout(() => {
      send.click();
      send.click();
    }, 0);
  };
  const timer = setInterval(step, 40);
  window.badLine = { stop: () => clearInterval(timer), said: () => said };
})()`;

/** Cuts at random until there were enough, and enough orders came through between them. */
async function cutOften(proxy: CuttingProxy, random: Random, user: StoryUser): Promise<number> {
  let cuts = 0;
  const cut = (): void => {
    cuts += 1;
    proxy.cut();
  };
  proxy.onSent = () => {
    if (random.chance(LOST_PERCENT)) setTimeout(cut, random.below(ON_ITS_WAY_MS));
  };
  while (cuts < CUTS || (await bookOf(user)).length < LEAST_ORDERS) {
    await sleep(random.below(QUIET_MS));
    for (let count = 0; count < BURST; count += 1) {
      await sleep(random.below(IN_BURST_MS));
      cut();
    }
  }
  proxy.onSent = () => undefined;
  return cuts;
}

/** The last message of each press, by its quantity. */
async function lastWords(page: Page): Promise<ReadonlyMap<string, string>> {
  const said: readonly string[] = await page.evaluate('window.badLine.said()');
  const last = new Map<string, string>();
  for (const text of said) {
    const [, quantity, words] = /^Buy (\d+) ITC-EQ at [\d.]+: (.*)$/s.exec(text) ?? [];
    if (quantity !== undefined && words !== undefined) last.set(quantity, words);
  }
  return last;
}

story('500 random cuts while clicking send no order twice, and the page says the truth of each', async (told) => {
  const user = await told.user({ rupees: '900000000.00' });
  const proxy = await CuttingProxy.start(told.service.origin);
  try {
    const { operator, data } = told.service;
    const page = await told.desk({ ...user, service: new StoryService({ origin: proxy.url, operator, data }) });
    told.expect(/net::ERR|WebSocket|Failed to (fetch|load)/);
    await chooseListed(page);
    await page.keyboard.press('b');
    await page.locator('.ticket-form').waitFor();
    await page.evaluate(CLICKING);
    assert.ok((await cutOften(proxy, new Random(20), user)) >= CUTS);
    await page.evaluate('window.badLine.stop()');
    await gone(page.locator('.ticket-form .send[aria-disabled="true"]'));
    await until(
      async () => [...(await lastWords(page)).values()].filter((text) => /looking/.test(text)),
      (unsettled) => unsettled.length === 0,
      'the presses that are looked for',
    );
    await compare(page, user);
  } finally {
    await proxy.close();
  }
});

function bookOf(user: StoryUser): Promise<readonly { readonly quantity: string }[]> {
  return user.call('orderBook');
}

/** Compares what the page said of each press with the order book. */
async function compare(page: Page, user: StoryUser): Promise<void> {
  const book = await bookOf(user);
  const counts = Map.groupBy(book, ({ quantity }) => quantity);
  for (const [quantity, rows] of counts) assert.equal(rows.length, 1, `press ${quantity} made ${rows.length} orders`);
  const words = await lastWords(page);
  for (const [quantity, text] of words) {
    if (/Nothing was placed/.test(text)) assert.ok(!counts.has(quantity), `press ${quantity}: ${text}`);
    if (/\(\d+ ms\)$/.test(text)) assert.ok(counts.has(quantity), `press ${quantity}: ${text}`);
  }
  await until(
    () => page.getByRole('grid', { name: 'Orders' }).getAttribute('aria-rowcount'),
    (rows) => Number(rows) === book.length + 1,
    `the list is that of the service, with ${book.length} orders`,
  );
}
