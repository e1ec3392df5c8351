/** Feature 20: the request of the last action as a program would make it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { must } from '../../src/base/assert.ts';
import { findByKeys } from './kit/desk.ts';
import { keptSession } from './kit/session.ts';
import { story } from './kit/story.ts';

const run = promisify(execFile);

story(
  'the request of the last action is shown in three languages without its secrets, and its curl works',
  async (told) => {
    const user = await told.user();
    const page = await told.desk(user);
    await page.getByRole('tab', { name: 'Alerts' }).click();
    await findByKeys(page, 'ITC-EQ');
    const form = page.getByRole('form', { name: 'New alert on ITC-EQ' });
    await form.getByLabel('Price').fill('90000');
    await form.getByLabel('Note').fill("it's mine");
    await page.keyboard.press('Enter');
    await page.getByText(/^Alert on ITC-EQ .*taken/).waitFor();

    await page.getByRole('tab', { name: 'Developer' }).click();
    const panel = page.locator('.panel.developer');
    await panel.getByRole('row', { name: /placeAlert 200/ }).waitFor();
    await told.axe(page);
    const { token } = must(await keptSession(page), 'the tab keeps its session');
    const texts: Record<string, string> = {};
    for (const language of ['curl', 'TypeScript', 'Python']) {
      await panel.getByRole('tab', { name: language }).click();
      texts[language] = await panel.locator('pre').innerText();
      assert.ok(!texts[language].includes(token), `${language} has no token`);
    }
    assert.match(texts.TypeScript ?? '', /sauda\.alerts\.place\(/);
    assert.match(texts.Python ?? '', /placeAlert/);
    const { stdout } = await run('sh', ['-c', texts.curl ?? ''], { env: { ...process.env, JKEY: token } });
    assert.equal((JSON.parse(stdout) as { readonly status: string }).status, 'success', stdout);
    const alerts = await user.call<readonly { readonly price: string; readonly remarks: string }[]>('getAlerts');
    assert.deepEqual(
      alerts.map(({ price, remarks }) => [price, remarks]),
      [
        ['90000.00', "it's mine"],
        ['90000.00', "it's mine"],
      ],
    );
    assert.equal(await panel.getByRole('link', { name: 'Reference' }).getAttribute('href'), '/docs');
  },
);
