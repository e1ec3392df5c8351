/** Feature 17: alerts on a price and on the result of the day, by message and by sound. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { findByKeys } from './kit/desk.ts';
import { gone } from './kit/gone.ts';
import { story } from './kit/story.ts';

/** Counts the tones that the page sounds. */
const COUNT_TONES = `window.tones = 0;
const made = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.tones += 1; return made.call(this); };`;

function tones(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { readonly tones: number }).tones);
}

async function openAlerts(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Alerts' }).click();
  await page.getByRole('checkbox', { name: 'Sound' }).waitFor();
}

story(
  'an alert on a price is set by hand, fires by message and sound, and another is ended by its key',
  async (told) => {
    const user = await told.user();
    const page = await told.desk(user);
    await page.addInitScript(COUNT_TONES);
    await page.reload();
    await openAlerts(page);
    await findByKeys(page, 'ITC-EQ');
    const form = page.getByRole('form', { name: 'New alert on ITC-EQ' });
    await form.getByLabel('Price').fill('100000');
    await page.keyboard.press('Enter');
    const row = page.getByRole('grid', { name: 'Price alerts' }).getByRole('row', { name: /1,00,000/ });
    await row.getByText('Waits').waitFor();
    await told.axe(page);
    assert.equal(await tones(page), 0);

    // Set by a program, while the panel is not shown: the service keeps alerts, and the stream brings their changes.
    await page.getByRole('tab', { name: 'Watchlists' }).click();
    const alert = {
      exchange: 'NSE',
      tradingSymbol: 'SBIN-EQ',
      condition: 'ABOVE',
      price: '1.00',
      remarks: 'from afar',
    };
    await user.call('placeAlert', alert);
    await page.getByText(/^SBIN-EQ is at [\d,.]+: at or above 1.00 \(from afar\)$/).waitFor();
    assert.ok((await tones(page)) > 0);

    await openAlerts(page);
    await row.click();
    await page.keyboard.press('Delete');
    await row.getByText('Cancelled').waitFor();
  },
);

story('an alert on a price that cannot be one is refused in the words of the service', async (told) => {
  const page = await told.desk(await told.user());
  await openAlerts(page);
  told.expect(/status of 400/);
  await findByKeys(page, 'ITC-EQ');
  const form = page.getByRole('form', { name: 'New alert on ITC-EQ' });
  await form.getByLabel('Price').fill('never');
  await page.keyboard.press('Enter');
  await page.getByText(/^Alert on ITC-EQ at or above never: .*price/i).waitFor();
  assert.equal(await form.getByLabel('Price').inputValue(), 'never');
});

story(
  'an alert on the result of the day fires once, without sound when it is off, and says where it works',
  async (told) => {
    const page = await told.desk(await told.user());
    await page.addInitScript(COUNT_TONES);
    await page.reload();
    await openAlerts(page);
    await page.getByText('These work only while this page is open.').waitFor();
    await page.getByRole('checkbox', { name: 'Sound' }).uncheck();
    const section = page.getByRole('region', { name: 'Alerts on the result of the day' });
    await section.getByLabel('Rupees').fill('much');
    await page.keyboard.press('Enter');
    await section.getByText(/^The amount is rupees/).waitFor();
    await section.getByLabel('Rupees').fill('-5,000');
    await page.keyboard.press('Enter');
    await page.getByText(/^The result of the day is 0.00: at or above \u22125,000.00$/).waitFor();
    await section.getByText('Fired at 0.00').waitFor();
    assert.equal(await tones(page), 0);
    await page.reload();
    await openAlerts(page);
    await section.getByText('Fired at 0.00').waitFor();
    await section.getByRole('button', { name: /^Remove the alert/ }).click();
    await gone(section.getByRole('listitem'));
  },
);
