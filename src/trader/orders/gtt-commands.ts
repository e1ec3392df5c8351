/** `sauda gtt`: orders that wait for a price over days (GTT), alone or as two of which the first ends the other. */
import { Argument, type Command } from 'commander';
import type { NewGtt } from '../../../client/src/gtt.ts';
import type { NewOrder } from '../../../client/src/orders.ts';
import type { GttRow } from '../../../client/src/wire.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { nameOf } from '../market/instrument.ts';
import { lookAfter } from '../session/look-after.ts';
import { signedIn } from '../session/signed-in.ts';
import { expectNone, failureFor, tried } from '../session/tried.ts';
import { grouped } from '../text/amounts.ts';
import type { Tone } from '../text/paint.ts';
import { numberMeant } from '../text/short-number.ts';
import { type Cell, type Column, table } from '../text/table.ts';
import { pageOf, printAnswer, type TraderParts } from '../trader-parts.ts';
import { limitCell, SIDES, sideCell, termsText } from './order-text.ts';
import { ORDER_ARGUMENTS, type OrderFlags, orderOf, priceTypeOf, typedPrice, withProductFlags } from './order-words.ts';

interface PlaceFlags extends Omit<OrderFlags, 'stop' | 'ioc'> {
  readonly when: string;
  readonly orWhen?: string;
  readonly orLimit?: string;
  readonly json?: true;
}

interface ListFlags {
  readonly all?: true;
  readonly json?: true;
}

/** A number is `YYMMDD`, a 9 and seven digits. */
const COUNT_DIGITS = 7;
const COLUMNS: readonly Column[] = [
  { title: 'GTT' },
  { title: 'instrument' },
  { title: 'when', isNumber: true },
  { title: 'order' },
  { title: 'quantity', isNumber: true },
  { title: 'price', isNumber: true },
  { title: 'product', rank: 4 },
  { title: 'until', rank: 3 },
  { title: 'status' },
  { title: 'placed order', rank: 2 },
  { title: 'reason', rank: 1, isCut: true },
];
const TONES: Readonly<Record<string, Tone>> = { ACTIVE: 'strong', REJECTED: 'down' };

/** Adds the commands on GTTs. */
export function addGttCommands(program: Command, parts: TraderParts): void {
  const gtt = program.command('gtt').description('orders that wait for a price over days (GTT)');
  gtt
    .command('list', { isDefault: true })
    .description('print the GTTs that wait')
    .option('--all', 'with those that have ended')
    .option('--json', 'as an array in JSON')
    .action((flags: ListFlags) => list(parts, flags));
  const place = gtt
    .command('place')
    .description('place an order when the last price comes to a trigger: gtt place sell ITC 10 @ 280 --when 280')
    .addArgument(new Argument('<side>', 'buy or sell').choices(Object.keys(SIDES)))
    .arguments(ORDER_ARGUMENTS)
    .requiredOption('--when <price>', 'the last price at which the order is placed')
    .option('--or-when <price>', 'a second price, on the other side of the last one; the first that comes counts')
    .option('--or-limit <price>', 'the limit of the order at the second price; at market when left out');
  withProductFlags(place)
    .option('--json', 'the GTT as JSON')
    .action(
      (side: keyof typeof SIDES, instrument: string, quantity: string, price: readonly string[], flags: PlaceFlags) =>
        signedIn(parts, async (sauda, session) => {
          const { order } = await orderOf(sauda, SIDES[side], { instrument, quantity, price }, flags);
          const { GTTid } = await sauda.gtt.place(gttOf(order, flags));
          const book = await lookAfter(parts, session, () => sauda.gtt.list());
          const row = book?.find((one) => one.GTTid === GTTid);
          printAnswer(parts, flags, row ?? { GTTid }, () => (row ? placedText(row) : `GTT ${GTTid} is taken in`));
        }),
    );
  gtt
    .command('cancel <gtt...>')
    .description('cancel GTTs by their numbers or the ends of them')
    .action((texts: readonly string[]) => cancel(parts, texts));
}

