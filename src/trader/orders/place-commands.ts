/** `sauda buy`, `sauda sell` and `sauda margin`: orders that are placed, and those that are only measured. */
import { Argument, type Command } from 'commander';
import type { Side } from '../../../client/src/generated/operations.ts';
import { pause } from '../../../client/src/transport.ts';
import type { OrderRow } from '../../../client/src/wire.ts';
import { CommandFailed, EXIT_FAILED } from '../../os/command-failed.ts';
import { lookAfter } from '../session/look-after.ts';
import { signedIn } from '../session/signed-in.ts';
import { pageOf, printAnswer, type TraderParts } from '../trader-parts.ts';
import { filledOf, SIDES, stateText, termsText } from './order-text.ts';
import { ORDER_ARGUMENTS, type OrderFlags, type OrderWords, orderOf, withOrderFlags } from './order-words.ts';
import { previewOf, previewText } from './preview.ts';

interface PlaceFlags extends OrderFlags {
  readonly preview?: true;
  readonly json?: true;
}

/** An order that is on its way to the exchange is looked at again after this time, in ms, at most this often. */
const LOOK_MS = 50;
const MOST_LOOKS = 40;

/** Adds the commands that place an order or ask for its margin. */
export function addPlaceCommands(program: Command, parts: TraderParts): void {
  for (const [name, side] of Object.entries(SIDES)) {
    const command = program
      .command(`${name} ${ORDER_ARGUMENTS}`)
      .description(`${name} at market or at a limit: sauda ${name} NSE:ITC-EQ 10 @ 425.50`);
    withOrderFlags(command)
      .option('--preview', 'print margin and charges and place nothing')
      .option('--json', 'the order rows, or the preview, as JSON')
      .action((instrument: string, quantity: string, price: readonly string[], flags: PlaceFlags) => {
        const words = { instrument, quantity, price };
        return flags.preview ? preview(parts, side, words, flags) : place(parts, side, words, flags);
      });
  }
  const margin = program
    .command('margin')
    .description('print margin and charges of an order: sauda margin buy NSE:ITC-EQ 10 @ 425.50')
    .addArgument(new Argument('<side>', 'buy or sell').choices(Object.keys(SIDES)))
    .arguments(ORDER_ARGUMENTS);
  withOrderFlags(margin)
    .option('--json', 'as an object in JSON')
    .action(
      (side: keyof typeof SIDES, instrument: string, quantity: string, price: readonly string[], flags: PlaceFlags) =>
        preview(parts, SIDES[side], { instrument, quantity, price }, flags),
    );
}

function preview(parts: TraderParts, side: Side, words: OrderWords, flags: PlaceFlags): Promise<void> {
  return signedIn(parts, async (sauda) => {
    const { order } = await orderOf(sauda, side, words, flags);
    const found = await previewOf(sauda, order);
    printAnswer(parts, flags, found, () => previewText(found, pageOf(parts).paint));
  });
}

function place(parts: TraderParts, side: Side, words: OrderWords, flags: PlaceFlags): Promise<void> {
  return signedIn(parts, async (sauda, session) => {
    const { order } = await orderOf(sauda, side, words, flags);
    const { slices } = await sauda.orders.place(order);
    const numbers = slices.map(({ orderNumber }) => orderNumber);
    const rows = await rowsOf(numbers, () => lookAfter(parts, session, () => sauda.orders.list()));
    const failed = rows.filter(isFailed);
    const done = rows.filter((row) => !isFailed(row)).map(stateText);
    // Those that the book of the next day has no longer, and all where the book could not be read.
    const unseen = slices.filter(({ orderNumber }) => !rows.some((row) => row.orderNumber === orderNumber));
    const taken = unseen.map(({ orderNumber, quantity = order.quantity }) => {
      return `order ${orderNumber} is taken in: ${termsText({ ...order, quantity })}`;
    });
    const lines = [...done, ...taken];
    const numbered = unseen.map(({ orderNumber }) => ({ orderNumber }));
    if (flags.json) printAnswer(parts, flags, [...rows, ...numbered], () => '');
    else if (lines.length > 0) parts.print(lines.join('\n'));
    if (failed.length > 0) throw new CommandFailed(failed.map(failureText).join('\n'), EXIT_FAILED);
  });
}

/**
 * The rows of an order, or of the slices that it became, as the exchange has taken or refused them. A look that gives
 * nothing is the last one: the rows before it stand.
 */
async function rowsOf(
  numbers: readonly string[],
  look: () => Promise<readonly OrderRow[] | undefined>,
): Promise<readonly OrderRow[]> {
  let rows: readonly OrderRow[] = [];
  for (let looks = 1; ; looks += 1) {
    const book = await look();
    if (book === undefined) return rows;
    rows = book.filter(({ orderNumber }) => numbers.includes(orderNumber));
    if (looks === MOST_LOOKS || rows.every(({ status }) => status !== 'PENDING')) return rows;
    await pause(LOOK_MS, undefined);
  }
}

/** The reason is of the exchange and has few figures: the order's explanation has the lot, the tick or what is held. */
function failureText(row: OrderRow): string {
  const text = stateText(row);
  return row.status === 'REJECTED' ? `${text}; see sauda why ${row.orderNumber}` : text;
}

/** Refused, or cancelled before any of it traded, as an immediate order that meets nobody. */
function isFailed(row: OrderRow): boolean {
  return row.status === 'REJECTED' || (row.status === 'CANCELED' && filledOf(row) === 0);
}
