/** The chart: candles, the live one, and orders that are moved as lines. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { wireTime } from '../../client/src/times.ts';
import { priceField } from './kit/desk.ts';
import { plainFigure, until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { belowBid } from './kit/quiet-price.ts';
import { type Story, story } from './kit/story.ts';
import type { StoryUser } from './kit/story-service.ts';

/** More than the chart shows of candles of a minute. */
const PAST_MS = 6 * 3_600_000;
const LOOKS = 3;
/** Ticks below the best bid: the market does not come there while a story lasts. */
const BELOW = 12;
/** A drag that found its line is answered in this time. */
const DRAG_MS = 5_000;
const DRAGS = 6;
const NAMED = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };

type Row = Readonly<Record<string, string>>;

async function chart(told: Story, user: StoryUser): Promise<Page> {
  await user.call('saveWatchlist', { name: 'L', instruments: [NAMED] });
  const page = await told.desk(user);
  await page.locator('.chart-canvas canvas').first().waitFor();
  await candleShown(page, 'a candle');
  return page;
}

async function candleShown(page: Page, what: string): Promise<void> {
  await until(
    () => page.locator('.candle-figures').innerText(),
    (text) => /C\s*[\d,]+\.\d\d/.test(text),
    what,
  );
}

async function chooseInterval(page: Page, interval: string): Promise<void> {
  await page.getByRole('group', { name: 'Interval' }).getByRole('button', { name: interval, exact: true }).click();
  await candleShown(page, interval);
}

async function restingBuy(user: StoryUser): Promise<Row> {
  const price = await belowBid(user, NAMED, BELOW);
  const terms = { ...NAMED, product: 'C', retention: 'DAY', priceType: 'LMT', triggerPrice: '0', remarks: '' };
  await user.call('placeOrder', { ...terms, transactionType: 'B', quantity: '3', price });
  return order(user);
}

async function order(user: StoryUser): Promise<Row> {
  const [row = {}] = await user.call<readonly Row[]>('orderBook');
  return row;
}

/** The place of a price on the page, by the right-click menu, which names the price under the pointer. */
async function placeOf(page: Page, price: string): Promise<{ readonly x: number; readonly y: number }> {
  const box = await page.locator('.chart-canvas').boundingBox();
  assert.ok(box);
  const x = box.x + box.width / 3;
  const item = page.getByRole('menuitem', { name: /^Buy at/ });
  const priceAt = async (y: number): Promise<number> => {
    await page.mouse.click(x, y, { button: 'right' });
    const text = await item.innerText();
    await page.keyboard.press('Escape');
    await gone(item);
    return Number(plainFigure(text.replace('Buy at', '')));
  };
  const [upper, lower] = [box.y + 10, box.y + box.height - 40];
  const [high, low] = [await priceAt(upper), await priceAt(lower)];
  return { x, y: upper + ((high - Number(price)) / (high - low)) * (lower - upper) };
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
    await chooseInterval(page, interval);
  }
});

interface CandleRow {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** The figures of the candles of the last hours as the page shows them, but of the newest, which may still move. */
async function pastFigures(user: StoryUser): Promise<ReadonlySet<string>> {
  const [startTime, endTime] = [PAST_MS, 0].map((ago) => wireTime(new Date(Date.now() - ago)));
  const asked = { ...NAMED, startTime, endTime, interval: '1mi' };
  const rows = await user.call<readonly (CandleRow & { readonly epochTime: number })[]>('timePriceSeries', asked);
  const past = rows.toSorted((one, other) => one.epochTime - other.epochTime).slice(0, -1);
  return new Set(
    past.map(({ open, high, low, close, volume }) => {
      return [...[open, high, low, close].map((price) => price.toFixed(2)), volume].join(' ');
    }),
  );
}

/** The figures that the chart shows of one candle. */
async function figuresShown(page: Page): Promise<string> {
  const text = plainFigure(await page.locator('.candle-figures').innerText());
  return (text.match(/[\d.]+/g) ?? []).join(' ');
}

story('the figures are those of the candle under the crosshair', async (told) => {
  const user = await told.user();
  const page = await chart(told, user);
  const box = await page.locator('.chart-canvas').boundingBox();
  assert.ok(box);
  // A new candle moves the others under the pointer: a look that met the end of a minute is made again.
  for (let look = 1; ; look += 1) {
    await page.mouse.move(box.x + 60 + look * 20, box.y + 100);
    const past = await pastFigures(user);
    const under = await until(
      () => figuresShown(page),
      (figures) => past.has(figures),
      'the figures of an older candle',
    );
    await page.waitForTimeout(2_500);
    const later = await figuresShown(page);
    if (later === under) return;
    assert.ok(look < LOOKS, `an older candle does not move: ${later} after ${under}`);
  }
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
  // The scale of minutes may end above the order after a quiet hour.
  await chooseInterval(page, '1h');
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

story('a stop at the market that is moved by keys is taken, as a stop with a limit', async (told) => {
  const user = await told.user({ shares: { [NAMED.tradingSymbol]: 5 } });
  const page = await chart(told, user);
  const triggerPrice = await belowBid(user, NAMED, BELOW);
  const stop = { ...NAMED, transactionType: 'S', product: 'C', retention: 'DAY', quantity: '5', remarks: '' };
  const terms = { priceType: 'SL-MKT', price: '0', triggerPrice };
  const { orderNumber } = await user.call<Row>('placeOrder', { ...stop, ...terms });
  const row = async (): Promise<Row | undefined> =>
    (await user.call<readonly Row[]>('orderBook')).find((one) => one.orderNumber === orderNumber);
  const before = await row();
  await page.getByRole('list', { name: 'Orders on the chart' }).getByRole('button', { name: /stop/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const after = await until(row, (now) => now?.triggerPrice !== before?.triggerPrice, 'the other trigger');
  assert.deepEqual([before?.priceType, after?.priceType, after?.status], ['SL-MKT', 'SL-LMT', 'TRIGGER_PENDING']);
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
