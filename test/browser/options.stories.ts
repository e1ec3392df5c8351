/**
 * Stories of the options desk: the chain (13), and the strategy builder (14) with the placing of four legs whose margin
 * is the one that was shown.
 */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { must } from '../../src/base/assert.ts';
import { plainFigure, until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { type Story, story } from './kit/story.ts';
import type { StoryUser } from './kit/story-service.ts';

type Row = Readonly<Record<string, string>>;

/** The options desk of a user with the chain of NIFTY. */
async function optionsDesk(told: Story, user: StoryUser, theme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await told.desk(user, { theme });
  await page.getByRole('navigation', { name: 'Workspaces' }).getByRole('button', { name: 'Options' }).click();
  await page.getByRole('row', { name: /^NIFTY/ }).click();
  await chainOf(page).getByText('NIFTY', { exact: true }).waitFor();
  await chainOf(page).locator('.at-money').waitFor();
  return page;
}

function chainOf(page: Page): Locator {
  return page.getByRole('tabpanel', { name: 'Option chain' });
}

function strategyOf(page: Page): Locator {
  return page.getByRole('tabpanel', { name: 'Strategy' });
}

/** A figure of the strategy by its name, as plain decimal text. */
async function figure(page: Page, name: string): Promise<string> {
  const row = strategyOf(page)
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) });
  return plainFigure(await row.locator('dd').innerText());
}

/** Waits until the service has answered for the legs as they are. */
async function judged(page: Page): Promise<void> {
  await strategyOf(page).locator('dl[aria-label="Margin"][aria-busy="false"]').waitFor();
  await gone(strategyOf(page).locator('.strategy-figures .old'));
  await gone(strategyOf(page).locator('.strategy-figures').getByText('\u2013'));
}

/** The row at the money as the page shows it, beside what the service says of its call, while both move. */
async function atMoney(user: StoryUser, chain: Locator, expiry: string) {
  const [quote] = await user.call<Row[]>('getQuote/ltp', { exchange: 'NSE', tradingSymbol: 'NIFTY' });
  const row = chain.locator('.at-money');
  const strike = plainFigure(/[\d,.]+/.exec(await row.getByRole('rowheader').innerText())?.[0] ?? '');
  const asked = { exchange: 'NFO', symbol: 'NIFTY', expiry, count: '1', strikePrice: strike };
  const rows = await user.call<Row[]>('optionChainGreeks', asked);
  const call = rows.find(({ strikePrice, optionType }) => strikePrice === strike && optionType === 'CE');
  const shown = (await row.locator('td').allInnerTexts()).map(plainFigure);
  return { strike, spot: must(quote, 'a quote').lastTradedPrice, shown, call };
}

story('13: the chain mirrors calls and puts around the money, with the figures of the service', async (told) => {
  const user = await told.user();
  const page = await optionsDesk(told, user);
  const chain = chainOf(page);
  const expiry = await chain.getByLabel('Expiry').inputValue();
  await until(
    () => atMoney(user, chain, expiry),
    ({ strike, spot, shown: [interest, delta, iv, ...others], call }) =>
      Math.abs(Number(strike) - Number(spot)) <= 60 &&
      others.length === 5 &&
      interest === call?.oi &&
      Math.abs(Number(delta) - Number(call?.delta)) < 0.05 &&
      Math.abs(Number(iv) - Number(call?.iv)) < 0.5,
    'the row at the money is nearest to the spot, with the interest, the delta and the volatility of the service',
  );
  await chain.getByLabel('All greeks').check();
  await chain.getByRole('columnheader', { name: 'Gamma' }).first().waitFor();
  assert.equal(await chain.locator('.at-money td').count(), 14);
  const expiries = await chain.getByLabel('Expiry').locator('option').allInnerTexts();
  assert.ok(expiries.length > 2, 'several expiries');
  await chain.getByLabel('Expiry').selectOption(must(expiries[1], 'a second expiry'));
  await chain.locator('.at-money').waitFor();
  await chain.getByRole('radio', { name: '\u00B18' }).click();
  await until(
    () => chain.locator('tbody tr').count(),
    (count) => count === 17,
    'the strikes around the money',
  );
  await told.axe(page);
});

story('13: a pointer buys an option at its price, or puts it into the basket', async (told) => {
  const user = await told.user();
  const page = await optionsDesk(told, user);
  const chain = chainOf(page);
  const cell = chain.locator('.at-money .ltp').first();
  await cell.hover();
  await cell.getByRole('button', { name: /^Buy/ }).click();
  const ticket = page.locator('.ticket-form');
  await ticket.waitFor();
  assert.match(await ticket.innerText(), /CE|C\d{5}/);
  await page.keyboard.press('Escape');
  await chain.getByRole('radio', { name: 'Basket' }).click();
  await cell.hover();
  await cell.getByRole('button', { name: /^Sell/ }).click();
  await strategyOf(page).getByRole('list', { name: 'Legs' }).getByRole('listitem').waitFor();
});

story('13: the keyboard alone goes through the chain, and puts a straddle into the basket', async (told) => {
  const user = await told.user();
  const page = await optionsDesk(told, user, 'dark');
  await chainOf(page).locator('.at-money [data-option$=" call"]').focus();
  await page.keyboard.press('Shift+S');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+S');
  const legs = strategyOf(page).getByRole('list', { name: 'Legs' }).getByRole('listitem');
  await legs.nth(1).waitFor();
  const names = await legs.locator('.leg-name').allInnerTexts();
  assert.match(must(names[0], 'a first leg'), / CE /);
  assert.match(must(names[1], 'a second leg'), / PE /);
  await judged(page);
  assert.equal(await figure(page, 'Greatest loss'), 'no bound');
  assert.equal(await figure(page, 'Greatest profit'), await figure(page, 'Net premium'));
  const focused = await page.evaluate(`document.activeElement.dataset.option`);
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await page.evaluate(`document.activeElement.dataset.option`), focused);
  await told.axe(page);
});

