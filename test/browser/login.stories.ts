/** Feature 1: the login by hand, by a code and by one click, and the end of a session. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { totpOf } from '../../client/src/totp.ts';
import { must } from '../../src/base/assert.ts';
import { findByKeys } from './kit/desk.ts';
import { keptSession } from './kit/session.ts';
import { story } from './kit/story.ts';

interface Factors {
  readonly userId: string;
  readonly password: string;
  readonly apiKey: string;
}

async function fill(page: Page, { userId, password, apiKey }: Factors): Promise<void> {
  await page.getByLabel('User', { exact: true }).fill(userId);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('API key').fill(apiKey);
}

story(
  'a wrong password is said in words, and the right one opens the desk without leaving the browser',
  async (told) => {
    const user = await told.user();
    const page = await told.door();
    told.expect(/status of 401/);
    const sent: { readonly password: string }[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/V1/login')) sent.push(request.postDataJSON());
    });
    await fill(page, { ...user, password: 'not the password' });
    await page.keyboard.press('Enter');
    await page.getByText('The user, the password or the API key is wrong.').waitFor();
    assert.equal(await page.getByLabel('Password').evaluate((field) => field === document.activeElement), true);
    await told.axe(page);
    await page.keyboard.type(user.password);
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Orders' }).waitFor();
    assert.equal(sent.at(-1)?.password, createHash('sha256').update(user.password).digest('hex'));
  },
);

story('a session lasts over a reload of its tab, and nothing of it is kept beyond', async (told) => {
  const user = await told.user();
  const page = await told.door();
  await fill(page, user);
  await page.keyboard.press('Enter');
  await page.getByText(user.userId).waitFor();
  await page.reload();
  await page.getByText(user.userId).waitFor();
  const { token } = must(await keptSession(page), 'the tab keeps its session');
  const lasting = await page.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie);
  assert.ok(!lasting.includes(token) && !lasting.includes(user.password) && !lasting.includes(user.apiKey));
});

story('a user with codes is asked for one, and a pasted code logs in', async (told) => {
  const userId = `TC${Date.now() % 1e10}`;
  const named = { userId, name: 'CODE USER', email: `${userId.toLowerCase()}@example.com`, totp: true };
  const made = (await told.service.act('/users', named)) as Factors & { readonly totpSecret: string };
  const page = await told.door();
  told.expect(/status of 400/);
  await fill(page, made);
  await page.keyboard.press('Enter');
  await page.getByText('This user needs a one-time code.').waitFor();
  const code = page.getByLabel('One-time code');
  assert.equal(await code.evaluate((field) => field === document.activeElement), true);
  // A code with a blank in it, cut from another field, as from a message.
  const digits = await totpOf(made.totpSecret)();
  await page.getByLabel('Vendor code').fill(`${digits.slice(0, 3)} ${digits.slice(3)}`);
  await page.getByLabel('Vendor code').press('ControlOrMeta+a');
  await page.keyboard.press('ControlOrMeta+x');
  await code.focus();
  await page.keyboard.press('ControlOrMeta+v');
  await page.getByText(userId).waitFor();
});

story('a demo user is logged in by one press of Enter', async (told) => {
  const page = await told.door();
  const button = page.getByRole('button', { name: /^SD1003/ });
  await button.waitFor();
  await told.axe(page);
  await button.press('Enter');
  await page.getByRole('tab', { name: 'Orders' }).waitFor();
  assert.equal((await keptSession(page))?.userId, 'SD1003');
});

story('the end of a session is said, and the login leads back', async (told) => {
  const user = await told.user();
  const page = await told.desk(user);
  await page.getByText(user.userId).waitFor();
  const session = must(await keptSession(page), 'the tab keeps its session');
  // Questions of panels that are on their way as the session ends.
  told.expect(/status of 401/);
  await told.service.post('logout', { userId: session.userId, jKey: session.token });
  await page.getByText(/^Your session ended/).waitFor();
  assert.equal(await keptSession(page), null);
  await told.axe(page);
  await fill(page, user);
  await page.keyboard.press('Enter');
  await page.getByText(user.userId).waitFor();
  assert.equal(await page.getByText(/^Your session ended/).count(), 0);
});

story('a user who logs in after another one sees nothing of what that one did', async (told) => {
  const [first, second] = [await told.user(), await told.user()];
  const page = await told.desk(first);
  await page.getByRole('tab', { name: 'Orders' }).waitFor();
  await findByKeys(page, 'ITC-EQ');
  await page.locator('.chosen-name', { hasText: 'ITC-EQ' }).first().waitFor();
  await page.keyboard.press('b');
  await page.getByRole('button', { name: /^Buy 1 at [\d,]+\.\d\d$/ }).click();
  await page
    .locator('.status-bar')
    .getByText(/^Last order answered/)
    .waitFor();
  await page.getByRole('button', { name: 'User and settings' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await fill(page, second);
  await page.keyboard.press('Enter');
  await page.getByText('No orders today.', { exact: false }).waitFor();
  assert.equal(await page.getByText(/Last order answered|: taken|^Buy 1 ITC/).count(), 0);
  await page.getByRole('tab', { name: 'Developer' }).click();
  const made = page.getByRole('grid', { name: 'Requests of this page' });
  await made.getByRole('row', { name: /login 200/ }).waitFor();
  assert.equal(await made.getByRole('row', { name: /placeOrder/ }).count(), 0);
});

story('a tab that keeps something else under the name of the session shows the login', async (told) => {
  const page = await told.door();
  for (const kept of ['not JSON', 'null', '{"userId":7}']) {
    await page.evaluate((text) => sessionStorage.setItem('sauda.session', text), kept);
    await page.reload();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
  }
});
