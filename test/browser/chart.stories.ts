/** The chart: candles, the live one, and orders that are moved as lines. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { priceField } from './kit/desk.ts';
import { plainFigure, until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { type Story, story } from './kit/story.ts';
import type { StoryUser } from './kit/story-service.ts';

/** Longer than a look at one candle takes. */
const LOOK_MS = 12_000;
/** A drag that found its line is answered in this time. */
const DRAG_MS = 3_000;
const DRAGS = 4;
const NAMED = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };

type Row = Readonly<Record<string, string>>;

async function chart(told: Story, user: StoryUser): Promise<Page> {
  await user.call('saveWatchlist', { name: 'L', instruments: [NAMED] });
  const page = await told.desk(user);
  await page.locator('.chart-canvas canvas').first().waitFor();
  await until(
    () => page.locator('.candle-figures').innerText(),
    (text) => /C\s*[\d,]+\.\d\d/.test(text),
    'a candle',
  );
  return page;
}

async function restingBuy(user: StoryUser): Promise<Row> {
  const [quote = {}] = await user.call<readonly Row[]>('getMultiQuotes', { data: [NAMED] });
  const terms = { ...NAMED, product: 'C', retention: 'DAY', priceType: 'LMT', triggerPrice: '0', remarks: '' };
  await user.call('placeOrder', { ...terms, transactionType: 'B', quantity: '3', price: quote.bestBuyPrice5 });
  return order(user);
}

async function order(user: StoryUser): Promise<Row> {
  const [row = {}] = await user.call<readonly Row[]>('orderBook');
  return row;
}

/** The place of a price on the page, found by the right-click menu, which names the price under the pointer. */
async function placeOf(page: Page, price: string): Promise<{ readonly x: number; readonly y: number }> {
  const box = await page.locator('.chart-canvas').boundingBox();
  assert.ok(box);
  const x = box.x + box.width / 3;
  const priceAt = async (y: number): Promise<number> => {
    await page.mouse.click(x, y, { button: 'right' });
    const text = await page.getByRole('menuitem', { name: /^Buy at/ }).innerText();
    await page.keyboard.press('Escape');
    return Number(plainFigure(text.replace('Buy at', '')));
  };
  const edge = async (isAbove: (at: number) => boolean): Promise<number> => {
    let [high, low] = [box.y + 4, box.y + box.height - 40];
    while (low - high > 0.5) {
      const middle = (high + low) / 2;
      if (isAbove(await priceAt(middle))) high = middle;
      else low = middle;
    }
    return low;
  };
  const top = await edge((at) => at > Number(price));
  const bottom = await edge((at) => at >= Number(price));
  return { x, y: (top + bottom) / 2 };
}

story('the chart shows the candle of the service, and the live one moves', async (told) => {
  const user = await told.user();
  const page = await chart(told, user);
  const close = async (): Promise<string> => {
    const text = await page.locator('.candle-figures span').nth(3).innerText();
    return plainFigure(text.replace('C', ''));
  };
  const seen = new Set<string>();
  await until(
    async () => {
      const [quote] = await user.call<readonly Row[]>('getMultiQuotes', { data: [NAMED] });
      seen.add(await close());
      return seen.size > 1 && (await close()) === quote?.lastTradedPrice;
    },
    (isSame) => isSame,
    'the close of the live candle moves, and is the last price',
  );
  for (const interval of ['3m', '5m', '15m', '30m', '1h', '1D', '1m']) {
    await page.getByRole('group', { name: 'Interval' }).getByRole('button', { name: interval, exact: true }).click();
    await until(
      () => page.locator('.candle-figures').innerText(),
      (text) => /C\s*[\d,]+\.\d\d/.test(text),
      interval,
    );
  }
});

/** A new candle moves the others under the pointer, so a look that takes seconds begins well before it. */
async function awayFromMinuteEnd(page: Page): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < LOOK_MS) await page.waitForTimeout(left + 1_000);
}

story('the figures are those of the candle under the crosshair', async (told) => {
  const user = await told.user();
  const page = await chart(told, user);
  const figures = () => page.locator('.candle-figures').innerText();
  const box = await page.locator('.chart-canvas').boundingBox();
  assert.ok(box);
  await awayFromMinuteEnd(page);
  const newest = await figures();
  await page.mouse.move(box.x + 60, box.y + 100);
  const under = await until(figures, (text) => text !== newest, 'the figures of an older candle');
  await page.waitForTimeout(2_500);
  assert.equal(await figures(), under, 'an older candle does not move');
});

/** Drags the line of an order down until the service has another price: the scale may move between look and grip. */
async function dragged(page: Page, user: StoryUser, placed: Row): Promise<Row> {
  for (let trial = 0; trial < DRAGS; trial += 1) {
    const at = await placeOf(page, placed.price ?? '');
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x, at.y + 20, { steps: 5 });
    await page.mouse.up();
    const end = performance.now() + DRAG_MS;
    while (performance.now() < end) {
      const now = await order(user);
      if (now.price !== placed.price) return now;
      await page.waitForTimeout(100);
    }
  }
  return assert.fail(`the line at ${placed.price} was not moved by ${DRAGS} drags`);
}

story('the line of an order is dragged to modify it', async (told) => {
  const user = await told.user();
  const page = await chart(told, user);
  const placed = await restingBuy(user);
  await page.getByRole('list', { name: 'Orders on the chart' }).getByRole('button').waitFor();
  const moved = await dragged(page, user, placed);
  assert.ok(Number(moved.price) < Number(placed.price));
  assert.equal(moved.orderNumber, placed.orderNumber);
  const shown = () => page.getByRole('list', { name: 'Orders on the chart' }).innerText();
  await until(shown, (text) => plainFigure(text).includes(moved.price ?? ''), 'the line where the service has it');
});

story('the line of an order is moved by keys, and Esc leaves it as it is', async (told) => {
  const user = await told.user();
  const page = await chart(told, user);
  const placed = await restingBuy(user);
  const line = page.getByRole('list', { name: 'Orders on the chart' }).getByRole('button');
  await line.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  // Enter on a line that was not moved opens its ticket, which takes the focus and gives it back.
  await page.keyboard.press('Enter');
  const ticket = page.getByRole('button', { name: /^Change to/ });
  await ticket.waitFor();
  await page.keyboard.press('Escape');
  await gone(ticket);
  assert.equal((await order(user)).price, placed.price);
  await line.focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const moved = await until(
    () => order(user),
    ({ price }) => price !== placed.price,
    'another price',
  );
  const ticks = Math.round((Number(placed.price) - Number(moved.price)) / Number(moved.tickSize));
  assert.equal(ticks, 3);
});

story('a right click offers an order at that price, and a position has its line', async (told) => {
  const user = await told.user();
  const page = await chart(told, user);
  const box = await page.locator('.chart-canvas').boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { button: 'right' });
  const item = page.getByRole('menuitem', { name: /^Sell at/ });
  const price = plainFigure((await item.innerText()).replace('Sell at', ''));
  await item.click();
  const field = priceField(page);
  await until(
    () => field.inputValue(),
    (value) => plainFigure(value) === price,
    'the price of the ticket',
  );
});
