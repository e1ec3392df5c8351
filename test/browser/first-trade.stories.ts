import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { StartedService, temporaryFolder } from '../process/start/started-service.ts';
import { reachedOf, STORY_SETTINGS } from './kit/shared.ts';
import { story } from './kit/story.ts';
import { StoryService } from './kit/story-service.ts';

/*
 * From the start of the service to the first trade, as somebody who has just cloned the project: the service is started
 * on an empty folder and all that follows is done in the page.
 */

const LONGEST_MS = 30_000;
const folder = temporaryFolder();
let service: StoryService;
/** Milliseconds from the start of the process to the address that it prints. */
let startMs: number;

before(async () => {
  const from = performance.now();
  service = new StoryService(reachedOf(await StartedService.start(folder.path, STORY_SETTINGS)));
  startMs = performance.now() - from;
});

after(() => folder.remove());

/** Moves the focus by the Tab key to something in the page. */
async function tabTo(wanted: Locator): Promise<void> {
  const isThere = () => wanted.evaluate((element) => element === document.activeElement);
  for (let tabs = 0; !(await isThere()); tabs += 1) {
    assert.ok(tabs < 40, 'the Tab key leads there');
    await wanted.page().keyboard.press('Tab');
  }
}

/** Waits until the page shows that an order of one share of ITC is complete. */
async function seenComplete(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Messages' })
    .getByText(/Buy 1 ITC-EQ.*Complete/)
    .waitFor();
  await page
    .getByRole('grid', { name: 'Orders' })
    .getByRole('row', { name: /Buy ITC-EQ.*Complete/ })
    .waitFor();
}

/** Fails unless the service holds just one trade of the user, and all of it took half a minute. */
async function expectOneTrade(userId: string, how: string, from: number): Promise<void> {
  const took = startMs + performance.now() - from;
  const { susertoken: jKey } = await service.post('demoLogin', { userId });
  const trades = await service.post<readonly { tradingSymbol: string; fillQuantity: string }[]>('tradeBook', {
    userId,
    jKey,
  });
  assert.deepEqual(
    trades.map(({ tradingSymbol, fillQuantity }) => [tradingSymbol, fillQuantity]),
    [['ITC-EQ', '1']],
  );
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  console.log(`first trade by ${how}: ${seconds(took)} s, of which the start of the service ${seconds(startMs)} s`);
  assert.ok(took < LONGEST_MS, `${took} ms`);
}

story('the first trade by keyboard alone takes less than 30 seconds from the start of the service', async (told) => {
  const from = performance.now();
  const page = await told.door({ service, isFirstVisit: true });
  const { keyboard } = page;
  const user = page.getByRole('button', { name: /SD1001/ });
  await user.waitFor();
  await tabTo(user);
  await keyboard.press('Enter');
  await page
    .getByRole('tabpanel', { name: 'Watchlists' })
    .getByRole('row', { name: /RELIANCE/ })
    .waitFor();
  await keyboard.press('/');
  await keyboard.type('ITC', { delay: 50 });
  await page
    .getByRole('option', { name: /ITC-EQ/ })
    .first()
    .waitFor();
  await keyboard.press('Enter');
  await page.getByRole('tabpanel', { name: 'Depth' }).getByRole('heading', { name: 'ITC-EQ' }).waitFor();
  await keyboard.press('b');
  const ticket = page.getByRole('tabpanel', { name: 'Ticket' });
  await ticket.getByRole('region', { name: 'Preview' }).getByText('10,00,000.00').waitFor();
  // A few ticks above the last price, so that the order fills at once.
  await tabTo(ticket.getByRole('textbox', { name: /^Price/ }));
  for (let ticks = 0; ticks < 5; ticks += 1) await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await seenComplete(page);
  await expectOneTrade('SD1001', 'keyboard', from);
});

story('the first trade by mouse alone takes less than 30 seconds from the start of the service', async (told) => {
  const from = performance.now();
  const page = await told.door({ service, isFirstVisit: true });
  await page.getByRole('button', { name: /SD1002/ }).click();
  await page
    .getByRole('tabpanel', { name: 'Watchlists' })
    .getByRole('row', { name: /^ITC-EQ/ })
    .click();
  const ticket = page.getByRole('tabpanel', { name: 'Ticket' });
  await ticket.getByRole('button', { name: /^Buy/ }).click();
  await ticket.getByRole('radio', { name: 'Market', exact: true }).click();
  await ticket.getByRole('region', { name: 'Preview' }).getByText('10,00,000.00').waitFor();
  await ticket.getByRole('button', { name: /^Buy 1 at the market/ }).click();
  await seenComplete(page);
  await expectOneTrade('SD1002', 'mouse', from);
});
