/**
 * Stories of the ticket: figures and refusals before an order is sent, one order a press, prices by ticks, the choices
 * that an instrument has, and the change of an open order.
 */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { findByKeys, priceField } from './kit/desk.ts';
import { gone } from './kit/gone.ts';
import { story } from './kit/story.ts';
import type { StoryUser } from './kit/story-service.ts';

interface Order {
  readonly orderNumber: string;
  readonly status: string;
  readonly quantity: string;
  readonly price: string;
  readonly priceType: string;
  readonly product: string;
  readonly remarks: string;
  readonly transactionType: string;
}

/** Chooses an instrument by the keyboard alone, as a trader does. */
async function chooseByKeys(page: Page, text: string): Promise<void> {
  await page.getByRole('main').waitFor();
  await page.keyboard.press('/');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type(text, { delay: 20 });
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await gone(page.getByRole('dialog'));
}

function ordersOf(user: StoryUser): Promise<readonly Order[]> {
  return user.call<readonly Order[]>('orderBook');
}

/** The ticket once it has a price and the service said what the order would cost. */
async function openedTicket(page: Page, key: 'b' | 's'): Promise<void> {
  await page.keyboard.press(key);
  await page
    .locator('.ticket-form')
    .getByLabel(/^(Quantity|Lots)/)
    .waitFor();
  await previewed(page);
}

/** Waits until the preview is of the order as it is written now. */
async function previewed(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const preview = document.querySelector('.preview');
    return preview?.getAttribute('aria-busy') === 'false' && !preview.querySelector('dd')?.textContent?.includes('–');
  });
}

story(
  'the ticket shows margin, charges and funds left, and Enter sends one order however long it is held',
  async (told) => {
    const user = await told.user();
    const page = await told.desk(user);
    await chooseByKeys(page, 'ITC EQ');
    await openedTicket(page, 'b');
    const shown = await page.locator('.preview').innerText();
    assert.match(shown, /Margin\s+[\d,]+\.\d\d/);
    assert.match(shown, /Charges\s+[\d,]+\.\d\d/);
    assert.match(shown, /Left after it\s+[\d,]+\.\d\d/);
    await told.axe(page);
    for (let count = 0; count < 8; count += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page
      .getByLabel('Messages')
      .getByText(/Buy 1 ITC-EQ/)
      .waitFor();
    assert.equal((await ordersOf(user)).length, 1);
    await page
      .getByText(/\d+ ms/)
      .first()
      .waitFor();
  },
);

story('a price that a trader types is left alone by the first price of the market', async (told) => {
  const user = await told.user();
  const page = await told.desk(user);
  let late: (() => void)[] | undefined = [];
  await page.routeWebSocket(/./, (socket) => {
    const service = socket.connectToServer();
    socket.onMessage((frame) => service.send(frame));
    service.onMessage((frame) => {
      const pass = (): void => socket.send(frame);
      if (late !== undefined && String(frame).includes('"type":"tick"')) late.push(pass);
      else pass();
    });
  });
  await page.reload();
  await chooseByKeys(page, 'ITC EQ');
  await page.keyboard.press('b');
  const price = page.getByRole('textbox', { name: /^Price/ });
  await price.focus();
  assert.equal(await price.inputValue(), '', 'the prices of the market are late');
  for (const pass of late) pass();
  late = undefined;
  await page
    .locator('.ticket-head')
    .getByText(/^[\d,]+\.\d\d$/)
    .waitFor();
  await page.keyboard.type('250.00');
  assert.equal(await price.inputValue(), '250.00');
});

story('a double click and a click while the first is on its way send one order', async (told) => {
  const user = await told.user();
  const page = await told.desk(user);
  await chooseByKeys(page, 'ITC EQ');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/V1/placeOrder', async (route) => {
    await held;
    await route.continue();
  });
  await openedTicket(page, 'b');
  const send = page.locator('.ticket-form .send');
  await send.dblclick();
  await page.getByText('Sending', { exact: true }).waitFor();
  assert.deepEqual(await ordersOf(user), [], 'nothing is sent yet');
  assert.equal(await page.getByRole('grid', { name: 'Orders' }).getByRole('row').count(), 2, 'titles and no order');
  await send.click({ force: true });
  await page.locator('.ticket-form').getByText('Sent, no answer yet: looking.').waitFor();
  release();
  await page
    .getByLabel('Messages')
    .getByText(/Buy 1 ITC-EQ .* ms/)
    .waitFor();
  assert.equal((await ordersOf(user)).length, 1);
});

