/**
 * Stories of the orders of the day: changed and cancelled in their rows, all at once by a key, and the life of an order
 * with the reason of its refusal. The rows of the page are compared with those of the service.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { story } from './kit/story.ts';
import type { StoryUser } from './kit/story-service.ts';

interface Order {
  readonly orderNumber: string;
  readonly status: string;
  readonly quantity: string;
  readonly price: string;
}

const BUY = {
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  transactionType: 'B',
  product: 'C',
  priceType: 'LMT',
  retention: 'DAY',
  triggerPrice: '0',
  remarks: '',
};

/** A price on the tick, a part of the last one. */
async function priceAt(user: StoryUser, part: number): Promise<string> {
  const rows = await user.call<readonly { readonly lastTradedPrice: string }[]>('getQuote/ltp', {
    exchange: 'NSE',
    tradingSymbol: 'ITC-EQ',
  });
  return (Math.round(Number(rows[0]?.lastTradedPrice) * part * 20) / 20).toFixed(2);
}

/** Places buys that rest below the market. Gives their numbers. */
async function resting(user: StoryUser, count: number): Promise<string[]> {
  const numbers: string[] = [];
  for (let place = 0; place < count; place += 1) {
    const price = await priceAt(user, 0.93 + place / 100);
    const { orderNumber } = await user.call<Order>('placeOrder', { ...BUY, price, quantity: '5' });
    numbers.push(orderNumber);
  }
  return numbers;
}

async function orderOf(user: StoryUser, number: string): Promise<Order | undefined> {
  return (await user.call<readonly Order[]>('orderBook')).find(({ orderNumber }) => orderNumber === number);
}

function rows(page: Page) {
  return page.getByRole('grid', { name: 'Orders' }).locator('.table-row');
}

