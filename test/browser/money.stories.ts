/** Stories of positions, holdings, funds, trades and the day's curve: features 9 to 12 and 16 of the terminal. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { ticketReady } from './kit/desk.ts';
import { plainFigure, until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { type Story, story } from './kit/story.ts';
import type { StoryUser } from './kit/story-service.ts';

type Row = Readonly<Record<string, string>>;

interface Results {
  readonly rows: readonly Row[];
  readonly realised: string;
}

const MARKET = { exchange: 'NSE', retention: 'DAY', priceType: 'MKT', price: '0', triggerPrice: '0', remarks: '' };

/** Places a market order beside the page. */
async function trade(user: StoryUser, tradingSymbol: string, side: 'B' | 'S', quantity: number, product = 'I') {
  const order = { ...MARKET, tradingSymbol, transactionType: side, quantity: String(quantity), product };
  const exchange = /^NIFTY\d/.test(tradingSymbol) ? 'NFO' : 'NSE';
  await user.call('placeOrder', { ...order, exchange });
}

async function show(page: Page, workspace: string, tab: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Workspaces' }).getByRole('button', { name: workspace }).click();
  await page.getByRole('tab', { name: tab, exact: true }).first().click();
}

/** Digits are grouped as in India, minus is a true minus, and results have their sign. */
function shown(amount: string, isResult = false): string {
  const [whole = '', decimals = ''] = amount.replace('-', '').split('.');
  const grouped = whole.replace(/(\d)(?=(\d\d)+\d$)/g, '$1,');
  const sign = amount.startsWith('-') ? '\u2212' : isResult && /[1-9]/.test(amount) ? '+' : '';
  return `${sign}${grouped}.${decimals}`;
}

function netOf({ rows }: Results): Row {
  return Object.fromEntries(
    rows.map(({ tradingSymbol, product, netQuantity }) => [`${tradingSymbol} ${product}`, netQuantity ?? '']),
  );
}

async function untilNet(user: StoryUser, expected: Row): Promise<void> {
  const holds = (now: Results): boolean => {
    const net = netOf(now);
    return Object.entries(expected).every(([name, units]) => (net[name] ?? '0') === units);
  };
  await until(() => user.call<Results>('getResults'), holds, 'the net quantities');
}

function gridRow(grid: Locator, name: RegExp): Locator {
  return grid.getByRole('row', { name });
}

async function deskWithPositions(told: Story) {
  const user = await told.user();
  await trade(user, 'ITC-EQ', 'B', 60);
  await trade(user, 'ITC-EQ', 'S', 20);
  await trade(user, 'SBIN-EQ', 'S', 5);
  await trade(user, 'RELIANCE-EQ', 'B', 3, 'C');
  const page = await told.desk(user);
  await show(page, 'Risk', 'Positions');
  const grid = page.getByRole('grid', { name: 'Positions' });
  await gridRow(grid, /ITC-EQ/).waitFor();
  return { user, page, grid };
}

story('positions show the results of the service, realised and open apart, in both themes', async (told) => {
  const { user, page, grid } = await deskWithPositions(told);
  const { realised, rows } = await user.call<Results>('getResults');
  const sums = page.getByLabel('Results of the day').first();
  await sums.getByText(shown(realised, true), { exact: true }).first().waitFor();
  for (const row of rows) {
    const cells = await gridRow(grid, new RegExp(row.tradingSymbol ?? ''))
      .getByRole('gridcell')
      .allInnerTexts();
    assert.equal(cells[2], row.netQuantity?.replace('-', '\u2212'), row.tradingSymbol ?? '');
    assert.equal(cells[3], shown(row.averagePrice ?? ''));
    assert.equal(cells[5], shown(row.realised ?? '', true));
  }
  await told.axeInThemes(page);
});

