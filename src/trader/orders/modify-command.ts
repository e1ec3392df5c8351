/** `sauda modify`: new terms for an open order. */
import type { Command } from 'commander';
import type { PriceType } from '../../../client/src/generated/operations.ts';
import type { OrderChange } from '../../../client/src/orders.ts';
import type { OrderRow } from '../../../client/src/wire.ts';
import { withoutControls } from '../../base/printable.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { lookAfter } from '../session/look-after.ts';
import { signedIn } from '../session/signed-in.ts';
import { failureFor } from '../session/tried.ts';
import { printAnswer, type TraderParts } from '../trader-parts.ts';
import { orderNamed } from './order-number.ts';
import { stateText } from './order-text.ts';
import { limitOf, typedPrice, typedQuantity } from './order-words.ts';

interface ModifyFlags {
  readonly quantity?: string;
  readonly limit?: string;
  readonly stop?: string;
  readonly market?: true;
  readonly protection: string;
  readonly json?: true;
}

/** Adds `modify`. */
export function addModifyCommand(program: Command, parts: TraderParts): void {
  program
    .command('modify <order> [price...]')
    .description('give an open order new terms; the others stay: sauda modify 7 @ 426')
    .option('--quantity <units>', 'the new quantity, with what has traded')
    .option('--limit <price>', 'the new limit, as after @')
    .option('--stop <price>', 'the new trigger')
    .option('--market', 'from a limit to the market price')
    .option('--protection <percent>', 'how far from the market an order at market may trade', '1')
    .option('--json', 'the order row as JSON')
    .action((order: string, price: readonly string[], flags: ModifyFlags) => modify(parts, order, price, flags));
}

function modify(parts: TraderParts, text: string, words: readonly string[], flags: ModifyFlags): Promise<void> {
  const typed = typedChange(words, flags);
  return signedIn(parts, async (sauda, session) => {
    const orderNumber = await orderNamed(sauda, text);
    const before = rowIn(await sauda.orders.list(), orderNumber);
    if (before === undefined) throw new CommandFailed(`no order of today has the number ${orderNumber}`, EXIT_FAILED);
    const answer = await sauda.orders.modify(before, { ...typed, ...priceTypeOf(before, typed, flags) });
    if (answer.outcome === 'refused') {
      throw failureFor(`order ${orderNumber}`, new CommandFailed(withoutControls(answer.reason), EXIT_FAILED));
    }
    const book = await lookAfter(parts, session, () => sauda.orders.list());
    const row = rowIn(book ?? [], orderNumber);
    printAnswer(parts, flags, row ?? { orderNumber }, () => (row ? stateText(row) : `order ${orderNumber} is changed`));
  });
}

function typedChange(words: readonly string[], flags: ModifyFlags): OrderChange {
  const limit = limitOf(words, flags.limit);
  const { quantity, stop, market } = flags;
  if (limit !== undefined && market) throw new CommandFailed('name a limit, or --market', EXIT_USAGE);
  const change = {
    ...(quantity === undefined ? {} : { quantity: String(typedQuantity(quantity)) }),
    ...(limit === undefined ? {} : { price: limit }),
    ...(stop === undefined ? {} : { triggerPrice: typedPrice('--stop', stop) }),
  };
  if (Object.keys(change).length === 0 && !market) throw new CommandFailed('name what changes', EXIT_USAGE);
  return change;
}

/**
 * The price type that follows from the change, and what it needs: an order stays a stop until it has triggered and is
 * open, also while it waits for a session.
 */
function priceTypeOf(row: OrderRow, change: OrderChange, { market, protection }: ModifyFlags): OrderChange {
  const isStop = row.priceType.startsWith('SL') && row.status !== 'OPEN';
  const isAtMarket = market === true || (row.priceType.endsWith('MKT') && change.price === undefined);
  const priceType: PriceType = isStop ? (isAtMarket ? 'SL-MKT' : 'SL-LMT') : isAtMarket ? 'MKT' : 'LMT';
  return {
    priceType,
    ...(isStop && change.triggerPrice === undefined ? { triggerPrice: row.triggerPrice } : {}),
    ...(isAtMarket ? { price: '0', mkt_protection: protection } : {}),
  };
}

function rowIn(book: readonly OrderRow[], number: string): OrderRow | undefined {
  return book.find(({ orderNumber }) => orderNumber === number);
}
