/** Feature 3: any instrument and any command by keys alone. */
import assert from 'node:assert/strict';
import { gone } from './kit/gone.ts';
import { story } from './kit/story.ts';

story('an instrument is found by its letters, and every panel of the colour follows it', async (told) => {
  const page = await told.desk(await told.user());
  await page.getByRole('tab', { name: 'Orders' }).waitFor();
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Find an instrument' });
  await field.waitFor();
  await page.keyboard.type('relnce');
  await page.getByRole('option', { name: /RELIANCE-EQ/ }).waitFor();
  await told.axe(page);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('ITC');
  await page.keyboard.press('Enter');
  await gone(field);
  await page
    .locator('.place', { has: page.getByRole('tab', { name: 'Depth' }) })
    .getByText('ITC-EQ')
    .first()
    .waitFor();
  assert.deepEqual(new Set(await page.locator('.chosen-name').allTextContents()), new Set(['ITC-EQ']));
});

story('a text that nothing is named like is answered in words, and Esc gives the focus back', async (told) => {
  const page = await told.desk(await told.user());
  const tab = page.getByRole('tab', { name: 'Orders' });
  await tab.focus();
  await page.keyboard.press('/');
  await page.keyboard.type('zzqq');
  await page.getByText('Nothing is named like zzqq.').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await gone(page.getByRole('combobox', { name: 'Find an instrument' }));
  assert.equal(await tab.evaluate((element) => element === document.activeElement), true);
});

story('a command is found and done from within a field, and an order is begun from the palette', async (told) => {
  const page = await told.desk(await told.user());
  await page.getByRole('tab', { name: 'Orders' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('SBIN');
  await page.getByRole('option', { name: /SBIN-EQ/ }).waitFor();
  await page.keyboard.press('Alt+s');
  await page.getByRole('spinbutton').or(page.getByLabel('Quantity')).first().focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('wrkspce risk');
  await page.getByRole('option', { name: /Workspace Risk/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Risk', pressed: true }).waitFor();
});

/** Presses `/` as soon as the tab of a panel is drawn, before anything else happens in the page. */
const PRESS_AT_ONCE = `new MutationObserver((_changes, watch) => {
  if (document.querySelector('.place-head [role="tab"]') === null) return;
  watch.disconnect();
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', code: 'Slash', bubbles: true, cancelable: true }));
}).observe(document, { subtree: true, childList: true });`;

story('a key that is pressed as soon as the page is seen is taken', async (told) => {
  const page = await told.desk(await told.user());
  await page.addInitScript(PRESS_AT_ONCE);
  await page.reload();
  await page.getByRole('combobox', { name: 'Find an instrument' }).waitFor();
});

story('a sequence of keys does one thing alone', async (told) => {
  const page = await told.desk(await told.user());
  await page.getByRole('tab', { name: 'Chart' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('button', { name: 'Options', pressed: true }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.getByRole('button', { name: 'Trade', pressed: true }).waitFor();
  // The O of the sequence is not the O that shows the option chain.
  assert.equal(await page.getByRole('tab', { name: 'Chart' }).getAttribute('aria-selected'), 'true');
});
