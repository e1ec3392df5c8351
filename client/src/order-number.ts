/** The number of an order: text of digits with a type of its own, so that no other text is taken for one. */

declare const brand: unique symbol;

export type OrderNumber = string & { readonly [brand]: 'OrderNumber' };

/**
 * Text that is an order's number, such as one that a program has stored.
 * @throws RangeError for other text.
 */
export function orderNumber(text: string): OrderNumber {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) throw new RangeError(`not the number of an order: ${JSON.stringify(text)}`);
  return text as OrderNumber;
}