story('a refusal stands in the ticket before the order is sent, and in its place after', async (told) => {
  const user = await told.user({ shares: { 'ITC-EQ': 10 } });
  const page = await told.desk(user);
  await chooseByKeys(page, 'ITC EQ');
  await openedTicket(page, 's');
  await page.getByLabel('Quantity', { exact: true }).fill('11');
  await page.getByText(/Would be refused: RED:RULE:\{Check Holdings Including BTST\}Eligible Sell:10/).waitFor();
  assert.deepEqual(await ordersOf(user), [], 'nothing was sent by asking');
  await page.keyboard.press('Enter');
  const alert = page.locator('.ticket-form').getByRole('alert');
  assert.match(await alert.innerText(), /Eligible Sell:10/);
  await told.axe(page);
  await page.getByLabel('Quantity', { exact: true }).fill('10');
  await previewed(page);
  assert.equal(await page.getByText(/Would be refused/).count(), 0);
  await page.keyboard.press('Enter');
  await gone(page.locator('.ticket-form'));
  assert.deepEqual(
    (await ordersOf(user)).map(({ status }) => status === 'REJECTED'),
    [true, false],
  );
});

story('arrow keys move the price by ticks and lots by lots, and a contract is written in lots', async (told) => {
  const user = await told.user();
  const page = await told.desk(user);
  await chooseByKeys(page, 'NIFTY FUT');
  await openedTicket(page, 'b');
  const info = await page.locator('.ticket-name').getAttribute('title');
  const tradingSymbol = info?.split(':')[1] ?? '';
  const master = await user.call<Record<string, string>>('getInstrument', { exchange: 'NFO', tradingSymbol });
  assert.match(await page.locator('.stepper-field label').first().innerText(), new RegExp(`× ${master.lotSize} =`));
  const price = page.getByLabel(/^Price/).first();
  const from = Math.round(Number(await price.inputValue()) * 100);
  await price.press('ArrowUp');
  await price.press('Shift+ArrowUp');
  const tick = Math.round(Number(master.tickSize) * 100);
  assert.equal(Math.round(Number(await price.inputValue()) * 100), from + 11 * tick);
  await page.getByLabel(/^Lots/).press('ArrowUp');
  await page.getByRole('radio', { name: 'Intraday' }).click();
  assert.equal(await page.getByRole('radio', { name: 'Delivery' }).count(), 0, 'contracts are never delivered so');
  await page.getByRole('radio', { name: 'Stop limit' }).click();
  assert.equal(await page.getByRole('radio', { name: 'IOC' }).count(), 0, 'a stop is never immediate');
  await page.keyboard.press('Escape');
  await gone(page.locator('.ticket-form'));
});

story('the ticket remembers the last choice by the kind of instrument', async (told) => {
  const user = await told.user();
  const page = await told.desk(user);
  await chooseByKeys(page, 'ITC EQ');
  await openedTicket(page, 'b');
  await page.getByRole('radio', { name: 'Intraday' }).click();
  await page.getByRole('radio', { name: 'Market', exact: true }).click();
  await page.getByLabel('Remarks').fill('of a story');
  await previewed(page);
  await page.keyboard.press('Enter');
  await gone(page.locator('.ticket-form'));
  const [order] = await ordersOf(user);
  assert.deepEqual([order?.product, order?.priceType, order?.remarks], ['I', 'MKT', 'of a story']);
  await page.reload();
  await chooseByKeys(page, 'SBIN EQ');
  await openedTicket(page, 'b');
  for (const name of ['Intraday', 'Market']) {
    assert.equal(await page.getByRole('radio', { name, exact: true }).getAttribute('aria-checked'), 'true', name);
  }
});

story('far prices and large quantities are warned of before they are sent', async (told) => {
  const user = await told.user({ rupees: '90000000.00' });
  const page = await told.desk(user);
  await chooseByKeys(page, 'NIFTY FUT');
  await openedTicket(page, 'b');
  await page.getByLabel(/^Lots/).fill('200');
  await page
    .getByText(/[Ff]reeze/)
    .first()
    .waitFor();
  await page
    .getByLabel(/^Price/)
    .first()
    .fill('100.00');
  await page.locator('.preview .warning, .preview .refusal').first().waitFor();
});

story(
  'a written order is kept while another panel covers it, and a price of the depth is shown in it',
  async (told) => {
    const page = await told.desk(await told.user());
    await page.getByRole('main').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.locator('.ticket-idle').waitFor();
    await findByKeys(page, 'ITC-EQ');
    await page.locator('.ticket-idle').getByText('ITC-EQ').waitFor();
    await openedTicket(page, 'b');
    const quantity = page.getByLabel('Quantity', { exact: true });
    await quantity.fill('50');
    await page.getByLabel('Remarks').fill('kept');
    await page.getByRole('tab', { name: 'Depth', exact: true }).click();
    await gone(quantity);
    const bid = page.getByRole('table', { name: 'Bids' }).getByRole('button').nth(4);
    const price = (await bid.innerText()).trim();
    await bid.click();
    await quantity.waitFor();
    assert.deepEqual([await quantity.inputValue(), await page.getByLabel('Remarks').inputValue()], ['50', 'kept']);
    const written = priceField(page);
    assert.ok(Math.abs(Number(await written.inputValue()) - Number(price)) < 1, 'the price of the depth');
    await written.fill('250.00');
    await page.getByRole('button', { name: 'Trade', exact: true }).click();
    await page.getByRole('table', { name: 'Bids' }).waitFor();
    assert.deepEqual([await quantity.inputValue(), await written.inputValue()], ['50', '250.00']);
  },
);

