/**
 * Orders as traders type them: `buy NSE:ITC-EQ 10 @ 425.50`. The words become the fields of the wire here; whether the
 * order is taken is for the service to say.
 */
import { type Command, Option } from 'commander';
import type { PriceType, Product, Side } from '../../../client/src/generated/operations.ts';
import type { NewOrder } from '../../../client/src/orders.ts';
import type { Sauda } from '../../../client/src/sauda.ts';
import type { SecurityInfo } from '../../../client/src/wire.ts';
import { parsePrice, parseQuantity } from '../../base/decimal.ts';
import { CommandFailed, EXIT_USAGE } from '../../os/command-failed.ts';
import { instrumentOf } from '../market/instrument.ts';

/** The flags of an order. */
export interface OrderFlags {
  readonly limit?: string;
  readonly stop?: string;
  readonly product?: Product;
  readonly lots?: true;
  readonly ioc?: true;
  readonly remarks?: string;
}

/** Words of an order, after its side. */
export interface OrderWords {
  readonly instrument: string;
  readonly quantity: string;
  /** Nothing, or `@` and a price. */
  readonly price: readonly string[];
}

/** The instrument, the quantity and the price, as every command that names an order takes them. */
export const ORDER_ARGUMENTS = '<instrument> <quantity> [price...]';

/** Adds the flags of an order. */
export function withOrderFlags(command: Command): Command {
  return withProductFlags(command)
    .option('--stop <price>', 'the trigger: the order waits until the last price comes to it')
    .option('--ioc', 'cancel the part that does not trade at once');
}

/** Adds the flags that orders of every kind have. */
export function withProductFlags(command: Command): Command {
  return command
    .option('--limit <price>', 'the limit, as after @; the market price when both are left out')
    .addOption(
      new Option('--product <product>', 'C delivery, M carried margin, I intraday; C, and M for contracts').choices([
        'C',
        'M',
        'I',
      ]),
    )
    .option('--lots', 'the quantity counts lots, not units')
    .option('--remarks <text>', 'text that the order books keep with the order');
}

/** The order that the words ask for, and its instrument. Throws `CommandFailed` for words that are not an order. */
export async function orderOf(
  sauda: Sauda,
  side: Side,
  words: OrderWords,
  flags: OrderFlags,
): Promise<{ readonly order: NewOrder; readonly info: SecurityInfo }> {
  const units = typedQuantity(words.quantity);
  const limit = limitOf(words.price, flags.limit);
  const stop = flags.stop === undefined ? undefined : typedPrice('--stop', flags.stop);
  const info = await instrumentOf(sauda, words.instrument);
  const order: NewOrder = {
    exchange: info.exchange,
    tradingSymbol: info.tradingSymbol,
    transactionType: side,
    quantity: String(flags.lots ? units * Number(info.lotSize) : units),
    product: flags.product ?? usualProduct(info),
    priceType: priceTypeOf(limit, stop),
    price: limit ?? '0',
    retention: flags.ioc ? 'IOC' : 'DAY',
    remarks: flags.remarks ?? '',
    ...(stop === undefined ? {} : { triggerPrice: stop }),
  };
  return { order, info };
}

/** A whole number above 0. */
export function typedQuantity(text: string): number {
  const units = parseQuantity(text);
  if (units !== undefined) return units;
  throw new CommandFailed(`${JSON.stringify(text)} is not a quantity: write a whole number above 0`, EXIT_USAGE);
}

/** The limit after `@` or of `--limit`. Throws `CommandFailed` when both are given. */
export function limitOf(words: readonly string[], flag: string | undefined): string | undefined {
  const typed = pricePart(words);
  if (typed !== undefined && flag !== undefined) throw new CommandFailed('the limit is given twice', EXIT_USAGE);
  const text = typed ?? flag;
  return text === undefined ? undefined : typedPrice('the limit', text);
}

/** A price in rupees above 0. */
export function typedPrice(name: string, text: string): string {
  if ((parsePrice(text) ?? 0) > 0) return text;
  throw new CommandFailed(`${name} is ${JSON.stringify(text)}: write a price such as 425.50`, EXIT_USAGE);
}

/** `@ 425.50`, `@425.50` and `at 425.50`. */
function pricePart(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const text = words.join(' ');
  const price = /^(?:@ ?|at )(\S+)$/i.exec(text)?.[1];
  if (price !== undefined) return price;
  throw new CommandFailed(`${JSON.stringify(text)} is not a price: write @ 425.50`, EXIT_USAGE);
}

export function priceTypeOf(limit: string | undefined, stop: string | undefined): PriceType {
  if (stop !== undefined) return limit === undefined ? 'SL-MKT' : 'SL-LMT';
  return limit === undefined ? 'MKT' : 'LMT';
}

function usualProduct({ segment }: SecurityInfo): Product {
  return segment === 'FNO' ? 'M' : 'C';
}
