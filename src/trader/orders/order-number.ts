import { type OrderNumber, orderNumber } from '../../../client/src/order-number.ts';
import type { Sauda } from '../../../client/src/sauda.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';

/** `YYMMDD` and eight digits. */
const WHOLE = /^[1-9]\d{13}$/;
const COUNT_DIGITS = 8;

/**
 * The order that a trader named: by its whole number, or by the end of it, as 7 for the order 26112300000007 of today.
 * Throws `CommandFailed` when no order of today is meant, or several are.
 */
export async function orderNamed(sauda: Sauda, text: string): Promise<OrderNumber> {
  if (WHOLE.test(text)) return orderNumber(text);
  if (!/^\d{1,8}$/.test(text)) {
    throw new CommandFailed(`${JSON.stringify(text)} is not an order number: see sauda orders`, EXIT_USAGE);
  }
  const end = text.padStart(COUNT_DIGITS, '0');
  const found = (await sauda.orders.list()).filter((row) => row.orderNumber.endsWith(end));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.orderNumber;
  const words = only === undefined ? `no order of today ends with ${text}` : `several orders end with ${text}`;
  throw new CommandFailed(`${words}: see sauda orders`, EXIT_FAILED);
}
