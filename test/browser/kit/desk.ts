import type { Locator, Page } from 'playwright-core';
import { until } from './figures.ts';

/** A panel that is shown. */
export function panel(page: Page, name: string): Locator {
  return page.getByRole('tabpanel', { name, exact: true });
}

/** Chooses an instrument by its whole symbol, by keys alone, as fast as they come. */
export async function findByKeys(page: Page, symbol: string): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type(symbol);
  await page.keyboard.press('Enter');
}

/** Chooses ITC-EQ in the watchlist, and waits until the depth follows. */
export async function chooseListed(page: Page): Promise<void> {
  await panel(page, 'Watchlists')
    .getByRole('row', { name: /^ITC-EQ/ })
    .click();
  await panel(page, 'Depth').getByRole('heading', { name: 'ITC-EQ' }).waitFor();
}

/** Waits until the ticket has the focus and a price, so that Enter sends its order. */
export async function ticketReady(page: Page): Promise<void> {
  const isReady = `document.activeElement?.matches('.ticket-form input') === true &&
    document.querySelector('.ticket-form [name="price"]')?.value !== ''`;
  await until(
    () => page.evaluate<boolean>(isReady),
    (ready) => ready,
    'a ticket with the focus and a price',
  );
}

/** The field of the price in the ticket. */
export function priceField(page: Page): Locator {
  return page.getByRole('textbox', { name: /^Price/ }).or(page.getByRole('spinbutton', { name: /^Price/ }));
}