story('14: four legs block what the builder shows, to the paisa, in both themes', async (told) => {
  const user = await told.user({ rupees: '2000000.00' });
  const page = await optionsDesk(told, user);
  const strategy = strategyOf(page);
  await strategy.getByLabel('Template').selectOption('condor');
  await strategy.getByRole('button', { name: 'Build', exact: true }).click();
  const legs = strategy.getByRole('list', { name: 'Legs' }).getByRole('listitem');
  await legs.nth(3).waitFor();
  await judged(page);
  assert.ok(Number(await figure(page, 'Greatest profit')) > 0);
  assert.ok(Number(await figure(page, 'Greatest loss')) < 0);
  assert.match(await figure(page, 'Breakeven'), /^[\d.]+ · [\d.]+$/);
  assert.ok(Number(await figure(page, 'Margin of the whole')) < Number(await figure(page, 'Sum of the legs')));
  await strategy.getByRole('slider').focus();
  await page.keyboard.press('ArrowRight');
  await told.axeInThemes(page);
  // Limits that rest: purchases below the market and sales above it.
  for (let leg = 0; leg < 4; leg += 1) {
    const field = legs.nth(leg).getByLabel(/^Price of/);
    const isSale = (await legs.nth(leg).locator('button.sell').count()) > 0;
    const last = Math.round(Number(await field.inputValue()) * 100);
    const paise = Math.ceil((last * (isSale ? 1.1 : 0.9)) / 5) * 5;
    await field.fill((paise / 100).toFixed(2));
  }
  await judged(page);
  const shown = {
    marginused: await figure(page, 'Margin used then'),
    availableMargin: await figure(page, 'Available then'),
  };
  assert.equal(await figure(page, 'Blocked when placed'), shown.marginused, 'the user had no margin in use before');
  await strategy.getByRole('button', { name: 'Place all 4' }).click();
  const sent = strategy.getByRole('list', { name: 'Orders placed' }).getByRole('listitem');
  await sent.filter({ hasText: 'Open' }).nth(3).waitFor();
  const { marginused, availableMargin } = await user.call<Row>('limit');
  assert.deepEqual({ marginused, availableMargin }, shown);
  assert.equal((await user.call<Row[]>('orderBook')).length, 4, 'each leg was sent once');
  await told.axeInThemes(page);
});

story('14: sales first need more on the way, and the best order is one click away', async (told) => {
  const user = await told.user({ rupees: '2000000.00' });
  const page = await optionsDesk(told, user);
  const strategy = strategyOf(page);
  await strategy.getByLabel('Template').selectOption('condor');
  await strategy.getByRole('button', { name: 'Build', exact: true }).click();
  const legs = strategy.getByRole('list', { name: 'Legs' }).getByRole('listitem');
  await legs.nth(3).waitFor();
  for (let leg = 0; leg < 4; leg += 1)
    await legs
      .nth(leg)
      .getByRole('button', { name: /turn leg/ })
      .click();
  await judged(page);
  const peak = Number(await figure(page, 'Peak on the way'));
  await strategy.getByRole('button', { name: /^use/ }).click();
  await judged(page);
  const best = Number(await figure(page, 'Peak on the way'));
  assert.ok(best < peak, `${best} is below ${peak}`);
  assert.equal(Number(await figure(page, 'Peak, best order')), best);
  assert.deepEqual(await user.call<Row[]>('orderBook'), [], 'nothing is placed by looking');
});

story('14: a basket whose answer is lost is asked for again under its key, and placed once', async (told) => {
  const user = await told.user({ rupees: '2000000.00' });
  const page = await optionsDesk(told, user);
  told.expect(/basketOrder/);
  let lost = 0;
  await page.route('**/V1/basketOrder', async (route) => {
    await route.fetch();
    lost += 1;
    await route.abort();
  });
  const strategy = strategyOf(page);
  await strategy.getByLabel('Template').selectOption('short-strangle');
  await strategy.getByRole('button', { name: 'Build', exact: true }).click();
  await judged(page);
  await strategy.getByRole('button', { name: 'Place all 2' }).click();
  const again = strategy.getByRole('button', { name: 'Ask again' });
  await again.waitFor();
  assert.ok(lost >= 2, 'the client asks again by itself first');
  // To go through a field changes no order, so it stays the same basket.
  await strategy
    .getByLabel(/^Price of leg/)
    .first()
    .focus();
  await page.keyboard.press('Tab');
  await page.unroute('**/V1/basketOrder');
  await again.click();
  await strategy.getByRole('button', { name: 'Place again' }).waitFor();
  assert.equal((await user.call<Row[]>('orderBook')).length, 2);
});

story('14: every template is built, and a leg that would be refused says so in words', async (told) => {
  const user = await told.user({ rupees: '50000.00' });
  const page = await optionsDesk(told, user);
  const strategy = strategyOf(page);
  const names = await strategy.getByLabel('Template').locator('option').allInnerTexts();
  assert.ok(names.length >= 9);
  for (const name of names) {
    await strategy.getByLabel('Template').selectOption({ label: name });
    await strategy.getByRole('button', { name: 'Build', exact: true }).click();
    await judged(page);
    await strategy.getByRole('slider').waitFor();
  }
  await strategy.getByLabel('Template').selectOption('short-straddle');
  await strategy.getByRole('button', { name: 'Build', exact: true }).click();
  await strategy
    .getByText(/Would be refused: RED:Margin Shortfall/)
    .first()
    .waitFor();
  await strategy.getByText(/legs? would be refused/).waitFor();
});
