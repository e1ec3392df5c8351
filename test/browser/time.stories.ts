/**
 * The market clock in the browser: the operator pauses it, steps it and lets it run fast, and the page of a trader says
 * so at once. The service is one of its own, as its clock is of all users.
 */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { instantOf } from '../../client/src/times.ts';
import { StartedService, temporaryFolder } from '../process/start/started-service.ts';
import { chooseListed } from './kit/desk.ts';
import { reachedOf, STORY_SETTINGS } from './kit/shared.ts';
import { story } from './kit/story.ts';
import { StoryService, type StoryUser } from './kit/story-service.ts';

/** The page says that outcomes can be asked for, too. */
const SETTINGS = { ...STORY_SETTINGS, SAUDA_SCENARIOS: 'on' };
const folder = temporaryFolder();
after(() => folder.remove());

interface Shown {
  readonly marketTime: string;
  readonly speed: string;
}

function statusOf(user: StoryUser): Promise<Shown> {
  return user.call<Shown>('getMarketStatus');
}

/** The time of the market on the page of a trader. */
async function seenTime(page: Page): Promise<string> {
  return (await page.locator('.time-bar time').textContent()) ?? '';
}

/** Places an order at the best bid, which rests while the market stands still. */
async function restAtBest(user: StoryUser): Promise<void> {
  const itc = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' };
  const { bestBuyPrice1: price } = await user.call<{ readonly bestBuyPrice1: string }>('getQuote', itc);
  const terms = { transactionType: 'B', product: 'C', priceType: 'LMT', triggerPrice: '0', retention: 'DAY' };
  await user.call('placeOrder', { ...itc, ...terms, quantity: '10', price, remarks: 'story' });
}

function seconds(from: string, to: string): number {
  return (instantOf(to).getTime() - instantOf(from).getTime()) / 1_000;
}

/** Opens the clock of the operator's page by its key. */
async function openClock(page: Page): Promise<void> {
  await page.getByRole('banner').getByText('● Ready').waitFor();
  await page.keyboard.press('7');
  await page.getByRole('region', { name: 'Set the clock' }).waitFor();
}

story(
  'the operator pauses the market, steps it and lets it run fast, and every trader sees it at once',
  async (told) => {
    const service = new StoryService(reachedOf(await StartedService.start(folder.path, SETTINGS)));
    const user = await service.newUser();
    const desk = await told.desk(user);
    const operator = await told.operatorPage(service);
    await chooseListed(desk);
    assert.equal(await desk.locator('.time-bar .pace').count(), 0, 'the wall has no speed');
    await openClock(operator);
    const controls = operator.getByRole('region', { name: 'Set the clock' });
    await desk.locator('.time-bar').getByText('scenarios', { exact: true }).waitFor();
    const speeds = controls.getByRole('group', { name: 'Speed' });

    await operator.keyboard.press('p');
    const dialog = operator.getByRole('dialog', { name: 'Pause the market' });
    await dialog.getByText('never follows the wall again').waitFor();
    await dialog.getByLabel('Reason, for the journal').fill('a lesson');
    await dialog.getByLabel('Your name, for the journal').fill('asha');
    await operator.keyboard.press('Enter');
    await operator.getByText(/The market stands still; it is/).waitFor();
    await speeds.getByRole('button', { name: 'Pause', pressed: true }).waitFor();

    await desk.getByRole('status').getByText('The market stands still').waitFor();
    await desk.locator('.time-bar').getByText('stands still', { exact: true }).waitFor();
    const stood = await seenTime(desk);
    await sleep(1_500);
    assert.equal(await seenTime(desk), stood);
    assert.equal((await statusOf(user)).marketTime.slice(0, 8), stood);
    assert.equal(await desk.locator('.terminal.stale').count(), 0, 'figures that stand are not old');
    await told.picture(desk, 'clock-paused');
    await desk.getByRole('button', { name: 'Market time and phases' }).click();
    await desk.getByText('npx sauda operator page').waitFor();
    await told.picture(desk, 'clock-menu');
    await desk.keyboard.press('Escape');
    await told.picture(operator, 'clock-paused-operator');
    await told.axeInThemes(desk);
    await told.axeInThemes(operator);

    const before = await statusOf(user);
    await operator.keyboard.press('m');
    await operator
      .getByText(/^The market stands still; it is/)
      .last()
      .waitFor();
    await desk.waitForFunction((old) => document.querySelector('.time-bar time')?.textContent !== old, stood);
    const stepped = await statusOf(user);
    assert.equal(seconds(before.marketTime, stepped.marketTime), 60);
    assert.equal(await seenTime(desk), stepped.marketTime.slice(0, 8));

    await restAtBest(user);
    const orders = desk.getByRole('grid', { name: 'Orders' });
    await orders.getByRole('row', { name: /Buy ITC-EQ.*Open/ }).waitFor();
    await controls.getByRole('button', { name: '5 minutes' }).click();
    await orders.getByRole('row', { name: /Buy ITC-EQ.*(Filled|Complete)/ }).waitFor();

    await speeds.getByRole('button', { name: 'x600' }).click();
    await desk.locator('.time-bar').getByText('\u00d7600', { exact: true }).waitFor();
    await desk.getByRole('status').getByText('stands still').waitFor({ state: 'detached' });
    const fast = await seenTime(desk);
    await desk.waitForFunction((old) => document.querySelector('.time-bar time')?.textContent !== old, fast);
    await told.picture(desk, 'clock-fast');
    await speeds.getByRole('button', { name: 'Pause' }).click();
    await desk.getByRole('status').getByText('The market stands still').waitFor();
    const later = await statusOf(user);
    assert.ok(seconds(stepped.marketTime, later.marketTime) > 300, 'minutes passed in a second');
  },
);
