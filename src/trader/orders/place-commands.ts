/** `sauda buy`, `sauda sell` and `sauda margin`: orders that are placed, and those that are only measured. */
import { Argument, type Command } from 'commander';
import type { Side } from '../../../client/src/generated/operations.ts';
import type { NewOrder } from '../../../client/src/orders.ts';
import type { Sauda } from '../../../client/src/sauda.ts';
import type { OrderRow } from '../../../client/src/wire.ts';
import { CommandFailed, EXIT_FAILED } from '../../os/command-failed.ts';
import { signedIn } from '../session/signed-in.ts';
import { pageOf, printAnswer, type TraderParts } from '../trader-parts.ts';
import { filledOf, stateText } from './order-text.ts';
import { ORDER_ARGUMENTS, type OrderFlags, type OrderWords, orderOf, withOrderFlags } from './order-words.ts';
import { previewOf, previewText } from './preview.ts';

interface PlaceFlags extends OrderFlags {
  readonly preview?: true;
  readonly json?: true;
}

const SIDES = { buy: 'B', sell: 'S' } as const;
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
  return signedIn(parts, async (sauda) => {
    const { order } = await orderOf(sauda, side, words, flags);
    const rows = await placed(sauda, order);
    const failed = rows.filter(isFailed);
    const done = rows.filter((row) => !isFailed(row));
    if (flags.json) printAnswer(parts, flags, rows, () => '');
    else if (done.length > 0) parts.print(done.map(stateText).join('\n'));
    if (failed.length > 0) throw new CommandFailed(failed.map(stateText).join('\n'), EXIT_FAILED);
  });
}

/** The order, or the slices that it became, as the exchange has taken or refused them. */
async function placed(sauda: Sauda, order: NewOrder): Promise<readonly OrderRow[]> {
  const { slices } = await sauda.orders.place(order);
  const numbers = new Set<string>(slices.map(({ orderNumber }) => orderNumber));
  for (let looks = 1; ; looks += 1) {
    const rows = (await sauda.orders.list()).filter(({ orderNumber }) => numbers.has(orderNumber));
    if (looks === MOST_LOOKS || rows.every(({ status }) => status !== 'PENDING')) return rows;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Refused, or cancelled before any of it traded, as an immediate order that meets nobody. */
function isFailed(row: OrderRow): boolean {
  return row.status === 'REJECTED' || (row.status === 'CANCELED' && filledOf(row) === 0);
}
