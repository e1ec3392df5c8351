/** Feature 25: on a phone one panel is shown at a time; an order is placed by touch. */
import assert from 'node:assert/strict';
import { gone } from './kit/gone.ts';
import { story, type Theme } from './kit/story.ts';

const PHONES: readonly { readonly theme: Theme; readonly width: number }[] = [
  { theme: 'dark', width: 390 },
  { theme: 'light', width: 360 },
];

for (const { theme, width } of PHONES) {
  story(`an order is placed and followed on a phone of ${width} px, ${theme}`, async (told) => {
    const user = await told.user();
    const page = await told.desk(user, { theme, viewport: { width, height: 780 } });
    const tabs = page.getByRole('tablist', { name: 'Panels' });
    await page.getByRole('button', { name: /^Find/ }).click();
    await page.getByRole('combobox', { name: 'Find an instrument' }).fill('ITC-EQ');
    await page
      .getByRole('option', { name: /ITC-EQ/ })
      .first()
      .click();
    await tabs.getByRole('tab', { name: 'Depth', selected: true }).waitFor();
    await tabs.getByRole('tab', { name: 'Ticket' }).click();
    await page.getByRole('button', { name: /^Buy/ }).click();
    await page.getByRole('button', { name: /^Buy 1 at [\d,]+\.\d\d$/ }).click();
    await tabs.getByRole('tab', { name: 'Orders' }).click();
    await page
      .getByRole('row', { name: /ITC-EQ/ })
      .first()
      .waitFor();
    assert.equal((await user.call<readonly object[]>('orderBook')).length, 1);
    for (const tab of await tabs.getByRole('tab').all()) {
      await tab.click();
      await gone(page.getByText('Loading', { exact: true }));
      await told.axe(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${await tab.innerText()} makes the page ${wide} px wide`);
    }
  });
}
