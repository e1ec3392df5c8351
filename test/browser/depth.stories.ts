/** The depth: levels, totals, the figures of the day, and the way to the ticket. */
import assert from 'node:assert/strict';
import { priceField } from './kit/desk.ts';
import { plainFigure, until } from './kit/figures.ts';
import { story } from './kit/story.ts';

story('the depth shows what the service quotes: levels, totals, circuits and the figures of the day', async (told) => {
  const user = await told.user();
  await user.call('saveWatchlist', { name: 'L', instruments: [{ exchange: 'NSE', tradingSymbol: 'ITC-EQ' }] });
  const page = await told.desk(user);
  await page.getByRole('tab', { name: 'Depth', exact: true }).click();
  const panel = page.getByRole('tabpanel', { name: 'Depth' });
  const named = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' };
  const circuits = await user.call<Readonly<Record<string, string>>>('getInstrument', named);
  await until(
    async () => {
      const [quote = {}] = await user.call<readonly Readonly<Record<string, string>>[]>('getMultiQuotes', {
        data: [named],
      });
      const text = plainFigure(await panel.innerText());
      const names = ['bestBuyPrice1', 'bestBuyQuantity1', 'bestSellPrice5', 'totalBuyQuantity', 'totalSellQuantity'];
      const wanted = [...names, 'dayOpenPrice', 'dayHighPrice', 'dayLowPrice', 'dayClosePrice', 'VWAP', 'volume'];
      return [...wanted.map((name) => quote[name]), circuits.upperCircuit, circuits.lowerCircuit].filter(
        (figure) => figure === undefined || !text.includes(figure),
      );
    },
    (missing) => missing.length === 0,
    'the figures that the panel lacks',
  );
  assert.equal(await panel.getByRole('table', { name: 'Bids' }).getByRole('row').count(), 6);
});

story('a click on a level fills the ticket with its price, to sell to a bid and to buy from an ask', async (told) => {
  const user = await told.user();
  await user.call('saveWatchlist', { name: 'L', instruments: [{ exchange: 'NSE', tradingSymbol: 'ITC-EQ' }] });
  const page = await told.desk(user);
  await page.getByRole('tab', { name: 'Depth', exact: true }).click();
  const ask = page.getByRole('table', { name: 'Asks' }).getByRole('button').nth(2);
  const price = plainFigure(await ask.innerText());
  await ask.click();
  const field = priceField(page);
  await until(
    () => field.inputValue(),
    (value) => Math.abs(Number(plainFigure(value)) - Number(price)) < 1,
    'the price',
  );
  // Another level changes the price alone: the quantity that was typed stays.
  const quantity = page.locator('.ticket-form input').first();
  await quantity.fill('50');
  const other = page.getByRole('table', { name: 'Bids' }).getByRole('button').nth(4);
  const otherPrice = plainFigure(await other.innerText());
  await other.click();
  await until(
    () => field.inputValue(),
    (value) => Math.abs(Number(plainFigure(value)) - Number(otherPrice)) < 1,
    'the other price',
  );
  assert.equal(await quantity.inputValue(), '50');
});

story('an option has its open interest, and an index no orders', async (told) => {
  const user = await told.user();
  const instruments = [{ exchange: 'NSE', tradingSymbol: 'NIFTY' }];
  await user.call('saveWatchlist', { name: 'L', instruments });
  const { expiryDates } = await user.call<{ expiryDates: readonly string[] }>('getExpiry', instruments[0]);
  const [chain] = await user.call<readonly { tradingSymbol: string; exchange: string }[]>('optionChain', {
    exchange: 'NFO',
    symbol: 'NIFTY',
    expiry: expiryDates[0],
    count: '1',
    strikePrice: '24000',
  });
  assert.ok(chain);
  await user.call('saveWatchlist', {
    name: 'L',
    instruments: [...instruments, chain].map(({ exchange, tradingSymbol }) => ({ exchange, tradingSymbol })),
  });
  const page = await told.desk(user);
  await page.getByRole('tab', { name: 'Depth', exact: true }).click();
  const rows = page.getByRole('grid', { name: 'Watchlist' }).locator('.table-row');
  await rows.nth(0).click();
  await page.getByText('An index has no orders.').waitFor();
  await rows.nth(1).click();
  const panel = page.getByRole('tabpanel', { name: 'Depth' });
  await panel.getByText('Open interest').waitFor();
  await panel.getByRole('table', { name: 'Bids' }).waitFor();
});
