/** `sauda positions`, `sauda holdings` and `sauda limits`. */
import type { Command } from 'commander';
import { fromPaise, toPaise } from '../../../client/src/money.ts';
import type { Sauda } from '../../../client/src/sauda.ts';
import type { HoldingRow, LimitsRow, PositionRow } from '../../../client/src/wire.ts';
import { shareOf } from '../market/change.ts';
import { nameOf } from '../market/instrument.ts';
import { signedIn } from '../session/signed-in.ts';
import { blankZero, grouped, signed, toneOf } from '../text/amounts.ts';
import type { Paint } from '../text/paint.ts';
import { type Cell, type Column, type Page, pairs, table } from '../text/table.ts';
import { pageOf, printAnswer, type TraderParts } from '../trader-parts.ts';

const POSITIONS: readonly Column[] = [
  { title: 'instrument' },
  { title: 'product' },
  { title: 'net', isNumber: true },
  { title: 'average', isNumber: true },
  { title: 'last', isNumber: true },
  { title: 'bought', isNumber: true, rank: 3 },
  { title: 'sold', isNumber: true, rank: 3 },
  { title: 'realised', isNumber: true, rank: 2 },
  { title: 'open', isNumber: true, rank: 1 },
  { title: 'result', isNumber: true },
];
const HOLDINGS: readonly Column[] = [
  { title: 'instrument' },
  { title: 'units', isNumber: true },
  { title: 'unsettled', isNumber: true, rank: 3 },
  { title: 'pledged', isNumber: true, rank: 3 },
  { title: 'cost', isNumber: true, rank: 1 },
  { title: 'last', isNumber: true },
  { title: 'value', isNumber: true },
  { title: 'result', isNumber: true },
  { title: '%', isNumber: true, rank: 2 },
];
/** The figures of limits, in the order in which they are read. */
const LIMITS: readonly (readonly [field: keyof LimitsRow, name: string])[] = [
  ['availableMargin', 'available'],
  ['marginused', 'used'],
  ['totalMargin', 'total'],
  ['cash', 'cash'],
  ['payin', 'paid in today'],
  ['collateral', 'collateral'],
  ['brkcollamt', 'collateral of the broker'],
  ['span', 'span'],
  ['expo', 'exposure'],
  ['premium', 'premium'],
  ['peak_mar', 'peak of the day'],
];

interface JsonFlag {
  readonly json?: true;
}

/** Adds the commands that print positions, holdings and limits. */
export function addPortfolioCommands(program: Command, parts: TraderParts): void {
  program
    .command('positions')
    .description('print the positions of today and the carried ones, with their results')
    .option('--json', 'as an array in JSON')
    .action((flags: JsonFlag) => {
      return signedIn(parts, async (sauda) => {
        const rows = await sauda.portfolio.positions();
        printAnswer(parts, flags, rows, () => positionsText(rows, pageOf(parts)));
      });
    });
  program
    .command('holdings')
    .description('print the shares held, at cost and at the last price')
    .option('--json', 'as an array in JSON')
    .action((flags: JsonFlag) => {
      return signedIn(parts, async (sauda) => {
        const rows = await sauda.portfolio.holdings();
        const prices = flags.json ? new Map<string, string>() : await lastPrices(sauda, rows);
        printAnswer(parts, flags, rows, () => holdingsText(rows, prices, pageOf(parts)));
      });
    });
  program
    .command('limits')
    .description('print the funds and what of them is in use')
    .option('--json', 'as an object in JSON')
    .action((flags: JsonFlag) => {
      return signedIn(parts, async (sauda) => {
        const row = await sauda.portfolio.limits();
        printAnswer(parts, flags, row, () => limitsText(row, pageOf(parts).paint));
      });
    });
}

