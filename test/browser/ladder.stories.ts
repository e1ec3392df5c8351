/** The ladder: armed or not, orders by a click, and the place of one's own in the queue. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { plainFigure, until } from './kit/figures.ts';
import { type Story, story, type Theme } from './kit/story.ts';
import type { StoryUser } from './kit/story-service.ts';

const SYMBOL = 'ITC-EQ';
const NAMED = { exchange: 'NSE', tradingSymbol: SYMBOL };

type Row = Readonly<Record<string, string>>;

async function ladder(told: Story, user: StoryUser, theme: Theme = 'light'): Promise<Page> {
  await user.call('saveWatchlist', { name: 'L', instruments: [NAMED] });
  const page = await told.desk(user, { theme });
  await page.getByRole('tab', { name: 'Ladder', exact: true }).click();
  await page.getByRole('grid', { name: `Ladder of ${SYMBOL}` }).waitFor();
  return page;
}

async function quote(user: StoryUser): Promise<Row> {
  const [row = {}] = await user.call<readonly Row[]>('getMultiQuotes', { data: [NAMED] });
  return row;
}

const open = async (user: StoryUser): Promise<readonly Row[]> =>
  (await user.call<readonly Row[]>('orderBook')).filter(({ status }) => status === 'OPEN');

const cell = (page: Page, side: 'Buy' | 'Sell', price: string) =>
  page.getByRole('gridcell', { name: new RegExp(`${side} at ${price.replace('.', '\\.')}$`) });

/** A bid some levels below the touch, so that it rests for the story. */
async function quietPrice(user: StoryUser): Promise<string> {
  const { bestBuyPrice5 = '' } = await quote(user);
  return bestBuyPrice5;
}

for (const theme of ['light', 'dark'] as const) {
  story(`axe finds nothing in an armed ladder with orders and a chart with their lines, ${theme}`, async (told) => {
    const user = await told.user();
    const terms = { ...NAMED, product: 'C', retention: 'DAY', priceType: 'LMT', triggerPrice: '0', remarks: '' };
    const price = await quietPrice(user);
    await user.call('placeOrder', { ...terms, transactionType: 'B', price, quantity: '12' });
    const page = await ladder(told, user, theme);
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.locator('.ladder-own b').waitFor();
    await page.getByRole('list', { name: 'Orders on the chart' }).waitFor();
    await told.axe(page);
  });
}

story('a ladder is not armed as it opens: a click places nothing and fills the ticket', async (told) => {
  const user = await told.user();
  const page = await ladder(told, user);
  await page.getByText('Not armed: a click fills the ticket').waitFor();
  const price = await quietPrice(user);
  await cell(page, 'Buy', price).click();
  const field = page.getByRole('textbox', { name: /^Price/ }).or(page.getByRole('spinbutton', { name: /^Price/ }));
  await until(
    () => field.inputValue(),
    (value) => plainFigure(value) === price,
    'the price of the ticket',
  );
  assert.deepEqual(await open(user), []);
});

story(
  'an armed ladder places by a click, shows the order with its place, and cancels it; Esc disarms',
  async (told) => {
    const user = await told.user();
    const page = await ladder(told, user);
    await page.getByRole('button', { name: 'Arm', exact: true }).click();
    await page.getByText('Armed: a click places an order for 1 at once').waitFor();
    await page.getByRole('spinbutton', { name: 'Quantity' }).first().fill('7');
    const price = await quietPrice(user);
    await cell(page, 'Buy', price).click();
    const [placed] = await until(
      () => open(user),
      (rows) => rows.length === 1,
      'one open order',
    );
    assert.deepEqual([placed?.price, placed?.quantity, placed?.transactionType], [price, '7', 'B']);
    const own = page.locator('.ladder-own b');
    await until(
      () => own.allInnerTexts(),
      (texts) => texts.join() === '7',
      'the order in the ladder',
    );
    await until(
      async () => {
        const [place] = await user.call<readonly Row[]>('getQueuePlaces', NAMED);
        const text = await page.locator('.ladder-own .ahead').first().innerText();
        return place !== undefined && plainFigure(text.replace('#', '')) === place.ahead;
      },
      (isSame) => isSame,
      'the place in the ladder is that of the service',
    );
    await page.getByRole('button', { name: /^Cancel: 7 units/ }).click();
    await until(
      () => open(user),
      (rows) => rows.length === 0,
      'no open order',
    );
    await until(
      () => own.count(),
      (count) => count === 0,
      'no order in the ladder',
    );
    await page.getByRole('button', { name: 'Armed', exact: true }).focus();
    await page.keyboard.press('Escape');
    await page.getByText('Not armed: a click fills the ticket').waitFor();
  },
);

