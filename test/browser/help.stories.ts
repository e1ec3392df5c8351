/** Feature 22: the keys, and the first visit that leads to the first trade. */
import assert from 'node:assert/strict';
import { findByKeys } from './kit/desk.ts';
import { gone } from './kit/gone.ts';
import { story } from './kit/story.ts';

story('the first visit leads to the first trade by keys, and does not come back', async (told) => {
  const user = await told.user();
  const page = await told.desk(user, { isFirstVisit: true });
  const steps = page.getByRole('complementary', { name: 'First steps' });
  await steps.getByRole('heading', { name: 'Find an instrument' }).waitFor();
  await told.axe(page);
  await findByKeys(page, 'ITC-EQ');
  await steps.getByRole('heading', { name: 'Open the ticket' }).waitFor();
  await page.keyboard.press('b');
  await steps.getByRole('heading', { name: 'Read what it costs' }).waitFor();
  const market = page
    .getByRole('radio', { name: 'Market' })
    .or(page.getByRole('button', { name: 'Market', exact: true }));
  await market.first().press('Space');
  await page.getByRole('button', { name: /^Buy 1 / }).press('Enter');
  await steps.getByRole('heading', { name: 'You are set' }).waitFor();
  assert.equal((await user.call<readonly object[]>('tradeBook')).length, 1);
  await steps.getByRole('button', { name: 'Close' }).press('Enter');
  await gone(steps);
  await page.reload();
  await page.getByRole('tab', { name: 'Orders' }).waitFor();
  assert.equal(await steps.count(), 0);
});

story('the first steps can be skipped, and asked for again from the help', async (told) => {
  const page = await told.desk(await told.user(), { isFirstVisit: true });
  const steps = page.getByRole('complementary', { name: 'First steps' });
  await steps.getByRole('button', { name: 'Skip all' }).click();
  await gone(steps);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keys and help' });
  for (const title of [
    'Find an instrument',
    'Exit all positions',
    'Cancel all orders',
    'Show Depth',
    'Workspace Options',
  ]) {
    await help.getByText(title, { exact: true }).waitFor();
  }
  const ofPanels = {
    'In Positions': ['X', 'R', 'A', 'V', 'Space'],
    'In Orders': ['Enter', 'M', 'Delete', 'Space'],
    'In Watchlists': ['Alt Up, Alt Down', 'Delete'],
    'In Ladder': ['Enter', 'Delete', 'Home'],
    'In Option chain': ['B, S', 'Shift B, Shift S'],
    'In Chart': ['Enter', 'Delete on an order'],
    'In Search': ['Alt B, Alt S'],
  };
  for (const [section, keys] of Object.entries(ofPanels)) {
    const kbd = help.getByRole('region', { name: section }).locator('kbd');
    for (const key of keys) await kbd.getByText(key, { exact: true }).waitFor();
  }
  for (const keys of ['/', 'Ctrl K', 'B', 'S', 'D', 'C', 'O', '?']) {
    await help.locator('kbd', { hasText: keys }).first().waitFor();
  }
  await told.axe(page);
  await help.getByRole('button', { name: 'Show the first steps' }).click();
  await steps.getByRole('heading', { name: 'Find an instrument' }).waitFor();
});
