import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { chooseListed, panel } from './kit/desk.ts';
import { plainFigure, until } from './kit/figures.ts';
import { gone } from './kit/gone.ts';
import { story } from './kit/story.ts';
import type { StoryUser } from './kit/story-service.ts';

const SHARE = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' };
const BOUGHT = 50;
/** Ticks below the best bid: near enough for the depth to show all that is in front. */
const BELOW = 3;
const TICK_PAISE = 5;
/** A row that is shown takes a click in this time; a market that has moved has other rows. */
const LOOK_MS = 2_000;
const MOST_LOOKS = 8;
/** The market may fill an order before the other user does, or come down so far that nothing stands in front of it. */
const MOST_ORDERS = 15;

interface Trade {
  readonly fillId: string;
  readonly fillQuantity: string;
}

/** The best bid that the depth of a page shows, in paise. */
async function bestBid(page: Page): Promise<number> {
  const price = panel(page, 'Depth').getByRole('table', { name: 'Bids' }).getByRole('button').first();
  return Math.round(Number(plainFigure(await price.innerText())) * 100);
}

/** The units that the depth of a page shows at better bids than a price in paise. */
async function unitsAbove(page: Page, paise: number): Promise<number> {
  const rows = panel(page, 'Depth').getByRole('table', { name: 'Bids' }).getByRole('row');
  const cells = (await rows.allInnerTexts()).map((text) => plainFigure(text).split(/\s+/));
  const better = cells.filter(([price]) => Math.round(Number(price) * 100) > paise);
  return better.reduce((sum, [, , units]) => sum + Number(units), 0);
}

/** Sells at a price or better, and takes back what does not trade at once. */
async function sellAtOnce(page: Page, units: number, price: string): Promise<void> {
  await page.keyboard.press('s');
  const ticket = panel(page, 'Ticket');
  await ticket.getByRole('radio', { name: 'IOC' }).click();
  await ticket.getByRole('textbox', { name: 'Quantity' }).fill(String(units));
  const field = ticket.getByRole('textbox', { name: /^Price/ });
  await field.fill(price);
  await field.press('Enter');
  await gone(field);
}

/**
 * The units in front of the buyer's order, once the ladder shows what the service holds; undefined when no order rests.
 * Both move while they are read.
 */
async function placeOf(buyer: StoryUser, ladder: Locator): Promise<number | undefined> {
  const { held } = await until(
    async () => {
      const [text = ''] = await ladder.locator('.ladder-own .ahead').allInnerTexts();
      const shown = /#([\d,]+)/.exec(text)?.[1]?.replaceAll(',', '');
      return { held: await placeHeld(buyer), shown: shown === undefined ? undefined : Number(shown) };
    },
    ({ held, shown }) => held === undefined || held === shown,
    'the ladder shows the place that the service holds',
  );
  return held;
}

/**
 * Buys by a click in the ladder, below the market, and sells from the other page until units in front have traded, then
 * until the order is filled. Gives the places that the ladder showed. The market may come down and fill it at once.
 */
async function queueFor(buyer: StoryUser, buying: Page, selling: Page): Promise<readonly number[]> {
  const ladder = panel(buying, 'Ladder');
  const before = await ordersOf(buyer);
  const paise = await buyBelow(ladder, selling);
  const price = (paise / 100).toFixed(2);
  await until(
    () => ordersOf(buyer),
    (count) => count > before,
    'the order that was clicked',
  );
  const places: number[] = [];
  for (let sales = 0; sales < 10; sales += 1) {
    const now = await placeOf(buyer, ladder);
    if (now === undefined) break;
    places.push(now);
    if (now === 0 || fell(places)) break;
    // Nothing may stand in front by now, and an order of no units is refused.
    const inFront = (await unitsAbove(selling, paise)) + Math.ceil(now / 2);
    await sellAtOnce(selling, Math.max(1, inFront), price);
  }
  await sellAtOnce(selling, 20_000, price);
  await gone(ladder.locator('.ladder-own .ahead'));
  return places;
}

/** Buys by a click some ticks below the best bid; looks again while the market has left that row. Gives the price. */
async function buyBelow(ladder: Locator, selling: Page): Promise<number> {
  for (let looks = 1; ; looks += 1) {
    const paise = (await bestBid(selling)) - BELOW * TICK_PAISE;
    await ladder.getByRole('button', { name: 'Centre' }).click();
    const row = ladder.getByRole('gridcell', { name: `Buy at ${(paise / 100).toFixed(2)}` });
    try {
      await row.click({ timeout: LOOK_MS });
      return paise;
    } catch (error) {
      if (looks === MOST_LOOKS) throw error;
    }
  }
}

/** True when the last place shown is nearer than the first. */
function fell(places: readonly number[]): boolean {
  return (places.at(-1) ?? 0) < (places[0] ?? 0);
}

async function ordersOf(buyer: StoryUser): Promise<number> {
  return (await buyer.call<readonly object[]>('orderBook')).length;
}

/** The units in front of the buyer's order, as the service holds them; undefined when none rests. */
async function placeHeld(buyer: StoryUser): Promise<number | undefined> {
  const [row] = await buyer.call<{ ahead: string }[]>('getQueuePlaces', SHARE);
  return row === undefined ? undefined : Number(row.ahead);
}

story('two users trade with each other, and the place in the queue falls as units trade', async (told) => {
  const [buyer, seller] = [await told.user(), await told.user({ shares: { 'ITC-EQ': 400_000 } })];
  const [buying, selling] = [await told.desk(buyer), await told.desk(seller)];
  for (const page of [buying, selling]) await chooseListed(page);
  await buying.getByRole('tab', { name: 'Ladder' }).click();
  await panel(buying, 'Ladder').getByRole('button', { name: 'Arm' }).click();
  await panel(buying, 'Ladder').getByRole('spinbutton', { name: 'Quantity' }).fill(String(BOUGHT));
  // Intraday orders are refused in the last minutes of a day.
  await panel(buying, 'Ladder').getByRole('combobox', { name: 'Product' }).selectOption('Delivery');
  let orders = 0;
  let places: readonly number[] = [];
  while (!fell(places) && orders < MOST_ORDERS) {
    orders += 1;
    places = await queueFor(buyer, buying, selling);
  }
  console.log(`places in the queue: ${places.join(', ')}, then filled`);
  assert.ok(fell(places), places.join());
  assert.deepEqual(
    places,
    places.toSorted((a, b) => b - a),
    'a place never gets worse',
  );
  const [bought, sold] = [await buyer.call<Trade[]>('tradeBook'), await seller.call<Trade[]>('tradeBook')];
  assert.equal(
    bought.reduce((sum, { fillQuantity }) => sum + Number(fillQuantity), 0),
    BOUGHT * orders,
  );
  const both = bought.filter(({ fillId }) => sold.some((sale) => sale.fillId === fillId));
  assert.ok(both.length > 0, `${JSON.stringify(bought)} is none of ${JSON.stringify(sold)}`);
});
