/** The ladder: armed or not, orders by a click, and the place of one's own in the queue. */
import assert from 'node:assert/strict';
import type { Page, WebSocketRoute } from 'playwright-core';
import { priceField } from './kit/desk.ts';
import { plainFigure, until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { belowBid } from './kit/quiet-price.ts';
import { type Story, story } from './kit/story.ts';
import type { StoryUser } from './kit/story-service.ts';

const SYMBOL = 'ITC-EQ';
const NAMED = { exchange: 'NSE', tradingSymbol: SYMBOL };
/** Higher than usual, so that the ladder shows prices to which the market does not come while a story lasts. */
const VIEWPORT = { width: 1440, height: 1400 };
/** Ticks below the best bid. */
const BELOW = 6;

type Row = Readonly<Record<string, string>>;

async function ladder(told: Story, user: StoryUser): Promise<Page> {
  await user.call('saveWatchlist', { name: 'L', instruments: [NAMED] });
  const page = await told.desk(user, { viewport: VIEWPORT });
  await page.getByRole('tab', { name: 'Ladder', exact: true }).click();
  await page.getByRole('grid', { name: `Ladder of ${SYMBOL}` }).waitFor();
  return page;
}

const open = async (user: StoryUser): Promise<readonly Row[]> =>
  (await user.call<readonly Row[]>('orderBook')).filter(({ status }) => status === 'OPEN');

const cell = (page: Page, side: 'Buy' | 'Sell', price: string) =>
  page.getByRole('gridcell', { name: new RegExp(`${side} at ${price.replace('.', '\\.')}$`) });

/** A price that the ladder shows, at which an order rests for the story. */
function quietPrice(user: StoryUser): Promise<string> {
  return belowBid(user, NAMED, BELOW);
}

story('axe finds nothing in an armed ladder with orders and a chart with their lines, in both themes', async (told) => {
  const user = await told.user();
  const terms = { ...NAMED, product: 'C', retention: 'DAY', priceType: 'LMT', triggerPrice: '0', remarks: '' };
  const price = await quietPrice(user);
  await user.call('placeOrder', { ...terms, transactionType: 'B', price, quantity: '12' });
  const page = await ladder(told, user);
  await page.getByRole('button', { name: 'Arm', exact: true }).click();
  await page.locator('.ladder-own b').waitFor();
  await page.getByRole('list', { name: 'Orders on the chart' }).waitFor();
  await told.axeInThemes(page);
});

story('a ladder is not armed as it opens: a click places nothing and fills the ticket', async (told) => {
  const user = await told.user();
  const page = await ladder(told, user);
  await page.getByText('Not armed: a click fills the ticket').waitFor();
  const price = await quietPrice(user);
  await cell(page, 'Buy', price).click();
  const field = priceField(page);
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

story('the place in the queue falls as an order in front leaves', async (told) => {
  const [front, user] = [await told.user(), await told.user()];
  const page = await ladder(told, user);
  const terms = { ...NAMED, product: 'C', retention: 'DAY', priceType: 'LMT', triggerPrice: '0', remarks: '' };
  const buy = { ...terms, transactionType: 'B', price: await quietPrice(user) };
  const { orderNumber } = await front.call<Row>('placeOrder', { ...buy, quantity: '400' });
  await user.call('placeOrder', { ...buy, quantity: '5' });
  const place = async (): Promise<number> => {
    const [text = ''] = await page.locator('.ladder-own .ahead').allInnerTexts();
    return text === '' ? Number.NaN : Number(plainFigure(text.replace('#', '')));
  };
  const before = await until(place, (ahead) => ahead >= 400, 'behind the order in front');
  await front.call('cancelOrder', { orderNumber });
  await until(place, (ahead) => ahead <= before - 400, 'the order in front has left');
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
  await gone(page.locator('.ladder-row.last'));
  await page.getByRole('button', { name: 'Centre' }).click();
  await page.locator('.ladder-row.last').waitFor();
});

story('an armed ladder disarms when the stream is cut, and is not armed by its return', async (told) => {
  const user = await told.user();
  const page = await ladder(told, user);
  let socket: WebSocketRoute | undefined;
  let isCut = false;
  await page.routeWebSocket('**/stream', (route) => {
    socket = route;
    if (isCut) void route.close({ code: 1013, reason: 'a cut of the story' });
    else route.connectToServer();
  });
  await page.reload();
  await page.getByRole('tab', { name: 'Ladder', exact: true }).click();
  await page.getByRole('button', { name: 'Arm', exact: true }).click();
  await page.getByText('Armed: a click places an order for 1 at once').waitFor();
  isCut = true;
  await socket?.close({ code: 1013, reason: 'a cut of the story' });
  await page.getByText('Not armed: a click fills the ticket').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Arm', exact: true }).isDisabled(), true);
  isCut = false;
  await gone(page.locator('.stale'));
  await page.getByText('Not armed: a click fills the ticket').waitFor();
});