/** The table of positions, the sums of the account's result below it. */
export function positionsText(rows: readonly PositionRow[], page: Page): string {
  if (rows.length === 0) return 'there are no positions';
  const cells = rows.map((row) => [
    nameOf(row),
    row.product,
    grouped(row.netQuantity),
    grouped(row.netAveragePrice),
    grouped(row.lastTradedPrice),
    grouped(String(Number(row.dayBuyQuantity) + Number(row.cfBuyQty))),
    grouped(String(Number(row.daySellQuantity) + Number(row.cfSellQty))),
    resultCell(row.RealizedPNL),
    resultCell(row.unrealizedMTOM),
    resultCell(row.totalMTM),
  ]);
  const realised = rows.map((row) => row.RealizedPNL);
  const open = rows.filter((row) => !isSoldHolding(row)).map((row) => row.unrealizedMTOM);
  const sums = [realised, open, [...realised, ...open]].map((amounts) => resultCell(sumOf(amounts)));
  return table(POSITIONS, [...cells, ['all', '', '', '', '', '', '', ...sums]], page);
}

/** The open result of held shares that were sold does not count: their cost is in the holding. */
function isSoldHolding({ product, netQuantity }: PositionRow): boolean {
  return product === 'C' && Number(netQuantity) < 0;
}

function resultCell(amount: string): Cell {
  return { text: signed(amount), tone: toneOf(amount) };
}

function sumOf(amounts: readonly string[]): string {
  return fromPaise(amounts.reduce((sum, amount) => sum + toPaise(amount), 0));
}

/** The last prices of holdings, by the names of their first listings. */
async function lastPrices(sauda: Sauda, rows: readonly HoldingRow[]): Promise<ReadonlyMap<string, string>> {
  const listings = rows.flatMap(({ exchangeTradingSymbol }) => exchangeTradingSymbol.slice(0, 1));
  if (listings.length === 0) return new Map();
  const quotes = await sauda.market.ltp(listings);
  return new Map(quotes.map((quote) => [nameOf(quote), quote.lastTradedPrice]));
}

function holdingsText(
  rows: readonly HoldingRow[],
  prices: ReadonlyMap<string, string>,
  page: ReturnType<typeof pageOf>,
): string {
  if (rows.length === 0) return 'there are no holdings';
  const figures = rows.map((row) => holdingFigures(row, prices));
  const cells = figures.map(({ name, units, row, last, cost, value }) => [
    name,
    grouped(String(units)),
    blankZero(row.BTSTQuantity),
    blankZero(row.brokerCollateralQuantity),
    grouped(row.uploadPrice),
    grouped(last),
    grouped(fromPaise(value)),
    resultCell(fromPaise(value - cost)),
    shareCell(value - cost, cost),
  ]);
  const cost = figures.reduce((sum, row) => sum + row.cost, 0);
  const value = figures.reduce((sum, row) => sum + row.value, 0);
  const all = ['all', '', '', '', '', '', grouped(fromPaise(value)), resultCell(fromPaise(value - cost))];
  return table(HOLDINGS, [...cells, [...all, shareCell(value - cost, cost)]], page);
}

function holdingFigures(row: HoldingRow, prices: ReadonlyMap<string, string>) {
  const [listing] = row.exchangeTradingSymbol;
  const name = listing === undefined ? '' : nameOf(listing);
  const last = prices.get(name) ?? '0.00';
  const units = Number(row.holdQuantity) + Number(row.BTSTQuantity) + Number(row.brokerCollateralQuantity);
  return { name, units, row, last, cost: toPaise(row.uploadPrice) * units, value: toPaise(last) * units };
}

function shareCell(part: number, whole: number): Cell {
  const text = whole === 0 ? '0.00' : shareOf(part, whole);
  return { text: signed(text), tone: toneOf(text) };
}

function limitsText(row: LimitsRow, paint: Paint): string {
  const figures = LIMITS.map(([field, name], index) => {
    return [name, { text: grouped(row[field]), tone: index === 0 ? 'strong' : undefined }] as const;
  });
  return pairs(figures, paint);
}
