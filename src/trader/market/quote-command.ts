/** `sauda quote`: one instrument with its depth, or several as a table. */
import type { Command } from 'commander';
import type { QuoteRow } from '../../../client/src/wire.ts';
import { withoutControls } from '../../base/printable.ts';
import { signedIn } from '../session/signed-in.ts';
import { blankZero, grouped, signed, toneOf } from '../text/amounts.ts';
import type { Paint } from '../text/paint.ts';
import { type Cell, type Column, type Page, pairs, table } from '../text/table.ts';
import { pageOf, printAnswer, type TraderParts } from '../trader-parts.ts';
import { changeOf } from './change.ts';
import { instrumentsOf, nameOf } from './instrument.ts';

const COLUMNS: readonly Column[] = [
  { title: 'instrument' },
  { title: 'last', isNumber: true },
  { title: 'change', isNumber: true, rank: 1 },
  { title: '%', isNumber: true },
  { title: 'bid', isNumber: true, rank: 2 },
  { title: 'ask', isNumber: true, rank: 2 },
  { title: 'open', isNumber: true, rank: 4 },
  { title: 'high', isNumber: true, rank: 4 },
  { title: 'low', isNumber: true, rank: 4 },
  { title: 'close', isNumber: true, rank: 5 },
  { title: 'volume', isNumber: true, rank: 3 },
];
const LEVELS = [1, 2, 3, 4, 5] as const;
/** The room between the two sides of the depth. */
const SIDE_GAP = '   ';

/** Adds `quote`. */
export function addQuoteCommand(program: Command, parts: TraderParts): void {
  program
    .command('quote <instrument...>')
    .description('print the quote of an instrument with its depth, or of several as a table')
    .option('--json', 'as an array in JSON')
    .action((instruments: readonly string[], flags: { json?: true }) => {
      return signedIn(parts, async (sauda) => {
        const rows = await sauda.market.quotes(await instrumentsOf(sauda, instruments));
        const page = pageOf(parts);
        printAnswer(parts, flags, rows, () => quotesText(rows, page));
      });
    });
}

function quotesText(rows: readonly QuoteRow[], page: Page & { readonly paint: Paint }): string {
  const [only] = rows;
  return rows.length === 1 && only !== undefined ? cardOf(only, page.paint) : table(COLUMNS, rows.map(cellsOf), page);
}

function cellsOf(row: QuoteRow): readonly Cell[] {
  const { change, percent } = changeOf(row);
  const tone = toneOf(change);
  return [
    nameOf(row),
    { text: grouped(row.lastTradedPrice), tone },
    { text: signed(change), tone },
    { text: signed(percent), tone },
    price(row.bestBuyPrice1),
    price(row.bestSellPrice1),
    price(row.dayOpenPrice),
    price(row.dayHighPrice),
    price(row.dayLowPrice),
    price(row.dayClosePrice),
    grouped(row.volume),
  ];
}

/** A price, or nothing for one that there is not: an index has no bids, a contract without trades no open. */
function price(text: string | undefined): string {
  return text === undefined || text === '0.00' ? '-' : grouped(text);
}

function cardOf(row: QuoteRow, paint: Paint): string {
  const { change, percent } = changeOf(row);
  const tone = toneOf(change);
  const last = `${grouped(row.lastTradedPrice)}  ${signed(change)} (${signed(percent)} %)`;
  const head = `${paint(nameOf(row), 'strong')}  ${withoutControls(row.companyName)}  ${paint(last, tone)}`;
  const facts = pairs(
    [
      ['open', price(row.dayOpenPrice)],
      ['high', price(row.dayHighPrice)],
      ['low', price(row.dayLowPrice)],
      ['previous close', price(row.dayClosePrice)],
      ['average', price(row.VWAP)],
      ['volume', grouped(row.volume)],
      ...(row.oi === '0' ? [] : [['open interest', grouped(row.oi)] as const]),
      ['lot', grouped(row.lotSize)],
      ['time', row.requestTime],
    ],
    paint,
  );
  return [head, facts, depthOf(row, paint)].filter((part) => part !== '').join('\n');
}

/** The five levels of both sides, bids on the left; nothing where nobody bids or asks. */
function depthOf(row: QuoteRow, paint: Paint): string {
  const levels = LEVELS.map((level) => [
    row[`bestBuyOrder${level}`],
    row[`bestBuyQuantity${level}`],
    row[`bestBuyPrice${level}`],
    row[`bestSellPrice${level}`],
    row[`bestSellQuantity${level}`],
    row[`bestSellOrder${level}`],
  ]);
  if (levels.every(([, buy, , , sell]) => buy === '0' && sell === '0')) return '';
  const titles = ['orders', 'quantity', 'bid', 'ask', 'quantity', 'orders'];
  const totals = ['', row.totalBuyQuantity, '', '', row.totalSellQuantity, ''];
  const lines = [...levels, totals].map((cells) => cells.map(blankZero));
  const widths = titles.map((title, at) => Math.max(title.length, ...lines.map((cells) => cells[at]?.length ?? 0)));
  const lineOf = (cells: readonly string[], tones: boolean): string => {
    const padded = cells.map((cell, at) => cell.padStart(widths[at] ?? 0));
    const side = (from: number, tone: 'up' | 'down'): string => {
      const text = padded.slice(from, from + 3).join('  ');
      return tones ? paint(text, tone) : text;
    };
    return `  ${side(0, 'up')}${SIDE_GAP}${side(3, 'down')}`.trimEnd();
  };
  const head = paint(lineOf(titles, false), 'faint');
  const [total = []] = lines.slice(-1);
  return [
    '',
    head,
    ...lines.slice(0, -1).map((cells) => lineOf(cells, true)),
    paint(lineOf(total, false), 'faint'),
  ].join('\n');
}
