import type { Page } from 'playwright-core';
import { gone } from './kit/gone.ts';
import { story } from './kit/story.ts';

/** The buttons that choose a workspace. */
function workspaces(page: Page) {
  return page.getByRole('navigation', { name: 'Workspaces' }).getByRole('button');
}

story('axe finds nothing in the login, in both themes', async (told) => {
  const page = await told.door();
  await page.getByRole('heading', { name: 'Sauda' }).waitFor();
  await told.axeInThemes(page);
});

story('axe finds nothing in any workspace and any of its panels, in both themes', async (told) => {
  const user = await told.user({ shares: { 'ITC-EQ': 10 } });
  const page = await told.desk(user);
  await page.getByRole('main').waitFor();
  for (const workspace of await workspaces(page).all()) {
    await workspace.click();
    for (const tab of await page.locator('.place-head').getByRole('tab').all()) {
      await tab.click();
      await gone(page.getByText('Loading', { exact: true }));
      await told.axeInThemes(page, `[role=tabpanel][aria-label="${await tab.innerText()}"]`);
    }
    await told.axeInThemes(page);
  }
});