story('Enter on a title sorts the list and opens no order, although one is chosen', async (told) => {
  const user = await told.user();
  await resting(user, 2);
  const page = await told.desk(user);
  await rows(page).first().click();
  const title = page.getByRole('grid', { name: 'Orders' }).getByRole('columnheader', { name: /^Instrument/ });
  await title.getByRole('button').press('Enter');
  await page.locator('[role="columnheader"][aria-sort="ascending"]', { hasText: 'Instrument' }).waitFor();
  assert.equal(await page.locator('.order-life').count(), 0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  assert.equal(await rows(page).first().getAttribute('aria-selected'), 'true');
});

story('an open order is changed in its row, by ticks, and the row shows the terms of the service', async (told) => {
  const user = await told.user();
  const [number = ''] = await resting(user, 1);
  const page = await told.desk(user);
  await rows(page).first().click();
  await page.keyboard.press('m');
  const before = await orderOf(user, number);
  await page.getByLabel(`New price of order ${number}`).press('ArrowUp');
  await page.keyboard.press('Enter');
  await page
    .getByLabel('Messages')
    .getByText(/Modify order .* ms/)
    .waitFor();
  const after = await orderOf(user, number);
  assert.equal(Math.round((Number(after?.price) - Number(before?.price)) * 100), 5);
  await rows(page)
    .first()
    .getByText(after?.price ?? '')
    .waitFor();
  await page.keyboard.press('m');
  await page.getByLabel(`New quantity of order ${number}`).fill('7');
  await page.keyboard.press('Escape');
  assert.equal((await orderOf(user, number))?.quantity, '5', 'Esc leaves the order as it was');
});

story('one order is cancelled by Delete, a selection by its button, and all by F7 after a question', async (told) => {
  const user = await told.user();
  const numbers = await resting(user, 6);
  const page = await told.desk(user);
  await rows(page).nth(5).waitFor();
  await rows(page).first().click();
  await page.keyboard.press('Delete');
  await page
    .getByLabel('Messages')
    .getByText(/Cancel order .* ms/)
    .waitFor();
  assert.equal((await orderOf(user, numbers[5] ?? ''))?.status, 'CANCELED');
  for (const at of [1, 2]) {
    await rows(page).nth(at).click();
    await page.keyboard.press(' ');
  }
  await page.getByRole('button', { name: 'Cancel 2 selected' }).click();
  await page.getByText('Cancelled 2 of 2 orders.').waitFor();
  await page.getByLabel('Find orders').focus();
  await page.keyboard.press('F7');
  await page.getByText('Open orders: 3.').waitFor();
  await told.axe(page);
  await page.keyboard.press('Escape');
  assert.equal((await orderOf(user, numbers[0] ?? ''))?.status, 'OPEN', 'the question was not answered');
  await page.keyboard.press('F7');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel all orders' }).press('Enter');
  await page.getByText(/Cancel all orders: 3 cancelled/).waitFor();
  const left = await user.call<readonly Order[]>('orderBook');
  assert.ok(left.every(({ status }) => status === 'CANCELED'));
});

story(
  'a row stays under the pointer while orders of another session come, and unseen buttons are not hit',
  async (told) => {
    const user = await told.user();
    const numbers = await resting(user, 2);
    const page = await told.desk(user);
    await rows(page).nth(1).hover();
    await rows(page).nth(1).getByRole('button', { name: 'Cancel', exact: true }).hover();
    numbers.push(...(await resting(user, 1)));
    await page.getByRole('radio', { name: 'All 3' }).waitFor();
    await page.mouse.down();
    await page.mouse.up();
    await page
      .getByLabel('Messages')
      .getByText(/Cancel order .* ms/)
      .waitFor();
    const states = await Promise.all(numbers.map(async (number) => (await orderOf(user, number))?.status));
    assert.deepEqual(states, ['CANCELED', 'OPEN', 'OPEN'], 'the order that was aimed at is cancelled');
    await page.mouse.move(5, 5);
    await rows(page).nth(2).waitFor();
    const isHit = await rows(page)
      .nth(0)
      .locator('.row-acts')
      .evaluate((acts) => {
        const { left, top, width, height } = acts.getBoundingClientRect();
        return acts.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      });
    assert.equal(isHit, false, 'a button that is not seen');
  },
);

story('new orders neither scroll a list back to its chosen row nor move the rows that are seen', async (told) => {
  const user = await told.user();
  const leg = { ...BUY, quantity: '1', price: await priceAt(user, 0.93) };
  await user.call('basketOrder', { legs: Array.from({ length: 40 }, () => leg) });
  const page = await told.desk(user);
  const grid = page.getByRole('grid', { name: 'Orders' });
  await rows(page).first().click();
  await page.mouse.move(5, 5);
  await grid.evaluate((list) => {
    list.scrollTop = 400;
  });
  await resting(user, 1);
  await page.getByRole('radio', { name: 'All 41' }).waitFor();
  await until(
    () => grid.evaluate((list) => list.scrollTop),
    (top) => top === 426,
    'the rows that are seen stay where they were',
  );
});

story('F6 exits all positions after a question, and works while the user types', async (told) => {
  const user = await told.user();
  await user.call('placeOrder', { ...BUY, product: 'I', priceType: 'MKT', price: '0', quantity: '5' });
  const page = await told.desk(user);
  await rows(page).first().waitFor();
  await page.getByLabel('Find orders').focus();
  await page.keyboard.press('F6');
  await page.getByText(/Open positions: 1\./).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(/Exit all positions: 1 orders sent/).waitFor();
  const positions = await user.call<readonly { readonly netQuantity: string }[]>('positionBook');
  assert.deepEqual(
    positions.map(({ netQuantity }) => netQuantity),
    ['0'],
  );
});

story('F7 while F6 asks puts its own question in the place of the first one', async (told) => {
  const user = await told.user();
  const numbers = await resting(user, 1);
  const page = await told.desk(user);
  await rows(page).first().waitFor();
  await page.keyboard.press('F6');
  await page.getByRole('dialog', { name: 'Exit all positions?' }).waitFor();
  await page.keyboard.press('F7');
  await gone(page.getByRole('dialog', { name: 'Exit all positions?' }));
  await page.getByRole('dialog', { name: 'Cancel all orders?' }).waitFor();
  // A dialog that closes says so in a later task.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  await page.getByText('Open orders: 1.').waitFor({ timeout: 1_000 });
  await page.keyboard.press('Enter');
  await page.getByText(/Cancel all orders: 1 cancelled/).waitFor();
  assert.equal((await orderOf(user, numbers[0] ?? ''))?.status, 'CANCELED');
});

story('an Enter that is held down opens the question of an exit, and does not answer it', async (told) => {
  const user = await told.user();
  await user.call('placeOrder', { ...BUY, product: 'I', priceType: 'MKT', price: '0', quantity: '5' });
  const page = await told.desk(user);
  await page.getByRole('tab', { name: 'Positions' }).click();
  await page.getByRole('grid', { name: 'Positions' }).getByText('ITC-EQ').click();
  await page.getByRole('toolbar', { name: 'Positions' }).getByRole('button', { name: 'Exit X' }).focus();
  for (let held = 0; held < 4; held += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  const question = page.getByRole('dialog', { name: 'Exit the position' });
  await question.getByRole('button', { name: 'Exit', exact: true }).waitFor();
  assert.equal((await user.call<readonly Order[]>('orderBook')).length, 1, 'nothing was sent');
  await page.keyboard.press('Enter');
  await page
    .getByLabel('Messages')
    .getByText(/ITC-EQ.* ms/)
    .waitFor();
});

story('the life of a refused order has its steps, and the check that refused it with its figures', async (told) => {
  const user = await told.user();
  const price = await priceAt(user, 1);
  const { orderNumber } = await user.call<Order>('placeOrder', { ...BUY, price, quantity: '90000' });
  const page = await told.desk(user);
  await rows(page).first().click();
  await page.keyboard.press('Enter');
  const life = page.getByRole('complementary', { name: `Life of order ${orderNumber}` });
  await life
    .getByText(/RED:Margin Shortfall/)
    .first()
    .waitFor();
  await life.getByText(/Does not hold: the margin is there/).waitFor();
  const refused = life.locator('.check.refused');
  const why = await user.call<{ steps: { checks: { outcome: string; figures: { name: string }[] }[] }[] }>(
    'getOrderWhy',
    { orderNumber },
  );
  const check = why.steps[0]?.checks.find(({ outcome }) => outcome === 'refused');
  assert.equal(await refused.locator('dt').count(), check?.figures.length);
  await told.axe(page);
});

story('orders are found by words and by state, and the newest stands first', async (told) => {
  const user = await told.user();
  const numbers = await resting(user, 3);
  await user.call('cancelOrder', { orderNumber: numbers[0] });
  const page = await told.desk(user);
  await rows(page).nth(2).waitFor();
  const shown = (count: number) =>
    until(
      () => rows(page).count(),
      (rows) => rows === count,
      `${count} rows`,
    );
  await page.getByRole('radio', { name: 'Open 2' }).click();
  await shown(2);
  await page.getByRole('radio', { name: 'Done 1' }).click();
  await shown(1);
  await page.getByRole('radio', { name: 'All 3' }).click();
  await shown(3);
  await page.getByLabel('Find orders').fill(numbers[1] ?? '');
  await shown(1);
});

story('ten thousand orders of a day are shown, found and scrolled with the visible rows alone', async (told) => {
  const user = await told.user({ rupees: '90000000.00' });
  const leg = { ...BUY, quantity: '1', price: await priceAt(user, 0.93) };
  for (let basket = 0; basket < 200; basket += 1) {
    await user.call('basketOrder', { legs: Array.from({ length: 50 }, () => leg) });
  }
  const page = await told.desk(user);
  const grid = page.getByRole('grid', { name: 'Orders' });
  await page.getByRole('radio', { name: 'Open 10000' }).waitFor();
  assert.equal(await grid.getAttribute('aria-rowcount'), '10001');
  assert.ok((await rows(page).count()) < 100, 'only visible rows exist');
  assert.ok((await page.locator('button').count()) < 200, 'no panel makes a control of each order');
  await rows(page).first().click();
  await page.keyboard.press('End');
  const [first] = await user.call<readonly Order[]>('orderBook');
  await page.locator('.table-row[aria-selected="true"][aria-rowindex="10001"]').waitFor();
  await page.getByLabel('Find orders').fill(first?.orderNumber ?? '');
  await page.waitForFunction(() => document.querySelectorAll('.orders .table-row').length === 1);
  await page.getByLabel('Find orders').fill('');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await user.call('cancelOrder', { orderNumber: first?.orderNumber });
  await page.getByRole('radio', { name: 'Open 9999' }).waitFor();
  assert.ok(!asked.includes('/V1/orderBook'), 'a change comes by the stream, and the book is not read for it');
});