/** The GTT that waits with an order, and with the same order at a second price where one is named. */
function gttOf(order: NewOrder, { when, orWhen, orLimit }: PlaceFlags): NewGtt {
  if (orLimit !== undefined && orWhen === undefined) throw new CommandFailed('--or-limit needs --or-when', EXIT_USAGE);
  const { exchange, tradingSymbol, transactionType, product, quantity, priceType, price = '0', remarks = '' } = order;
  const named = { exchange, tradingSymbol };
  const OrderParams = {
    ...named,
    transactionType,
    product,
    quantity,
    priceType,
    price,
    retention: 'DAY' as const,
    remarks,
  };
  const first = { ...named, validity: 'GTT' as const, remarks, value: typedPrice('--when', when), OrderParams };
  if (orWhen === undefined) return first;
  const limit = orLimit === undefined ? undefined : typedPrice('--or-limit', orLimit);
  const OrderParams2 = { ...OrderParams, priceType: priceTypeOf(limit, undefined), price: limit ?? '0' };
  return { ...first, value2: typedPrice('--or-when', orWhen), OrderParams2 };
}

/** `GTT 2611230000000001 waits: sell 10 NSE:ITC-EQ at 280.00, product C, when 280.00 is reached from below` */
function placedText(row: GttRow): string {
  const legs = legsOf(row).map(({ order, value, condition }) => {
    return `${termsText(order)}, when the last price ${condition === 'ABOVE' ? 'rises' : 'falls'} to ${grouped(value)}`;
  });
  const state = row.status === 'ACTIVE' ? 'waits' : `is ${row.status.toLowerCase()}`;
  return `GTT ${row.GTTid} ${state}: ${legs.join('; or ')}`;
}

interface Leg {
  readonly value: string;
  readonly condition: 'ABOVE' | 'BELOW';
  readonly order: GttRow['OrderParams'];
}

function legsOf({ value, condition, OrderParams, value2, condition2, OrderParams2 }: GttRow): readonly Leg[] {
  const first = { value, condition, order: OrderParams };
  if (value2 === undefined || condition2 === undefined || OrderParams2 === undefined) return [first];
  return [first, { value: value2, condition: condition2, order: OrderParams2 }];
}

function list(parts: TraderParts, flags: ListFlags): Promise<void> {
  return signedIn(parts, async (sauda) => {
    const all = await sauda.gtt.list();
    const rows = flags.all ? all : all.filter(({ status }) => status === 'ACTIVE' || status === 'TRIGGERED');
    printAnswer(parts, flags, rows, () => {
      if (rows.length === 0) return flags.all ? 'there are no GTTs' : 'no GTT waits';
      return table(COLUMNS, rows.flatMap(linesOf), pageOf(parts));
    });
  });
}

/** A line for each leg; the facts of the whole stand in the first. */
function linesOf(row: GttRow): readonly (readonly Cell[])[] {
  return legsOf(row).map(({ value, condition, order }, index) => {
    const whole: readonly Cell[] = [
      row.validTill.slice(-10),
      { text: row.status.toLowerCase(), tone: TONES[row.status] },
      row.orderNumber,
      row.reason,
    ];
    return [
      index === 0 ? row.GTTid : '  or',
      index === 0 ? nameOf(row) : '',
      `${condition === 'ABOVE' ? '>=' : '<='} ${grouped(value)}`,
      sideCell(order.transactionType),
      grouped(order.quantity),
      limitCell(order),
      order.product,
      ...(index === 0 ? whole : []),
    ];
  });
}

function cancel(parts: TraderParts, texts: readonly string[]): Promise<void> {
  return signedIn(parts, async (sauda, session) => {
    const rows = await sauda.gtt.list();
    const failures: CommandFailed[] = [];
    for (const id of new Set(texts.map((text) => idNamed(rows, text)))) {
      const answer = await tried(session, () => sauda.gtt.cancel(id));
      if (answer instanceof CommandFailed) failures.push(failureFor(`GTT ${id}`, answer));
      else parts.print(`GTT ${id} is cancelled`);
    }
    expectNone(failures);
  });
}

/** The number of a GTT of the book that ends with the digits. */
function idNamed(rows: readonly GttRow[], text: string): string {
  const ids = rows.map(({ GTTid }) => GTTid);
  const found = numberMeant(ids, text, COUNT_DIGITS);
  if (found === undefined) throw new CommandFailed(`${JSON.stringify(text)} is not a GTT: see sauda gtt`, EXIT_USAGE);
  if (found === 'none') throw new CommandFailed(`no GTT ends with ${text}: see sauda gtt list --all`, EXIT_FAILED);
  if (found === 'several') throw new CommandFailed(`several GTTs end with ${text}: see sauda gtt`, EXIT_FAILED);
  return found;
}
