/** The watchlists: found, live, ordered and kept. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { plainFigure, until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { story } from './kit/story.ts';
import type { StoryUser } from './kit/story-service.ts';

interface KeptList {
  readonly name: string;
  readonly instruments: readonly { readonly tradingSymbol: string }[];
}

/** The symbols of a kept list as the service has them. */
async function kept(user: StoryUser, place = 0): Promise<string[]> {
  const lists = await user.call<readonly KeptList[]>('getWatchlists');
  return (lists[place]?.instruments ?? []).map(({ tradingSymbol }) => tradingSymbol);
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Watchlist' });
const rowOf = (page: Page, symbol: string) => grid(page).getByRole('row').filter({ hasText: symbol });

async function shown(page: Page): Promise<string[]> {
  const names = await grid(page).locator('.table-row .symbol').allInnerTexts();
  return names.map((name) => name.trim());
}

async function listsOf(user: StoryUser, symbols: readonly string[], name = 'Mine'): Promise<void> {
  const instruments = symbols.map((tradingSymbol) => ({ exchange: 'NSE', tradingSymbol }));
  await user.call('saveWatchlist', { name, instruments });
}

story('an instrument is added by search with keys alone, lives, and is kept by the service', async (told) => {
  const user = await told.user();
  await listsOf(user, ['ITC-EQ']);
  const page = await told.desk(user);
  const field = page.getByRole('combobox', { name: 'Add an instrument' });
  await field.fill('hdfcbank');
  await page.getByRole('option').filter({ hasText: 'HDFCBANK-EQ' }).first().waitFor();
  while (!(await page.getByRole('option', { selected: true }).innerText()).includes('HDFCBANK-EQ')) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await rowOf(page, 'HDFCBANK-EQ').waitFor();
  await until(
    () => kept(user),
    (symbols) => symbols.join() === 'ITC-EQ,HDFCBANK-EQ',
    'the kept list',
  );
  const last = rowOf(page, 'HDFCBANK-EQ').locator('.price');
  const seen = new Set<string>();
  await until(
    async () => {
      const [quote] = await user.call<readonly { readonly lastTradedPrice: string }[]>('getMultiQuotes', {
        data: [{ exchange: 'NSE', tradingSymbol: 'HDFCBANK-EQ' }],
      });
      const price = plainFigure(await last.innerText());
      seen.add(price);
      return price === quote?.lastTradedPrice && seen.size > 1;
    },
    (isSame) => isSame,
    'the last price of the row moves, and is that of the service',
  );
  await page.reload();
  await rowOf(page, 'HDFCBANK-EQ').waitFor();
});

story('rows show last price, change, bid, ask and volume, and flash as they move', async (told) => {
  const user = await told.user();
  await listsOf(user, ['RELIANCE-EQ', 'NIFTY']);
  const page = await told.desk(user, { viewport: { width: 1920, height: 1080 } });
  const cells = rowOf(page, 'RELIANCE-EQ').getByRole('gridcell');
  await until(
    () => cells.allInnerTexts(),
    (texts) => texts.length === 7 && texts.slice(1).every((text) => /^[+\u2212]?[\d,]+(\.\d\d)?$/.test(text)),
    'a figure in each cell',
  );
  await rowOf(page, 'NIFTY').locator('.price').waitFor();
  await page.locator('.price.up, .price.down').first().waitFor();
});

story('rows are moved by keys and by the pointer, and taken out by a key', async (told) => {
  const user = await told.user();
  await listsOf(user, ['ITC-EQ', 'TCS-EQ', 'INFY-EQ', 'SBIN-EQ']);
  const page = await told.desk(user);
  await rowOf(page, 'SBIN-EQ').waitFor();
  await rowOf(page, 'ITC-EQ').click();
  await page.keyboard.press('Alt+ArrowDown');
  await until(
    () => kept(user),
    (symbols) => symbols.join() === 'TCS-EQ,ITC-EQ,INFY-EQ,SBIN-EQ',
    'moved by keys',
  );
  await rowOf(page, 'SBIN-EQ').hover();
  await rowOf(page, 'SBIN-EQ').locator('.grip').dragTo(rowOf(page, 'TCS-EQ'));
  await until(
    () => kept(user),
    (symbols) => symbols.join() === 'SBIN-EQ,TCS-EQ,ITC-EQ,INFY-EQ',
    'dragged',
  );
  await until(
    () => shown(page),
    (symbols) => symbols.join() === 'SBIN-EQ,TCS-EQ,ITC-EQ,INFY-EQ',
    'the rows as they are kept',
  );
  await rowOf(page, 'TCS-EQ').click();
  await page.keyboard.press('Delete');
  await until(
    () => kept(user),
    (symbols) => symbols.join() === 'SBIN-EQ,ITC-EQ,INFY-EQ',
    'taken out',
  );
  await gone(rowOf(page, 'TCS-EQ'));
});

story('lists are made, named, chosen by number and deleted', async (told) => {
  const user = await told.user();
  await listsOf(user, ['ITC-EQ'], 'First');
  await listsOf(user, ['TCS-EQ'], 'Second');
  const page = await told.desk(user);
  await rowOf(page, 'ITC-EQ').click();
  await page.keyboard.press('2');
  await rowOf(page, 'TCS-EQ').waitFor();
  await page.keyboard.press('1');
  await rowOf(page, 'ITC-EQ').waitFor();
  await page.getByRole('button', { name: 'New list' }).click();
  await page.getByText('This list is empty').waitFor();
  await page.getByRole('button', { name: 'Rename this list' }).click();
  await page.getByRole('textbox', { name: 'Name of the list' }).fill('Third one');
  await page.keyboard.press('Enter');
  const names = async () => (await user.call<readonly KeptList[]>('getWatchlists')).map(({ name }) => name);
  await until(names, (all) => all.join() === 'First,Second,Third one', 'the named list');
  await page.getByRole('button', { name: 'Delete this list' }).click();
  await page.getByRole('button', { name: 'Delete Third one' }).click();
  await until(names, (all) => all.join() === 'First,Second', 'the deleted list');
});

story('of a list of 300 instruments only what is seen exists and is followed', async (told) => {
  const user = await told.user();
  const found = new Set<string>();
  for (const letter of 'ABCDEFGHIJKLMNOPRSTUVW') {
    const rows = await user.call<readonly { exchange: string; tradingSymbol: string }[]>('searchScrips', {
      stext: letter,
    });
    for (const row of rows)
      if (row.exchange === 'NSE' && row.tradingSymbol.endsWith('-EQ')) found.add(row.tradingSymbol);
  }
  const symbols = [...found].slice(0, 300);
  assert.ok(symbols.length >= 200, `${symbols.length} instruments`);
  await listsOf(user, symbols);
  const page = await told.desk(user);
  await rowOf(page, symbols[0] ?? '').waitFor();
  assert.ok((await shown(page)).length < 60);
  await rowOf(page, symbols[0] ?? '').click();
  await page.keyboard.press('End');
  const last = rowOf(page, symbols.at(-1) ?? '');
  await last.waitFor();
  await until(
    () => last.locator('.price').innerText(),
    (text) => /\d/.test(text),
    'the last row has a price',
  );
});

story('a user without lists has instruments to begin with, which are kept with the first edit', async (told) => {
  const user = await told.user();
  const page = await told.desk(user);
  await rowOf(page, 'RELIANCE-EQ').waitFor();
  assert.deepEqual(await kept(user), [], 'nothing is kept unasked');
  await rowOf(page, 'TCS-EQ').click();
  await page.keyboard.press('Delete');
  const left = await until(
    () => kept(user),
    (symbols) => symbols.length > 0,
    'the kept list',
  );
  assert.ok(left.includes('RELIANCE-EQ') && !left.includes('TCS-EQ'));
});

story('the list of a user without lists is still there beside a new one, and an early Enter adds', async (told) => {
  const user = await told.user();
  const page = await told.desk(user);
  await rowOf(page, 'RELIANCE-EQ').waitFor();
  await page.getByRole('button', { name: 'New list' }).click();
  await page.getByRole('combobox', { name: 'Add an instrument' }).focus();
  await page.keyboard.type('WIPRO');
  await page.keyboard.press('Enter');
  await rowOf(page, 'WIPRO-EQ').waitFor();
  await until(
    () => kept(user, 1),
    (symbols) => symbols.join() === 'WIPRO-EQ',
    'the kept list',
  );
  await page.reload();
  await rowOf(page, 'RELIANCE-EQ').waitFor();
  await page.getByRole('button', { name: /List 2/ }).click();
  await rowOf(page, 'WIPRO-EQ').waitFor();
});

story('lists that cannot be read are not edited, and are read again on demand', async (told) => {
  const user = await told.user();
  await listsOf(user, ['ITC-EQ', 'TCS-EQ'], 'List 1');
  const page = await told.desk(user);
  await rowOf(page, 'ITC-EQ').waitFor();
  told.expect(/503/, /getWatchlists/, /Failed to load/);
  await page.route('**/V1/getWatchlists', (route) => route.abort());
  await page.reload();
  await page.getByText('The watchlists could not be read').waitFor({ timeout: 30_000 });
  assert.equal(await page.getByRole('combobox', { name: 'Add an instrument' }).count(), 0);
  await page.unroute('**/V1/getWatchlists');
  await page.getByRole('button', { name: 'Try again' }).click();
  await rowOf(page, 'TCS-EQ').waitFor();
  assert.deepEqual(await kept(user), ['ITC-EQ', 'TCS-EQ']);
});
