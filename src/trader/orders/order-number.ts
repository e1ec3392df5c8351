import { type OrderNumber, orderNumber } from '../../../client/src/order-number.ts';
import type { Sauda } from '../../../client/src/sauda.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { numberMeant } from '../text/short-number.ts';

/** `YYMMDD` and ten digits, or eight in older ones. */
const WHOLE = /^[1-9]\d{13}(\d{2})?$/;
const COUNT_DIGITS = 8;

/**
 * The order that a trader named: by its whole number, or by the end of it, as 7 for the order 2611230000000007 of
 * today. Throws `CommandFailed` when no order of today is meant, or several are.
 */
export async function orderNamed(sauda: Sauda, text: string): Promise<OrderNumber> {
  return numberIn(await todaysNumbers(sauda, [text]), text);
}

/** As `orderNamed`, for several; the order book is read once at most. */
export async function ordersNamed(sauda: Sauda, texts: readonly string[]): Promise<readonly OrderNumber[]> {
  const numbers = await todaysNumbers(sauda, texts);
  return texts.map((text) => numberIn(numbers, text));
}

/** The numbers of today's orders; they are not asked for where every text is a whole number. */
async function todaysNumbers(sauda: Sauda, texts: readonly string[]): Promise<readonly OrderNumber[]> {
  if (texts.every((text) => WHOLE.test(text))) return [];
  return (await sauda.orders.list()).map((row) => row.orderNumber);
}

function numberIn(numbers: readonly OrderNumber[], text: string): OrderNumber {
  if (WHOLE.test(text)) return orderNumber(text);
  const found = numberMeant(numbers, text, COUNT_DIGITS);
  if (found === undefined) {
    throw new CommandFailed(`${JSON.stringify(text)} is not an order number: see sauda orders`, EXIT_USAGE);
  }
  if (found === 'none') throw new CommandFailed(`no order of today ends with ${text}: see sauda orders`, EXIT_FAILED);
  if (found === 'several') throw new CommandFailed(`several orders end with ${text}: see sauda orders`, EXIT_FAILED);
  return found;
}