story('a position is exited, reversed and added to by the keyboard alone', async (told) => {
  const { user, page, grid } = await deskWithPositions(told);
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Sell 40 ITC-EQ at the market, Intraday').waitFor();
  await told.axe(page);
  await page.keyboard.press('Enter');
  await untilNet(user, { 'ITC-EQ I': '0', 'SBIN-EQ I': '-5', 'RELIANCE-EQ C': '3' });
  await gridRow(grid, /ITC-EQ/)
    .and(page.locator('.flat'))
    .waitFor();
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByText('Buy 10 SBIN-EQ at the market, Intraday').waitFor();
  await page.keyboard.press('Enter');
  await untilNet(user, { 'SBIN-EQ I': '5' });
  await grid.focus();
  await page.keyboard.press('a');
  const ticket = page.getByRole('tabpanel', { name: 'Ticket' });
  await ticket.getByText('SBIN-EQ').first().waitFor();
  await ticket.getByLabel(/^Quantity/).waitFor();
});

story('a key that ends a sequence does nothing to the chosen position', async (told) => {
  const { user, page, grid } = await deskWithPositions(told);
  await gridRow(grid, /ITC-EQ/).click();
  for (const [key, workspace] of [
    ['o', 'Options'],
    ['r', 'Risk'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page
      .getByRole('navigation', { name: 'Workspaces' })
      .getByRole('button', { name: workspace, pressed: true })
      .waitFor();
    if (workspace === 'Options') await page.getByRole('tab', { name: 'Positions', exact: true }).first().click();
    await gridRow(grid, /ITC-EQ/).click();
  }
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.getByRole('tabpanel', { name: 'Alerts' }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0, 'nothing asks to reverse');
  assert.equal(await page.locator('.ticket-form').count(), 0, 'no ticket is opened');
  await gridRow(grid, /ITC-EQ/).click();
  await page.keyboard.press('r');
  await page.getByRole('dialog', { name: 'Reverse the position' }).waitFor();
  await untilNet(user, { 'ITC-EQ I': '40' });
});

story('a position is converted, and a refusal of the service stays in the dialog', async (told) => {
  const { user, page, grid } = await deskWithPositions(told);
  await gridRow(grid, /ITC-EQ/).click();
  await page.getByRole('button', { name: /^Convert/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Quantity').fill('15');
  await told.axe(page);
  await dialog.getByRole('button', { name: 'Convert' }).click();
  await untilNet(user, { 'ITC-EQ I': '25', 'ITC-EQ C': '15' });
  await gone(dialog);
  await gridRow(grid, /SBIN-EQ/).click();
  await page.getByRole('button', { name: /^Convert/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Convert' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await untilNet(user, { 'SBIN-EQ I': '-5' });
});

story('selected positions are exited together, and all that are left by F6', async (told) => {
  const { user, page, grid } = await deskWithPositions(told);
  await grid.getByRole('checkbox', { name: /ITC-EQ/ }).check();
  await grid.getByRole('checkbox', { name: /SBIN-EQ/ }).check();
  await gridRow(grid, /RELIANCE-EQ/).click();
  await page.getByRole('button', { name: /^Exit 2 selected/ }).waitFor();
  await page.keyboard.press('x');
  const orders = page.getByRole('dialog').getByRole('listitem');
  await orders.nth(1).waitFor();
  assert.deepEqual(await orders.allInnerTexts(), [
    'Buy 5 SBIN-EQ at the market, Intraday',
    'Sell 40 ITC-EQ at the market, Intraday',
  ]);
  await page.getByRole('dialog').getByRole('button', { name: 'Exit', exact: true }).click();
  await untilNet(user, { 'ITC-EQ I': '0', 'SBIN-EQ I': '0', 'RELIANCE-EQ C': '3' });
  await trade(user, 'ITC-EQ', 'B', 7);
  await grid.getByRole('checkbox', { name: /ITC-EQ/ }).waitFor();
  assert.equal(
    await grid.getByRole('checkbox', { checked: true }).count(),
    0,
    'a selection is over once it was exited',
  );
  await page.keyboard.press('F6');
  await page.getByRole('dialog').getByRole('button', { name: 'Exit all positions' }).click();
  await untilNet(user, { 'RELIANCE-EQ C': '0', 'ITC-EQ I': '0' });
});

story('the open orders that would close a position too are cancelled before it is exited', async (told) => {
  const user = await told.user();
  await trade(user, 'ITC-EQ', 'B', 10);
  const quote = await user.call<Row>('getInstrument', { exchange: 'NSE', tradingSymbol: 'ITC-EQ' });
  const price = quote.upperCircuit ?? '';
  const resting = { ...MARKET, tradingSymbol: 'ITC-EQ', transactionType: 'S', quantity: '10', product: 'I' };
  await user.call('placeOrder', { ...resting, priceType: 'LMT', price });
  const page = await told.desk(user);
  await show(page, 'Risk', 'Positions');
  const grid = page.getByRole('grid', { name: 'Positions' });
  await gridRow(grid, /ITC-EQ/).click();
  await page.getByRole('button', { name: /^Exit X/ }).click();
  await page.getByRole('dialog').getByText('cancelled first: 1').waitFor();
  await page.keyboard.press('Enter');
  await untilNet(user, { 'ITC-EQ I': '0' });
  const orders = await user.call<readonly Row[]>('orderBook');
  assert.deepEqual(orders.map(({ status }) => status).sort(), ['CANCELED', 'COMPLETE', 'COMPLETE']);
});

story('trades stand with their charges, and are taken away as CSV with the figures of the service', async (told) => {
  const { user, page } = await deskWithPositions(told);
  await show(page, 'Risk', 'Trades');
  const grid = page.getByRole('grid', { name: 'Trades' });
  const { rows, charges } = await user.call<{ rows: readonly Row[]; charges: string }>('getTradeCharges');
  assert.ok(rows.length >= 4);
  await page.getByLabel('Charges of the day').getByText(shown(charges), { exact: true }).waitFor();
  const [newest = {}] = rows.slice(-1);
  const cells = await grid.getByRole('row').nth(1).getByRole('gridcell').allInnerTexts();
  assert.deepEqual(
    [cells[3], cells[4], cells[5], cells[6], cells[7]],
    [newest.quantity, newest.price, newest.value, newest.total, newest.brokerage].map((text, index) =>
      index === 0 ? text : shown(text ?? ''),
    ),
  );
  await told.axe(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /^sauda-trades-\d{4}-\d\d-\d\d\.csv$/);
  const file = join(mkdtempSync(join(tmpdir(), 'sauda-story-')), 'trades.csv');
  await download.saveAs(file);
  const lines = readFileSync(file, 'utf8').split('\r\n');
  assert.equal(lines.filter((line) => /^\d\d-\d\d-\d{4} /.test(line)).length, rows.length);
  for (const row of rows)
    assert.ok(lines.some((line) => line.includes(`,${row.fillId},`) && line.endsWith(`,${row.total}`)));
  assert.ok(lines.at(-1)?.endsWith(`,${charges}`));
});

story('holdings show value, change of the day and collateral, and a share is sold from its row', async (told) => {
  const user = await told.user({ shares: { 'ITC-EQ': 100, 'SBIN-EQ': 20 } });
  await told.service.act(`/users/${user.userId}/pledges`, { exchange: 'NSE', symbol: 'SBIN-EQ', quantity: 15 });
  const page = await told.desk(user);
  await show(page, 'Risk', 'Holdings');
  const grid = page.getByRole('grid', { name: 'Holdings' });
  await gridRow(grid, /ITC-EQ/).waitFor();
  const { rows, collateral, invested } = await user.call<{
    rows: readonly Row[];
    collateral: string;
    invested: string;
  }>('getHoldings');
  const sums = page.getByLabel('Sums of holdings');
  for (const amount of [collateral, invested]) await sums.getByText(shown(amount), { exact: true }).waitFor();
  for (const row of rows) {
    const cells = await gridRow(grid, new RegExp(row.tradingSymbol ?? ''))
      .getByRole('gridcell')
      .allInnerTexts();
    assert.deepEqual(cells.slice(1, 4), [row.quantity, row.salable, row.pledged]);
    assert.equal(cells.at(-1), shown(row.collateral ?? ''));
  }
  await told.axe(page);
  await gridRow(grid, /ITC-EQ/).click();
  await page.keyboard.press('Enter');
  const sold = (orders: readonly Row[]): boolean =>
    orders.some((row) => row.tradingSymbol === 'ITC-EQ' && row.transactionType === 'S' && row.quantity === '100');
  await ticketReady(page);
  await page.keyboard.press('Enter');
  await until(() => user.call<readonly Row[]>('orderBook'), sold, 'the sale');
});

story('every figure of the funds is explained by entries that sum to it, and margin by its parts', async (told) => {
  const user = await told.user();
  await trade(user, 'ITC-EQ', 'B', 60);
  await trade(user, 'ITC-EQ', 'S', 60);
  await trade(user, 'SBIN-EQ', 'S', 5);
  const spot = await user.call<Row>('getQuote', { exchange: 'NSE', tradingSymbol: 'NIFTY' });
  const { expiryDates } = await user.call<{ expiryDates: readonly string[] }>('getExpiry', {
    exchange: 'NFO',
    tradingSymbol: 'NIFTY',
  });
  const [near = ''] = expiryDates;
  const strike = Math.round(Number(spot.lastTradedPrice) / 50) * 50;
  const symbol = `NIFTY${near.slice(0, 5)}${near.slice(-2)}P${strike}`;
  await trade(user, symbol, 'S', 65, 'M');
  const page = await told.desk(user);
  await show(page, 'Risk', 'Funds');
  const figures = page.getByRole('region', { name: 'Figures' });
  await until(
    async () => {
      const { cash = '', span = '', marginused = '', availableMargin = '' } = await user.call<Row>('limit');
      const seen = await figures.locator('.figure').allInnerTexts();
      return [cash, span, marginused, availableMargin].filter((amount) => !seen.includes(shown(amount)));
    },
    (missing) => missing.length === 0,
    'the figures of the service that the panel lacks',
  );
  const paiseOf = (text: string): number => Math.round(Number(plainFigure(text)) * 100);
  for (const line of await figures.locator('details').all()) {
    await line.locator('summary').click();
    const amount = paiseOf(await line.locator('summary .figure').innerText());
    const entries = await line.locator('.entry .figure').allInnerTexts();
    assert.equal(
      entries.reduce((sum, text) => sum + paiseOf(text), 0),
      amount,
      await line.innerText(),
    );
  }
  const margins = page.getByRole('region', { name: 'Margin by underlying' });
  await margins.locator('summary', { hasText: 'NIFTY' }).click();
  await margins.locator('details[open]').getByText('Short option minimum').waitFor();
  const parts = await margins.locator('details[open] .part .figure').allInnerTexts();
  const total = await margins.locator('details[open] > summary .figure').innerText();
  assert.equal(
    parts.reduce((sum, text) => sum + paiseOf(text), 0),
    paiseOf(total),
  );
  await told.axe(page);
});

story('the day is a curve with its drawdown, together and by underlying, read by keys too', async (told) => {
  const { user, page } = await deskWithPositions(told);
  await show(page, 'Risk', 'Day');
  const curve = page.getByRole('slider', { name: 'Point of the curve of All' });
  await curve.waitFor();
  const { points, underlyings } = await user.call<{ points: readonly Row[]; underlyings: readonly Row[] }>(
    'getDayCurve',
  );
  const last = points.at(-1);
  assert.ok(last);
  await page
    .locator('.readout')
    .getByText(`realised ${shown(last.realised ?? '', true)}`)
    .waitFor();
  await curve.press('ArrowLeft');
  // The page asked at another time than the story, so it may end at another point.
  const at = Number(await curve.getAttribute('aria-valuenow'));
  assert.ok(at < Number(await curve.getAttribute('aria-valuemax')) || at === 0, `point ${at} is not the last one`);
  await page.locator('.readout time', { hasText: points[at]?.time?.slice(0, 5) ?? '' }).waitFor();
  for (const { underlying } of underlyings) {
    await page
      .getByLabel('Curves')
      .getByRole('button', { name: new RegExp(underlying ?? '') })
      .click();
    await page.getByRole('slider', { name: `Point of the curve of ${underlying}` }).waitFor();
  }
  await told.axe(page);
});
