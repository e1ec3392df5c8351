/**
 * `npm run screenshots`: the pictures of the README, in `docs/pictures`. A service is started on an empty folder with
 * a fixed seed, a user trades a little, and the workspaces are photographed in both themes.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { panel } from '../test/browser/kit/desk.ts';
import { loggedIn, VISITED } from '../test/browser/kit/session.ts';
import { reachedOf, STORY_SETTINGS } from '../test/browser/kit/shared.ts';
import { StoryService, type StoryUser } from '../test/browser/kit/story-service.ts';
import { launchChromium } from '../test/kit/chromium.ts';
import { StartedService, temporaryFolder } from '../test/process/start/started-service.ts';

const FOLDER = join(import.meta.dirname, '..', 'docs', 'pictures');
const SIZE = { width: 1440, height: 900 };
/** Of 100. Text stays sharp, and a picture has some 100 kB. */
const QUALITY = 80;
const MOST_BYTES = 150_000;
const RUPEES = '5000000.00';
const THEMES = ['light', 'dark'] as const;

/** The steps of a workspace before its picture is taken. */
const SCENES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  Trade: async (page) => {
    await panel(page, 'Watchlists')
      .getByRole('row', { name: /^ITC-EQ/ })
      .click();
    await page.keyboard.press('b');
    await panel(page, 'Ticket').getByRole('region', { name: 'Preview' }).getByText('Margin').waitFor();
  },
  Options: async (page) => {
    await page.getByRole('button', { name: 'Close the ticket' }).click();
    await panel(page, 'Watchlists')
      .getByRole('row', { name: /^NIFTY/ })
      .click();
    await page.getByRole('form', { name: 'Build a strategy' }).getByRole('button', { name: 'Build' }).click();
  },
  Risk: async (page) => {
    await panel(page, 'Positions').getByRole('grid').first().waitFor();
  },
};

interface Leg {
  readonly tradingSymbol: string;
  readonly optionType: string;
  readonly lotSize: string;
}

/** Shares and options bought and sold, and orders that wait. */
async function trade(user: StoryUser): Promise<void> {
  const [share, option] = [
    { exchange: 'NSE', product: 'I' },
    { exchange: 'NFO', product: 'M' },
  ];
  await order(user, { ...share, tradingSymbol: 'ITC-EQ', transactionType: 'B', quantity: '400' });
  await order(user, { ...share, tradingSymbol: 'TCS-EQ', transactionType: 'S', quantity: '60' });
  await order(user, { ...share, product: 'C', tradingSymbol: 'SBIN-EQ', transactionType: 'B', quantity: '150' });
  for (const { tradingSymbol, lotSize: quantity } of await nearTheMoney(user)) {
    await order(user, { ...option, tradingSymbol, transactionType: 'S', quantity });
  }
  const [quote] = await user.call<{ lastTradedPrice: string }[]>('getMultiQuotes/ltp', {
    data: [{ exchange: 'NSE', tradingSymbol: 'ITC-EQ' }],
  });
  const below = ((Math.round(Number(quote?.lastTradedPrice) * 100) - 20) / 100).toFixed(2);
  const waiting = { ...share, tradingSymbol: 'ITC-EQ', quantity: '250', priceType: 'LMT' };
  await order(user, { ...waiting, transactionType: 'B', price: below });
}

async function nearTheMoney(user: StoryUser): Promise<readonly Leg[]> {
  const index = { exchange: 'NSE', tradingSymbol: 'NIFTY' };
  const { expiryDates } = await user.call<{ expiryDates: readonly string[] }>('getExpiry', index);
  const [quote] = await user.call<{ lastTradedPrice: string }[]>('getMultiQuotes/ltp', { data: [index] });
  const strikePrice = String(Math.round(Number(quote?.lastTradedPrice) / 50) * 50);
  const around = { exchange: 'NFO', symbol: 'NIFTY', expiry: expiryDates[0], strikePrice, count: '1' };
  const rows = await user.call<readonly Leg[]>('optionChain', around);
  return ['CE', 'PE'].flatMap((type) => rows.filter(({ optionType }) => optionType === type).slice(0, 1));
}

async function order(user: StoryUser, fields: object): Promise<void> {
  const usual = { priceType: 'MKT', price: '0', triggerPrice: '0', retention: 'DAY', remarks: '' };
  await user.call('placeOrder', { ...usual, ...fields });
}

async function photograph(browser: Browser, user: StoryUser, theme: (typeof THEMES)[number]): Promise<void> {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: theme, reducedMotion: 'reduce' });
  for (const script of [VISITED, loggedIn(user.userId, user.jKey)]) await context.addInitScript(script);
  const page = await context.newPage();
  await page.goto(`${user.service.origin}/`);
  for (const [name, prepare] of Object.entries(SCENES)) {
    await page.getByRole('navigation', { name: 'Workspaces' }).getByRole('button', { name }).click();
    await prepare(page);
    // Until curves and previews have their figures.
    await page.waitForTimeout(3_000);
    await keep(page, join(FOLDER, `${name.toLowerCase()}-${theme}.webp`));
  }
  await context.close();
}

async function keep(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  writeFileSync(path, Buffer.from(data, 'base64'));
  const { size } = statSync(path);
  console.log(`${path}: ${Math.round(size / 1_000)} kB`);
  if (size > MOST_BYTES) throw new Error(`${path} has more than ${MOST_BYTES} bytes`);
}

mkdirSync(FOLDER, { recursive: true });
const folder = temporaryFolder();
const service = new StoryService(reachedOf(await StartedService.start(folder.path, STORY_SETTINGS)));
const browser = await launchChromium();
try {
  const user = await service.newUser({ rupees: RUPEES, shares: { 'ITC-EQ': 200, 'INFY-EQ': 40 } });
  await trade(user);
  for (const theme of THEMES) await photograph(browser, user, theme);
} finally {
  await browser.close();
  await folder.remove();
}
