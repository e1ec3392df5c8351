/** Features 15, 18 and 19: the market's clock, the arrangement of the page, and the state of its link. */
import assert from 'node:assert/strict';
import type { Locator, Page, WebSocketRoute } from 'playwright-core';
import { findByKeys } from './kit/desk.ts';
import { until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { story } from './kit/story.ts';

/** An entry of the browser's account of movements. */
interface Shift {
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

function place(page: Page, tab: string): Locator {
  return page.locator('.place', { has: page.getByRole('tab', { name: tab, exact: true }) });
}

async function widthOf(place: Locator): Promise<number> {
  return (await place.boundingBox())?.width ?? 0;
}

/** Waits until a place is so wide, in pixels. */
async function isWide(place: Locator, wanted: number): Promise<void> {
  const isSame = (width: number): boolean => width === wanted;
  await until(() => widthOf(place), isSame, `a place of ${wanted} px`);
}

/** Seconds of the day of `HH:MM:SS`. */
function seconds(time: string): number {
  const [hours = 0, minutes = 0, rest = 0] = time.split(':').map(Number);
  return hours * 3_600 + minutes * 60 + rest;
}

story("the time bar shows the market's time and the phase of each exchange", async (told) => {
  const user = await told.user();
  const page = await told.desk(user);
  const time = page.locator('.time-bar time');
  await time.filter({ hasText: /^\d\d:\d\d:\d\d$/ }).waitFor();
  const [shown] = await until(
    async () => {
      const { marketTime } = await user.call<{ readonly marketTime: string }>('getMarketStatus');
      return [await time.innerText(), marketTime.slice(0, 8)] as const;
    },
    ([page, service]) => {
      const apart = Math.abs(seconds(page) - seconds(service));
      return Math.min(apart, 86_400 - apart) <= 3;
    },
    'the time of the page beside that of the service',
  );
  await time.filter({ hasNotText: shown }).waitFor();
  for (const exchange of ['NSE', 'BSE', 'NFO', 'BFO']) {
    await page.locator('.time-bar .open', { hasText: exchange }).waitFor();
  }
  await page.getByRole('button', { name: 'Market time and phases' }).press('Enter');
  await page.getByText('1 s of the market in a second').waitFor();
  await told.axe(page);
});

story('places are resized by keys and by the mouse, and a reload keeps them', async (told) => {
  const page = await told.desk(await told.user());
  const watch = place(page, 'Watchlists');
  await watch.waitFor();
  const before = await widthOf(watch);
  const handle = page.getByRole('separator', { name: 'Width of the left places' });
  await handle.press('ArrowRight');
  await isWide(watch, before + 16);
  const at = (await handle.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.move(at.x + at.width / 2, at.y + 200);
  await page.mouse.down();
  await page.mouse.move(at.x + at.width / 2 + 40, at.y + 220, { steps: 4 });
  await page.mouse.up();
  await isWide(watch, before + 56);
  await page.reload();
  await watch.waitFor();
  await isWide(watch, before + 56);
  await handle.press('Enter');
  await isWide(watch, before);
});

story('a panel is moved, the layout is saved under a name, reset and opened again', async (told) => {
  const page = await told.desk(await told.user());
  await place(page, 'Chart').waitFor();
  await place(page, 'Depth')
    .getByRole('button', { name: /^Arrange/ })
    .press('Enter');
  await page.getByRole('button', { name: 'Left, below (new)' }).press('Enter');
  await page.getByRole('tablist', { name: 'Panels: Left, below' }).getByRole('tab', { name: 'Depth' }).waitFor();
  await page.getByRole('button', { name: /^Layout/ }).press('Enter');
  await page.getByLabel('Save this layout as').fill('Mine');
  await page.keyboard.press('Enter');
  await page.getByText('Layout Mine is saved in this browser.').waitFor();
  await told.axe(page);
  await page.getByRole('button', { name: 'Reset Trade' }).click();
  await page.getByRole('tablist', { name: 'Panels: Right', exact: true }).getByRole('tab', { name: 'Depth' }).waitFor();
  await page.reload();
  await place(page, 'Chart').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('open layout mine');
  await page.getByRole('option', { name: /Open layout Mine/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Trade', pressed: true }).waitFor();
  await page.getByRole('tablist', { name: 'Panels: Left, below' }).getByRole('tab', { name: 'Depth' }).waitFor();
});

story('panels of one colour follow an instrument together, and those of another do not', async (told) => {
  const page = await told.desk(await told.user());
  await place(page, 'Depth').waitFor();
  await place(page, 'Depth')
    .getByRole('button', { name: /^Arrange/ })
    .click();
  await page.getByRole('button', { name: 'green' }).click();
  await place(page, 'Chart').getByRole('tab', { name: 'Chart' }).click();
  await findByKeys(page, 'SBIN-EQ');
  await place(page, 'Chart').locator('.chosen-name', { hasText: 'SBIN-EQ' }).waitFor();
  assert.equal(await place(page, 'Depth').locator('.chosen-name').innerText(), '');
  await page.reload();
  await place(page, 'Chart').locator('.chosen-name', { hasText: 'SBIN-EQ' }).waitFor();
  assert.equal(await place(page, 'Depth').locator('.chosen-name').innerText(), '');
});

/** Waits until nothing has moved for a while: then panels have their first figures. Goes on later in any case. */
async function stoodStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const end = performance.now() + 30_000;
    let last = performance.now();
    const watch = new PerformanceObserver(() => {
      last = performance.now();
    });
    watch.observe({ type: 'layout-shift' });
    while (performance.now() - last < 2_000 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    watch.disconnect();
  });
}

story('no part of the page moves while prices tick', async (told) => {
  const page = await told.desk(await told.user());
  await page.getByRole('grid').first().locator('.price').first().waitFor();
  await stoodStill(page);
  const moved = await page.evaluate(async () => {
    const ROUNDED_PX = 1;
    const parts: string[] = [];
    const watch = new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries() as unknown as readonly Shift[]) {
        for (const { node, previousRect, currentRect } of sources) {
          // A figure that grows to the left keeps its right edge, and moves nothing else.
          const grows =
            Math.abs(previousRect.right - currentRect.right) <= ROUNDED_PX && previousRect.top === currentRect.top;
          const moved = `${previousRect.left}-${previousRect.right} to ${currentRect.left}-${currentRect.right}`;
          if (node instanceof Element && !grows) parts.push(`${moved} ${node.outerHTML.slice(0, 120)}`);
        }
      }
    });
    watch.observe({ type: 'layout-shift' });
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    watch.disconnect();
    return parts;
  });
  assert.deepEqual(moved, []);
});

