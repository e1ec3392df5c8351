/**
 * The page of the operator: a user's risk is found, his orders are killed, and the reason is read back in the audit
 * trail; users are made and funded; and the token never stands in an address.
 */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { grouped } from '../../web/src/text/figures.ts';
import { until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { type Story, story } from './kit/story.ts';
import type { Credentials, StoryUser } from './kit/story-service.ts';

const PARTS = ['Risk', 'Users', 'Switches', 'Audit trail', 'Journal', 'Health', 'Clock'] as const;

interface BookRow {
  readonly orderNumber: string;
  readonly status: string;
  readonly rejectReason: string;
}

/** Places a buy order far below the market, so that it rests. */
async function rest(user: StoryUser, quantity: number): Promise<void> {
  const [quote] = await user.call<readonly { readonly lastTradedPrice: string }[]>('getQuote/ltp', {
    exchange: 'NSE',
    tradingSymbol: 'ITC-EQ',
  });
  const price = (Math.floor(Number(quote?.lastTradedPrice) * 9.5) / 10).toFixed(2);
  await user.call('placeOrder', { ...ORDER, quantity: String(quantity), priceType: 'LMT', price });
}

const ORDER = {
  exchange: 'NSE',
  tradingSymbol: 'ITC-EQ',
  transactionType: 'B',
  quantity: '10',
  priceType: 'MKT',
  price: '0',
  product: 'C',
  retention: 'DAY',
  triggerPrice: '0',
  remarks: 'story',
} as const;

async function statuses(user: StoryUser): Promise<readonly string[]> {
  const rows = await user.call<readonly BookRow[]>('orderBook');
  return rows.map(({ status }) => status).sort();
}

/** Waits until the page is drawn with the first answers. */
function ready(page: Page): Promise<void> {
  return page.getByRole('banner').getByText('● Ready').waitFor();
}

/** Chooses a user by the search of the users, by keys alone. */
async function choose(page: Page, { userId }: StoryUser): Promise<void> {
  await ready(page);
  await page.keyboard.press('2');
  await page.getByRole('searchbox', { name: 'Search users' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(userId);
  const row = page.getByRole('grid', { name: 'Users' }).getByRole('row', { name: userId });
  await row.waitFor();
  await page.getByText('1 user', { exact: true }).waitFor();
  await row.click();
  await page.getByRole('heading', { name: userId }).waitFor();
}

/** Goes down the rows of a grid until one is seen: other stories make records too, and only visible rows exist. */
async function foundBelow(grid: Locator, row: Locator): Promise<void> {
  const isSeen = async (): Promise<boolean> => {
    if ((await row.count()) > 0) return true;
    await grid.press('PageDown');
    return false;
  };
  await until(isSeen, (seen) => seen, 'a row of the grid');
}

/** Gives the open dialog a reason and a name, and does the act. */
async function answer(page: Page, reason: string): Promise<void> {
  await page.getByLabel('Reason, for the journal').fill(reason);
  await page.getByLabel('Your name, for the journal').fill('asha');
  await page.keyboard.press('Enter');
  await gone(page.getByRole('dialog'));
}

story('a risk is found, the orders behind it are killed, and the reason is read in the audit trail', async (told) => {
  const user = await told.user({ rupees: '900000000.00' });
  await user.call('placeOrder', { ...ORDER });
  await rest(user, 200_000);
  await rest(user, 200_000);
  const page = await told.operatorPage();
  const row = page.getByRole('grid', { name: 'Accounts by risk' }).getByRole('row', { name: user.userId });
  await row.click();
  const limits = await user.call<{ readonly marginused: string }>('limit');
  await row.getByText(grouped(limits.marginused)).waitFor();
  const pane = page.getByRole('complementary', { name: 'Chosen user' });
  await pane.getByText('Open orders 2').waitFor();
  await pane.getByText('ITC-EQ 100.0 %').waitFor();

  await page.keyboard.press('k');
  await page.getByText('The 2 open orders are cancelled.').waitFor();
  const reason = `runaway program ${user.userId}`;
  await answer(page, reason);
  await page.getByText(`The kill switch of ${user.userId} is on; cancelled orders: 2`).waitFor();
  assert.deepEqual(await statuses(user), ['CANCELED', 'CANCELED', 'COMPLETE']);
  await pane.getByText('Open orders 0').waitFor();
  await pane.getByText('■ killed').waitFor();
  await user.call('placeOrder', { ...ORDER });
  assert.deepEqual(await statuses(user), ['CANCELED', 'CANCELED', 'COMPLETE', 'REJECTED']);

  await page.keyboard.press('t');
  const trail = page.getByRole('grid', { name: /Lines of the audit trail/ });
  const request = trail.getByRole('row', { name: 'POST /switches' });
  await request.getByText(reason).waitFor();
  await request.getByText('asha').waitFor();
  const journaled = trail.getByRole('row', { name: 'SetSwitch' });
  await journaled.getByText(reason).waitFor();
  await journaled.click();
  await page
    .getByRole('region', { name: /^Line \d+$/ })
    .getByText(reason)
    .waitFor();

  await page.keyboard.press('5');
  const records = page.getByRole('grid', { name: /Records of the journal/ });
  await foundBelow(records, records.getByRole('row', { name: 'CancelKilled' }));
  await foundBelow(records, records.getByRole('row', { name: 'SetSwitch' }).filter({ hasText: reason }));

  await page.keyboard.press('3');
  await page.getByRole('button', { name: `Lift: Kill switch of ${user.userId}` }).click();
  await answer(page, 'repaired');
  await page.getByText(`Kill switch of ${user.userId} is lifted`).waitFor();
  await rest(user, 1);
  assert.equal((await statuses(user)).filter((status) => status === 'OPEN').length, 1);
});

story('open orders alone are cancelled by mouse, and the user goes on trading', async (told) => {
  const user = await told.user();
  await rest(user, 10);
  const page = await told.operatorPage();
  await choose(page, user);
  await page.getByText('Open orders 1').waitFor();
  await page.getByRole('button', { name: 'Cancel orders' }).click();
  await page.getByText('The 1 open order is cancelled. Positions stay as they are.').waitFor();
  await page.getByRole('button', { name: 'Leave it' }).click();
  await gone(page.getByRole('dialog'));
  assert.deepEqual(await statuses(user), ['OPEN']);
  await page.getByRole('button', { name: 'Cancel orders' }).click();
  await answer(page, 'asked by phone');
  await page.getByText(`Orders of ${user.userId} that were cancelled: 1`).waitFor();
  await rest(user, 10);
  assert.deepEqual(await statuses(user), ['CANCELED', 'OPEN']);
});

story('a user is registered and funded, and logs in with the credentials that are shown once', async (told) => {
  const page = await told.operatorPage();
  await ready(page);
  await page.keyboard.press('2');
  await page.getByRole('button', { name: 'Register a user' }).click();
  const userId = `OP${Date.now() % 1e10}`;
  await page.getByLabel('User id').fill(userId);
  await page.getByLabel('Name', { exact: true }).fill('NEW USER');
  await page.getByLabel('E-mail address').fill('new@example.com');
  await page.getByLabel('One-time codes').selectOption('no');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const credentials = await shownCredentials(page, userId);
  await page.keyboard.press('Escape');
  const user = await told.service.logIn(credentials);
  await choose(page, user);
  await page.getByRole('button', { name: 'Funds' }).click();
  await page.getByRole('button', { name: 'Pay in' }).click();
  await page.getByLabel('Rupees').fill('250000');
  await page.keyboard.press('Enter');
  await page.getByText(`The pay-in of ${userId} is booked`).waitFor();
  assert.equal((await user.call<{ readonly payin: string }>('limit')).payin, '250000.00');
  await page.getByRole('button', { name: 'Pay out' }).click();
  await page.getByLabel('Rupees').fill('250000.01');
  await page.keyboard.press('Enter');
  told.expect(/status of 409/);
  await page.getByRole('alert').getByText('INR 250000.01 cannot be paid out').waitFor();
});

/** The credentials that the open dialog shows, this once. */
async function shownCredentials(page: Page, userId: string): Promise<Credentials> {
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Shown this once').waitFor();
  const shown = async (name: string): Promise<string> => {
    const pair = dialog.locator('.pairs > div', { has: page.getByText(name, { exact: true }) });
    return (await pair.locator('dd').textContent()) ?? '';
  };
  const [password, vendorCode, apiKey] = [await shown('password'), await shown('vendorCode'), await shown('apiKey')];
  return { userId, password, vendorCode, apiKey };
}

story('a reset ends the sessions of a user, who logs in with the credentials that it shows', async (told) => {
  const user = await told.user();
  const page = await told.operatorPage();
  await choose(page, user);
  await page.getByRole('button', { name: 'Access' }).click();
  await page.getByRole('button', { name: 'Reset credentials' }).click();
  await page.getByLabel('Reason, for the journal').fill('lost phone');
  await page.getByLabel('Your name, for the journal').fill('asha');
  await page.keyboard.press('Enter');
  const fresh = await shownCredentials(page, user.userId);
  await assert.rejects(user.call('limit'), /401/);
  await assert.rejects(told.service.logIn(user), /401/);
  const again = await told.service.logIn(fresh);
  assert.deepEqual(await statuses(again), []);
});

story('an act that is left while it is on its way shows its secrets, and its failure as a message', async (told) => {
  const user = await told.user();
  const page = await told.operatorPage();
  await choose(page, user);
  await page.getByRole('button', { name: 'Access' }).click();
  const held = Promise.withResolvers<void>();
  await page.route(/\/credentials$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Reset credentials' }).click();
  await page.getByLabel('Reason, for the journal').fill('lost phone');
  await page.getByLabel('Your name, for the journal').fill('asha');
  const sent = page.waitForRequest(/\/credentials$/);
  await page.keyboard.press('Enter');
  await sent;
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog'));
  held.resolve();
  const fresh = await shownCredentials(page, user.userId);
  await told.service.logIn(fresh);
  await page.keyboard.press('Escape');
  await gone(page.getByRole('dialog'));
  told.expect(/ERR_FAILED|ERR_CONNECTION/);
  await page.unroute(/\/credentials$/);
  await page.route(/\/credentials$/, async (route) => {
    await new Promise((done) => setTimeout(done, 1_000));
    await route.abort();
  });
  await page.getByRole('button', { name: 'Reset credentials' }).click();
  await page.getByLabel('Reason, for the journal').fill('lost phone');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page
    .getByLabel('Messages')
    .getByText(/it is not known whether this was done/)
    .waitFor();
});

story('the token leaves the address at once, a wrong one is refused in words, and Lock forgets it', async (told) => {
  const page = await told.operatorPage();
  await ready(page);
  assert.equal(page.url(), `${told.service.operator}/`);
  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.getByLabel('Token').fill('secret');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('A token has 64 digits').waitFor();
  told.expect(/status of 401/);
  await page.getByLabel('Token').fill('0'.repeat(64));
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('the service does not accept this token').waitFor();
  await page.getByLabel('Token').fill(told.service.operatorToken());
  await page.getByLabel('Your name').fill('asha');
  await page.getByRole('button', { name: 'Open' }).click();
  await ready(page);
});

story('a service that does not answer is said, and the figures come back by themselves', async (told) => {
  const user = await told.user();
  const page = await told.operatorPage();
  await choose(page, user);
  told.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(true);
  await page.getByText(/No answer: the service does not answer\. Figures are of .* IST\./).waitFor();
  await page.getByRole('banner').getByText('▲ No answer').waitFor();
  await told.axe(page);
  await page.keyboard.press('k');
  await page.getByLabel('Reason, for the journal').fill('a drill');
  await page.getByLabel('Your name, for the journal').fill('asha');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('it is not known whether this was done').waitFor();
  await page.keyboard.press('Escape');
  await page.context().setOffline(false);
  await page.getByText('Live', { exact: true }).waitFor();
  await told.axe(page);
});

story('axe finds nothing in the page of the operator, in both themes', async (told) => {
  const user = await told.user();
  await rest(user, 10);
  const page = await told.operatorPage();
  await ready(page);
  for (const [index, part] of PARTS.entries()) {
    await page.keyboard.press(String(index + 1));
    await page.getByRole('button', { name: part, pressed: true }).waitFor();
    await told.axeInThemes(page);
  }
  await choose(page, user);
  await eachSheet(told, page);
  await page.keyboard.press('k');
  await page.getByRole('dialog').waitFor();
  await told.axeInThemes(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await told.axeInThemes(page);
});

async function eachSheet(told: Story, page: Page): Promise<void> {
  for (const sheet of ['Risk', 'Funds', 'Access']) {
    await page.getByRole('group', { name: 'Sheets' }).getByRole('button', { name: sheet }).click();
    await told.axeInThemes(page);
  }
}
