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
import { until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { reachedOf, STORY_SETTINGS } from './kit/shared.ts';
import { story } from './kit/story.ts';
import { StoryService, type StoryUser } from './kit/story-service.ts';

/** A Friday of its own, far from the day's end at any hour of the wall. The page says that scenarios are on, too. */
const DAY = '20-11-2026';
const SETTINGS = { ...STORY_SETTINGS, SAUDA_CLOCK: '2026-11-20T10:00:00', SAUDA_SPEED: '1', SAUDA_SCENARIOS: 'on' };
const FAR = '2027-11-01T10:00:00';
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

/** An order at the best bid is filled by then. */
const MOST_STEPS = 24;
/** Places an order at the best bid, which rests while the market stands still. */
async function rest(user: StoryUser): Promise<void> {
  const itc = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' };
  const { bestBuyPrice1: price } = await user.call<{ readonly bestBuyPrice1: string }>('getQuote', itc);
  const terms = { transactionType: 'B', product: 'C', priceType: 'LMT', triggerPrice: '0', retention: 'DAY' };
  await user.call('placeOrder', { ...itc, ...terms, quantity: '10', price, remarks: 'story' });
}

function seconds(from: string, to: string): number {
  return (instantOf(to).getTime() - instantOf(from).getTime()) / 1_000;
}

/** The status when a step is done. `length`: of the step, in seconds. */
function afterStep(user: StoryUser, { marketTime: from }: Shown, length: number): Promise<Shown> {
  const isDone = ({ speed, marketTime }: Shown): boolean => speed === '0' && seconds(from, marketTime) === length;
  return until(() => statusOf(user), isDone, 'the step ends at its time');
}

async function openOrders(user: StoryUser): Promise<number> {
  const rows = await user.call<readonly { readonly status: string }[]>('orderBook');
  return rows.filter(({ status }) => status === 'OPEN').length;
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

    await desk.locator('.time-bar').getByText(DAY, { exact: true }).waitFor();
    await controls.getByLabel('Your name, for the journal').fill('asha');
    await controls.getByRole('heading').click();
    await operator.keyboard.press('p');
    await operator.getByText(/The market stands still; it is/).waitFor();
    await speeds.getByRole('button', { name: 'Pause', pressed: true }).waitFor();

    await desk.getByRole('status').getByText('The market stands still').waitFor();
    await desk.locator('.time-bar').getByText('stands still', { exact: true }).waitFor();
    const { marketTime: stood } = await statusOf(user);
    await desk.locator('.time-bar time').getByText(stood.slice(0, 8)).waitFor();
    await sleep(1_500);
    assert.equal(await seenTime(desk), stood.slice(0, 8));
    assert.equal((await statusOf(user)).marketTime, stood);
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
    const stepped = await afterStep(user, before, 60);
    await desk.locator('.time-bar time').getByText(stepped.marketTime.slice(0, 8)).waitFor();
    await desk.locator('.time-bar').getByText('stands still', { exact: true }).waitFor();

    await rest(user);
    const orders = desk.getByRole('grid', { name: 'Orders' });
    await orders.getByRole('row', { name: /Buy ITC-EQ.*Open/ }).waitFor();
    for (let steps = 0; steps < MOST_STEPS && (await openOrders(user)) > 0; steps += 1) {
      const from = await statusOf(user);
      await controls.getByRole('button', { name: '5 minutes', disabled: false }).click();
      await afterStep(user, from, 300);
    }
    await orders.getByRole('row', { name: /Buy ITC-EQ.*(Filled|Complete)/ }).waitFor();

    await speeds.getByRole('button', { name: 'x600' }).click();
    await desk.locator('.time-bar').getByText('\u00d7600', { exact: true }).waitFor();
    await gone(desk.getByRole('status').getByText('stands still'));
    const fast = await seenTime(desk);
    await desk.waitForFunction((old) => document.querySelector('.time-bar time')?.textContent !== old, fast);
    await told.picture(desk, 'clock-fast');
    await speeds.getByRole('button', { name: 'Pause' }).click();
    await desk.getByRole('status').getByText('The market stands still').waitFor();
    const later = await statusOf(user);
    assert.ok(seconds(stepped.marketTime, later.marketTime) > 300, 'minutes passed in a second');

    await controls.getByLabel('Instant').fill(FAR);
    await controls.getByRole('button', { name: 'Go', exact: true }).click();
    await controls.getByText(`On the way to ${FAR.replace('T', ' ')}. Pause ends it where it is.`).waitFor();
    await desk.locator('.time-bar').getByText('as fast as it can', { exact: true }).waitFor();
    await told.picture(operator, 'clock-step');
    await operator.keyboard.press('p');
    await desk.getByRole('status').getByText('The market stands still').waitFor();
    await gone(controls.getByText(/^On the way/));
    assert.equal((await statusOf(user)).speed, '0');
  },
);

story(
  'a market that follows the wall is taken from it only by an operator who was told that it never goes back',
  async (told) => {
    const page = await told.operatorPage();
    await openClock(page);
    const controls = page.getByRole('region', { name: 'Set the clock' });
    for (const name of ['Pause', 'x60', '1 minute', 'Close']) {
      await controls.getByRole('button', { name, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('never follows the wall again').waitFor();
      await page.keyboard.press('Escape');
      await gone(dialog);
    }
    await page.getByRole('region', { name: 'Market clock' }).getByText('follows the wall', { exact: true }).waitFor();
  },
);
