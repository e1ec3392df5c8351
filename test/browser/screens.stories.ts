import type { Page } from 'playwright-core';
import { story, type Theme } from './kit/story.ts';

const THEMES: readonly Theme[] = ['light', 'dark'];

/** The buttons that choose a workspace. */
function workspaces(page: Page) {
  return page.getByRole('navigation', { name: 'Workspaces' }).getByRole('button');
}

for (const theme of THEMES) {
  story(`axe finds nothing in the login, ${theme}`, async (told) => {
    const page = await told.door({ theme });
    await page.getByRole('heading', { name: 'Sauda' }).waitFor();
    await told.axe(page);
  });

  story(`axe finds nothing in any workspace and any of its panels, ${theme}`, async (told) => {
    const user = await told.user({ shares: { 'ITC-EQ': 10 } });
    const page = await told.desk(user, { theme });
    await page.getByRole('main').waitFor();
    for (const workspace of await workspaces(page).all()) {
      await workspace.click();
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        await page.getByText('Loading', { exact: true }).waitFor({ state: 'detached' });
        await told.axe(page, `[role=tabpanel][aria-label="${await tab.innerText()}"]`);
      }
      await told.axe(page);
    }
  });
}