story('an open order is changed in the ticket, and the ticket says when the order is over', async (told) => {
  const user = await told.user();
  const order = { exchange: 'NSE', tradingSymbol: 'ITC-EQ', transactionType: 'B', product: 'C', priceType: 'LMT' };
  const rest = { retention: 'DAY', triggerPrice: '0', remarks: '', quantity: '5', price: '250.00' };
  const { orderNumber } = await user.call<Order>('placeOrder', { ...order, ...rest });
  const page = await told.desk(user);
  await page.getByRole('grid', { name: 'Orders' }).locator('.table-row').first().click();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change in the ticket' }).click();
  await page.getByLabel('Quantity', { exact: true }).fill('7');
  await page
    .getByLabel(/^Price/)
    .first()
    .press('ArrowUp');
  await page.keyboard.press('Enter');
  await page
    .getByLabel('Messages')
    .getByText(/Modify order .* ms/)
    .waitFor();
  const [changed] = await ordersOf(user);
  assert.deepEqual([changed?.orderNumber, changed?.quantity, changed?.price], [orderNumber, '7', '250.05']);
  await page.getByRole('button', { name: 'Change in the ticket' }).click();
  await page.getByLabel('Quantity', { exact: true }).waitFor();
  await user.call('cancelOrder', { orderNumber });
  await page.getByText('The order is over: Cancelled.').waitFor();
  assert.equal(await page.locator('.ticket-form .send').isDisabled(), true);
});

story('a GTT and an OCO are placed in the ticket, stand in their list and are cancelled there', async (told) => {
  const user = await told.user();
  const page = await told.desk(user);
  // A GTT that cannot be one is refused as a request.
  told.expect(/400 \(Bad Request\) .*placeGttOrder/);
  await chooseByKeys(page, 'ITC EQ');
  await openedTicket(page, 'b');
  await page.getByRole('radio', { name: 'GTT', exact: true }).and(page.locator('.ticket-form *')).click();
  await page.getByLabel('Trigger', { exact: true }).fill('250.00');
  await page
    .getByLabel(/^Price/)
    .first()
    .fill('249.50');
  await page.getByText('Nothing is blocked while it waits.').waitFor();
  await told.axe(page);
  await page.keyboard.press('Enter');
  await page
    .getByLabel('Messages')
    .getByText(/GTT Buy 1 ITC-EQ at 249.50, when 250.00 comes: waits as/)
    .waitFor();
  await openedTicket(page, 's');
  await page.getByRole('radio', { name: 'OCO' }).click();
  await page.getByRole('textbox', { name: 'First trigger' }).fill('290.00');
  await page.getByRole('textbox', { name: 'First price' }).fill('289.50');
  await page.getByRole('textbox', { name: 'Second trigger' }).fill('289.95');
  await page.getByRole('textbox', { name: 'Second price' }).fill('249.00');
  await page.keyboard.press('Enter');
  await page.locator('.ticket-form').getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: 'Second trigger' }).fill('250.00');
  await page.keyboard.press('Enter');
  await gone(page.locator('.ticket-form'));
  await page.locator('.orders').getByRole('radio', { name: 'GTT' }).click();
  const list = page.getByRole('grid', { name: 'GTT orders' });
  await list.locator('.table-row').nth(1).waitFor();
  await list.locator('.table-row').first().click();
  await page.keyboard.press('Delete');
  await list.getByText('Cancelled').first().waitFor();
  const rows = await user.call<readonly { status: string; legs: string }[]>('GttOrderBook');
  assert.deepEqual(
    rows.map(({ status, legs }) => [legs, status]),
    [
      ['1', 'ACTIVE'],
      ['2', 'CANCELLED'],
    ],
  );
});

story(
  'an order without an answer is found in the books after the page was loaded again, and is one order',
  async (told) => {
    const user = await told.user();
    const page = await told.desk(user);
    told.expect(/net::ERR/);
    await chooseByKeys(page, 'ITC EQ');
    await openedTicket(page, 'b');
    // The service takes the order, and every answer is lost.
    await page.route('**/V1/placeOrder', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.route('**/V1/getPlacement', (route) => route.abort());
    await page.keyboard.press('Enter');
    await page.locator('.ticket-form').getByText('Sent, no answer yet: looking.').waitFor();
    // Answers come again to the new page alone: the old one would find the order before it is gone.
    await page.reload();
    await page.unrouteAll({ behavior: 'wait' });
    await page
      .getByLabel('Messages')
      .getByText(/Buy 1 ITC-EQ at .* ms/)
      .waitFor();
    assert.equal((await ordersOf(user)).length, 1);
    assert.equal(await page.evaluate(() => sessionStorage.getItem('sauda.pending')), null, 'nothing is looked for');
  },
);
