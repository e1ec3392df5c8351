/** `sauda orders` and `sauda trades`: the books of the day. */
import type { Command } from 'commander';
import { wireTime } from '../../../client/src/times.ts';
import type { OrderRow, OrderStep, TradeRow } from '../../../client/src/wire.ts';
import { withoutControls } from '../../base/printable.ts';
import { nameOf } from '../market/instrument.ts';
import { orderNamed } from '../orders/order-number.ts';
import { limitCell, sideCell, worthOf } from '../orders/order-text.ts';
import { signedIn } from '../session/signed-in.ts';
import { grouped, rupeesOf } from '../text/amounts.ts';
import type { Tone } from '../text/paint.ts';
import { type Cell, type Column, table } from '../text/table.ts';
import { pageOf, printAnswer, type TraderParts } from '../trader-parts.ts';

interface BookFlags {
  readonly open?: true;
  readonly json?: true;
}

const ORDERS: readonly Column[] = [
  { title: 'time', rank: 3 },
  { title: 'order' },
  { title: 'side' },
  { title: 'instrument' },
  { title: 'quantity', isNumber: true },
  { title: 'filled', isNumber: true },
  { title: 'price', isNumber: true },
  { title: 'trigger', isNumber: true, rank: 4 },
  { title: 'average', isNumber: true, rank: 2 },
  { title: 'product', rank: 5 },
  { title: 'status' },
  { title: 'reason', rank: 1, isCut: true },
];
const STEPS: readonly Column[] = [
  { title: 'time' },
  { title: 'step' },
  { title: 'status' },
  { title: 'quantity', isNumber: true },
  { title: 'filled', isNumber: true },
  { title: 'price', isNumber: true },
  { title: 'average', isNumber: true, rank: 2 },
];
const TRADES: readonly Column[] = [
  { title: 'time' },
  { title: 'order', rank: 2 },
  { title: 'side' },
  { title: 'instrument' },
  { title: 'quantity', isNumber: true },
  { title: 'price', isNumber: true },
  { title: 'value', isNumber: true },
  { title: 'product', rank: 3 },
  { title: 'trade', rank: 4 },
];
const STILL_OPEN: ReadonlySet<string> = new Set(['PENDING', 'OPEN', 'TRIGGER_PENDING', 'AMO OPEN', 'AMO MODIFIED']);

/** Adds the commands that print the order book and the trade book. */
export function addBookCommands(program: Command, parts: TraderParts): void {
  program
    .command('orders [order]')
    .description("print today's orders, oldest first, or the steps of one")
    .option('--open', 'those alone that can still trade')
    .option('--json', 'as an array in JSON')
    .action((order: string | undefined, flags: BookFlags) => {
      return order === undefined ? printOrders(parts, flags) : printSteps(parts, order, flags);
    });
  program
    .command('trades')
    .description("print today's trades, oldest first")
    .option('--json', 'as an array in JSON')
    .action((flags: BookFlags) => {
      return signedIn(parts, async (sauda) => {
        const rows = await sauda.trades();
        const text = (): string => table(TRADES, rows.map(tradeCells), pageOf(parts));
        printAnswer(parts, flags, rows, () => (rows.length === 0 ? 'there are no trades today' : text()));
      });
    });
}

function printOrders(parts: TraderParts, flags: BookFlags): Promise<void> {
  return signedIn(parts, async (sauda) => {
    const all = await sauda.orders.list();
    const rows = flags.open ? all.filter(({ status }) => STILL_OPEN.has(status)) : all;
    printAnswer(parts, flags, rows, () => ordersText(rows, pageOf(parts), flags));
  });
}

function ordersText(rows: readonly OrderRow[], page: ReturnType<typeof pageOf>, { open }: BookFlags): string {
  if (rows.length === 0) return open ? 'there are no open orders' : 'there are no orders today';
  return table(ORDERS, rows.map(orderCells), page);
}

function orderCells(row: OrderRow): readonly Cell[] {
  const { priceType, triggerPrice, averagePrice, fillShares, status } = row;
  return [
    wireTime(new Date(Number(row.orderTime) * 1000)).slice(0, 8),
    row.orderNumber,
    sideCell(row.transactionType),
    nameOf(row),
    grouped(row.quantity),
    fillShares === '' ? '' : grouped(fillShares),
    limitCell(row),
    priceType.startsWith('SL') ? grouped(triggerPrice) : '',
    averagePrice === '0.00' ? '' : grouped(averagePrice),
    row.product,
    { text: statusText(status), tone: STATUS_TONES[status] },
    row.rejectReason.trim(),
  ];
}

const STATUS_TONES: Readonly<Record<string, Tone>> = { REJECTED: 'down', OPEN: 'strong', TRIGGER_PENDING: 'strong' };

/** The word of the wire is CANCELED; everything else here says cancelled. */
function statusText(status: string): string {
  return status.toLowerCase().replaceAll('_', ' ').replace('canceled', 'cancelled');
}

function printSteps(parts: TraderParts, text: string, flags: BookFlags): Promise<void> {
  return signedIn(parts, async (sauda) => {
    const rows = await sauda.orders.history(await orderNamed(sauda, text));
    printAnswer(parts, flags, rows, () => stepsText(rows.toReversed(), pageOf(parts)));
  });
}

/** The steps, and below them the reasons of refusals in full length. */
function stepsText(steps: readonly OrderStep[], page: ReturnType<typeof pageOf>): string {
  const reasons = new Set(steps.map(({ rejectReason }) => rejectReason.trim()).filter((reason) => reason !== ''));
  return [table(STEPS, steps.map(stepCells), page), ...[...reasons].map(withoutControls)].join('\n');
}

function stepCells(step: OrderStep): readonly Cell[] {
  const { orderTime, reportType, status, quantity, fillShares, averagePrice } = step;
  return [
    orderTime.slice(0, 8),
    statusText(reportType),
    statusText(status),
    grouped(quantity),
    grouped(fillShares),
    limitCell(step),
    averagePrice === '0.00' ? '' : grouped(averagePrice),
  ];
}

function tradeCells(row: TradeRow): readonly Cell[] {
  const price = rupeesOf(row.fillPrice);
  return [
    row.fillTime.slice(-8),
    row.orderNumber,
    sideCell(row.transactionType),
    nameOf(row),
    grouped(row.fillshares),
    grouped(price),
    worthOf(price, row.fillshares),
    row.product,
    row.fillId,
  ];
}