story('the theme is turned by a command and kept', async (told) => {
  const page = await told.desk(await told.user(), { theme: 'light' });
  await place(page, 'Chart').waitFor();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('theme');
  await page.keyboard.press('Enter');
  await page.locator(':root[data-theme="dark"]').waitFor({ state: 'attached' });
  const dark = await ground();
  assert.notEqual(dark, light);
  await page.reload();
  await place(page, 'Chart').waitFor();
  assert.equal(await ground(), dark);
});

/** How the story ends a stream, and refuses the next ones until it has seen that the page says so. */
const CUT = { code: 1013, reason: 'a cut of the story' } as const;

story(
  'a stream that falls silent, and one that is cut, make the page grey in words until they are back',
  async (told) => {
    const page = await told.desk(await told.user());
    let isSilent = false;
    let isCut = false;
    let socket: WebSocketRoute | undefined;
    // The road between the page and the service: what it carries is the service's own.
    await page.routeWebSocket('**/stream', (route) => {
      socket = route;
      if (isCut) return void route.close(CUT);
      const service = route.connectToServer();
      service.onMessage((message) => {
        if (!isSilent) route.send(message);
      });
    });
    await page.reload();
    const status = page.locator('.status-bar');
    const notice = page.locator('.notice');
    await status.getByText('Live').waitFor();
    assert.equal(await page.locator('.stale').count(), 0);
    const before = await page
      .locator('.place')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));

    isSilent = true;
    await notice.getByText(/Nothing comes from the service. Figures are [12]\d s old./).waitFor({ timeout: 60_000 });
    await status.getByText('Silent').waitFor();
    const [grey, quiet] = await page.evaluate(() => {
      const panel = document.querySelector('.stale .panel');
      return [
        panel && getComputedStyle(panel).color,
        getComputedStyle(document.querySelector('.quiet') as Element).color,
      ];
    });
    assert.equal(grey, quiet);
    const after = await page
      .locator('.place')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    assert.deepEqual(after, before, 'no place has moved');
    await told.axe(page);

    isSilent = false;
    await gone(page.locator('.stale'));
    isCut = true;
    await socket?.close(CUT);
    await notice.getByText('The connection is lost (a cut of the story). It is tried again.').waitFor();
    isCut = false;
    await status.getByText('Live').waitFor();
    await gone(page.locator('.stale'));
  },
);

story('the time from the press to the answer of the last order is shown', async (told) => {
  const page = await told.desk(await told.user());
  await place(page, 'Ticket').waitFor();
  await findByKeys(page, 'ITC-EQ');
  await place(page, 'Ticket').locator('.chosen-name', { hasText: 'ITC-EQ' }).waitFor();
  await page.keyboard.press('b');
  await page.getByRole('button', { name: /^Buy 1 at [\d,]+\.\d\d$/ }).click();
  await page
    .locator('.status-bar')
    .getByText(/^Last order answered in \d+ ms$/)
    .waitFor();
});
