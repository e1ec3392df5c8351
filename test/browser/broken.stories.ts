import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { must } from '../../src/base/assert.ts';
import { freePorts } from '../kit/cluster/free-ports.ts';
import { CuttingProxy } from '../process/client/cutting-proxy.ts';
import { StartedService, temporaryFolder } from '../process/start/started-service.ts';
import { chooseListed } from './kit/desk.ts';
import { gone } from './kit/gone.ts';
import { keptSession } from './kit/session.ts';
import { reachedOf, STORY_SETTINGS } from './kit/shared.ts';
import { type Story, story } from './kit/story.ts';
import { StoryService, type StoryUser } from './kit/story-service.ts';

/*
 * The page while something is broken: it says so, nothing old looks alive, and an order that was pressed is placed once
 * or not at all.
 */

/** A browser says these by itself when a connection ends or is refused. */
const CONNECTION_ENDS = [/ERR_|WebSocket|Failed to load resource/];
/** The page calls a live connection silent after 12 seconds, and a busy machine takes longer. */
const SILENCE_MS = 60_000;
const folder = temporaryFolder();
after(() => folder.remove());

/** The page says nothing of the link, and its figures are not marked as old. */
async function seenLive(page: Page): Promise<void> {
  await page.locator('.status-bar').getByText('Live', { exact: true }).waitFor();
  await page.locator('.terminal:not(.stale)').waitFor();
}

/** The page says in words what is wrong, and marks all its figures as old. */
async function seenStale(told: Story, page: Page, words: RegExp, picture: string, timeout = 30_000): Promise<void> {
  await page.locator('.terminal.stale').waitFor({ timeout });
  await page.getByRole('status').getByText(words).first().waitFor({ timeout });
  await told.picture(page, picture);
}

/** Opens the ticket by its key, and waits until it takes the quantity. */
async function openTicket(page: Page): Promise<void> {
  await page.keyboard.press('b');
  await page.waitForFunction(() => document.activeElement?.matches('.ticket-form input'));
}

/** Sends an order by Enter that rests far below the market. */
async function buyFarBelow(page: Page, remarks: string): Promise<void> {
  await openTicket(page);
  const ticket = page.getByRole('tabpanel', { name: 'Ticket' });
  await ticket.getByRole('textbox', { name: /^Price/ }).fill('250.00');
  const field = ticket.getByRole('textbox', { name: 'Remarks' });
  await field.fill(remarks);
  await field.press('Enter');
  await gone(page.locator('.ticket-form'));
}

interface OrderRow {
  readonly remarks: string;
  readonly quantity: string;
}

async function ordersWith(user: StoryUser, remarks: string): Promise<number> {
  const rows = await user.call<readonly OrderRow[]>('orderBook');
  return rows.filter((row) => row.remarks === remarks).length;
}

/** The same user, reached through a proxy. */
function behind(proxy: CuttingProxy, user: StoryUser): StoryUser {
  return { ...user, service: new StoryService({ ...user.service, origin: proxy.url }) };
}

story('a cut stream is said at once, and the page goes on where it was', async (told) => {
  const user = await told.user();
  const proxy = await CuttingProxy.start(told.service.origin);
  const page = await told.desk(behind(proxy, user));
  told.expect(...CONNECTION_ENDS);
  await chooseListed(page);
  await seenLive(page);
  proxy.shut();
  await seenStale(told, page, /connection is lost/, 'stream-cut');
  await user.call('placeOrder', { ...FAR_BELOW, remarks: 'elsewhere' });
  proxy.open();
  await seenLive(page);
  const orders = page.getByRole('grid', { name: 'Orders' });
  await orders.getByRole('row', { name: /Buy ITC-EQ/ }).waitFor();
  assert.equal(await orders.getByRole('row', { name: /Buy ITC-EQ/ }).count(), 1);
  await proxy.close();
});

const FAR_BELOW = {
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  transactionType: 'B',
  quantity: '1',
  product: 'C',
  priceType: 'LMT',
  price: '250.00',
  triggerPrice: '0',
  retention: 'DAY',
};

story('a service that stops says so, and a killed one is waited for; the books come back with it', async (told) => {
  const [port, operatorPort] = await freePorts(2);
  const settings = { ...STORY_SETTINGS, SAUDA_PORT: String(port), SAUDA_OPERATOR_PORT: String(operatorPort) };
  let running = await StartedService.start(folder.path, settings);
  const service = new StoryService(reachedOf(running));
  const user = await service.newUser();
  const page = await told.desk(user);
  told.expect(...CONNECTION_ENDS);
  await chooseListed(page);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await buyFarBelow(page, `before ${signal}`);
    await page
      .getByRole('region', { name: 'Messages' })
      .getByText(/^Buy 1 ITC-EQ.*Open/)
      .last()
      .waitFor();
    await running.end(signal);
    await seenStale(told, page, /connection is lost|stopping/, `service-${signal.toLowerCase()}`);
    running = await StartedService.start(folder.path, settings);
    await seenLive(page);
    assert.equal(await ordersWith(user, `before ${signal}`), 1);
  }
  assert.equal(
    await page
      .getByRole('grid', { name: 'Orders' })
      .getByRole('row', { name: /Buy ITC-EQ/ })
      .count(),
    2,
  );
  running.child.kill('SIGSTOP');
  await seenStale(told, page, /Nothing comes from the service|connection is lost/, 'service-silent', SILENCE_MS);
  running.child.kill('SIGCONT');
  await seenLive(page);
  await running.end('SIGKILL');
});