story('keys alone place an order in an armed ladder, and cancel it', async (told) => {
  const user = await told.user();
  const page = await ladder(told, user);
  await page.getByRole('button', { name: 'Arm', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: `Ladder of ${SYMBOL}` }).focus();
  for (let step = 0; step < 8; step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(
    () => open(user),
    (rows) => rows.length === 1,
    'one open order',
  );
  await page.locator('.ladder-own b').waitFor();
  await page.keyboard.press('Delete');
  await until(
    () => open(user),
    (rows) => rows.length === 0,
    'no open order',
  );
});

story('the place in the queue falls as those in front trade and leave', async (told) => {
  const [front, user, seller] = [await told.user(), await told.user(), await told.user({ shares: { [SYMBOL]: 500 } })];
  const page = await ladder(told, user);
  const terms = { ...NAMED, product: 'C', retention: 'DAY', priceType: 'LMT', triggerPrice: '0', remarks: '' };
  const { bestBuyPrice1: price = '' } = await quote(user);
  const buy = { ...terms, transactionType: 'B', price };
  const { orderNumber } = await front.call<Row>('placeOrder', { ...buy, quantity: '400' });
  await user.call('placeOrder', { ...buy, quantity: '5' });
  const place = async (): Promise<number> => {
    const texts = await page.locator('.ladder-own .ahead').allInnerTexts();
    return texts.length === 0 ? Number.NaN : Number(plainFigure((texts[0] ?? '').replace('#', '')));
  };
  const before = await until(place, (ahead) => ahead >= 400, 'behind the order in front');
  await front.call('cancelOrder', { orderNumber });
  const after = await until(place, (ahead) => ahead <= before - 400, 'the order in front has left');
  const sale = { ...terms, retention: 'IOC', transactionType: 'S', price, quantity: '500' };
  if (after > 0) await seller.call('placeOrder', sale);
  await until(place, (ahead) => !(ahead >= after) || after === 0, 'units in front have traded');
});

story('prices are grouped, moved by the wheel, and centred again', async (told) => {
  const user = await told.user();
  const page = await ladder(told, user);
  const prices = () => page.locator('.ladder-price').allInnerTexts();
  const before = await prices();
  assert.ok(before.length > 8);
  await page.getByRole('combobox', { name: 'Group' }).selectOption('10');
  const step = (texts: readonly string[]) => Number(plainFigure(texts[0] ?? '')) - Number(plainFigure(texts[1] ?? ''));
  await until(prices, (texts) => Math.abs(step(texts) - 10 * step(before)) < 0.001, 'ten ticks a row');
  await page.locator('.ladder-row.last').waitFor();
  await page.locator('.ladder-body').hover();
  for (let turn = 0; turn < 30; turn += 1) await page.mouse.wheel(0, -100);
  await page.locator('.ladder-row.last').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Centre' }).click();
  await page.locator('.ladder-row.last').waitFor();
});

/** The price between the bid and the ask that is nearest to the last one; undefined where they are too near. */
function between({ bestBuyPrice1, bestSellPrice1, tickSize, lastTradedPrice }: Row): string | undefined {
  const [bid = 0, ask = 0, tick = 1, last = 0] = [bestBuyPrice1, bestSellPrice1, tickSize, lastTradedPrice].map(Number);
  if (!(bid > 0) || ask - bid < 3.5 * tick || ask > 2_000) return undefined;
  const nearest = Math.min(Math.max(last, bid + tick), ask - tick);
  return (Math.round(nearest / tick) * tick).toFixed(2);
}

/** The symbol of a share whose bid and ask are apart. */
async function wideShare(user: StoryUser): Promise<string> {
  for (const stext of ['INDUSTRIES', 'TEXTILES', 'STEEL', 'PAPER', 'SUGAR', 'FINANCE', 'INFRA']) {
    const rows = await user.call<readonly Row[]>('searchScrips', { stext });
    const shares = rows.filter(({ exchange, tradingSymbol }) => exchange === 'NSE' && tradingSymbol?.endsWith('-EQ'));
    const data = shares.slice(0, 90).map(({ exchange, tradingSymbol }) => ({ exchange, tradingSymbol }));
    const quotes = data.length === 0 ? [] : await user.call<readonly Row[]>('getMultiQuotes', { data });
    const wide = quotes.find((row) => between(row) !== undefined);
    if (wide?.tradingSymbol !== undefined) return wide.tradingSymbol;
  }
  throw new Error('no share has a wide spread');
}

/** The armed ladder of a share, for delivery orders of four. */
async function armedLadder(told: Story, user: StoryUser, symbol: string): Promise<Page> {
  await user.call('saveWatchlist', { name: 'L', instruments: [{ exchange: 'NSE', tradingSymbol: symbol }] });
  const page = await told.desk(user);
  await page.getByRole('tab', { name: 'Ladder', exact: true }).click();
  await page.getByRole('combobox', { name: 'Product' }).selectOption('C');
  await page.getByRole('spinbutton', { name: 'Quantity' }).first().fill('4');
  await page.getByRole('button', { name: 'Arm', exact: true }).click();
  return page;
}

story('two users trade with each other by their ladders', async (told) => {
  const buyer = await told.user();
  const symbol = await wideShare(buyer);
  const seller = await told.user({ shares: { [symbol]: 100 } });
  const [bids, asks] = [await armedLadder(told, buyer, symbol), await armedLadder(told, seller, symbol)];
  const fills = (user: StoryUser) => user.call<readonly Row[]>('tradeBook');
  // The market may come between the two clicks; then both try again at its new price.
  for (let attempt = 0; (await fills(buyer)).length === 0; attempt += 1) {
    assert.ok(attempt < 10, 'the market came between each time');
    const named = { exchange: 'NSE', tradingSymbol: symbol };
    const [quoted = {}] = await buyer.call<readonly Row[]>('getMultiQuotes', { data: [named] });
    const price = between(quoted);
    if (price === undefined) continue;
    await cell(bids, 'Buy', price).click();
    await bids.locator('.ladder-own b').waitFor();
    await cell(asks, 'Sell', price).click();
    await until(
      () => seller.call<readonly Row[]>('orderBook'),
      (rows) => rows.length > attempt,
      'the sale',
    );
    await bids.waitForTimeout(1_200);
    for (const user of [buyer, seller]) await user.call('cancelAllOrders');
  }
  const [bought, sold] = [await fills(buyer), await fills(seller)];
  assert.deepEqual([bought[0]?.fillQuantity, bought[0]?.transactionType], ['4', 'B']);
  const match = sold.find(
    ({ fillTime, fillPrice }) => fillTime === bought[0]?.fillTime && fillPrice === bought[0]?.fillPrice,
  );
  assert.equal(match?.transactionType, 'S');
  await bids.locator('.ladder-own b').waitFor({ state: 'detached' });
});