story('a service that has no room answers 503: the page says so, and a later press goes through', async (told) => {
  const other = temporaryFolder();
  const settings = { ...STORY_SETTINGS, SAUDA_CONNECTIONS: String(ROOM) };
  const service = new StoryService(reachedOf(await StartedService.start(other.path, settings)));
  const user = await service.newUser();
  const page = await told.desk(user);
  told.expect(...CONNECTION_ENDS);
  await chooseListed(page);
  await seenLive(page);
  await openTicket(page);
  const taken = await takeAllRoom(service, user);
  const price = page.getByRole('tabpanel', { name: 'Ticket' }).getByRole('textbox', { name: /^Price/ });
  await price.fill('250.00');
  await price.press('Enter');
  await page
    .getByText(/The service takes nothing now/)
    .first()
    .waitFor();
  await told.picture(page, 'service-503');
  await Promise.all(taken.map(closed));
  await page.keyboard.press('Escape');
  await buyFarBelow(page, 'after 503');
  await page
    .getByRole('grid', { name: 'Orders' })
    .getByRole('row', { name: /Buy ITC-EQ/ })
    .waitFor();
  assert.equal((await user.call<readonly OrderRow[]>('orderBook')).length, 1, 'the refused press placed nothing');
  await other.remove();
});

/** Connections that the service takes in the story of 503. */
const ROOM = 12;

/**
 * Opens sockets until they and the page's own stream have all the room. Connections of the page make room for them as
 * soon as they are idle: one that has a request under way at that moment does so a little later.
 */
async function takeAllRoom(service: StoryService, user: StoryUser): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = [];
  for (let tries = 0; sockets.length < ROOM - 1; tries += 1) {
    assert.ok(tries < 200, `${sockets.length} sockets, and no room for another`);
    const socket = new WebSocket(`${service.origin.replace(/^http/, 'ws')}/stream`);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.onopen = () => resolve(true);
      socket.onerror = () => resolve(false);
    });
    if (isOpen) {
      socket.send(JSON.stringify({ login: { userId: user.userId, jKey: user.jKey } }));
      sockets.push(socket);
    } else await sleep(20);
  }
  return sockets;
}

/** Closes a socket, and waits until its connection has ended: then the service has room again. */
function closed(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.onclose = () => resolve();
    socket.close();
  });
}

story('a session that ended elsewhere leads to the login, which says why', async (told) => {
  const user = await told.user();
  const page = await told.desk(user);
  told.expect(/401/);
  await seenLive(page);
  const { token } = must(await keptSession(page), 'the tab keeps its session');
  await told.service.end(user.userId, token);
  await page.getByText(/session ended/).waitFor();
  await page.getByRole('textbox', { name: 'User' }).waitFor();
  await told.axe(page);
  await told.picture(page, 'session-ended');
  assert.equal(await keptSession(page), null);
});

story('questions about an instrument and its options are asked again until they are answered', async (told) => {
  const page = await told.desk(await told.user());
  told.expect(/ERR_FAILED/);
  const lost = /\/V1\/(getInstrument|getExpiry|optionChainGreeks)$/;
  await page.getByRole('tab', { name: 'Ladder', exact: true }).click();
  await page.getByRole('grid', { name: /^Ladder of/ }).waitFor();
  await page.route(lost, (route) => route.abort());
  await chooseRow(page, /^ITC-EQ/);
  const ladder = page.getByRole('tabpanel', { name: 'Ladder' });
  await ladder.getByText('The service was not reached.').waitFor();
  await page.unroute(lost);
  await page.getByRole('grid', { name: 'Ladder of ITC-EQ' }).waitFor();
  await page.route(/\/V1\/getExpiry$/, (route) => route.abort());
  await page.getByRole('tab', { name: 'Option chain', exact: true }).click();
  await page.getByRole('tabpanel', { name: 'Option chain' }).getByText('The service was not reached.').waitFor();
  await page.unroute(/\/V1\/getExpiry$/);
  await page.getByRole('table', { name: 'Option chain' }).waitFor();
});

async function chooseRow(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('tabpanel', { name: 'Watchlists' }).getByRole('row', { name }).click();
}
