/**
 * The memory of the orders of a day: pages of rows of fixed width, outside the heap. Nothing of an order is an object
 * until it is asked for, and the collector has nothing of it to walk over.
 */

/** Orders of a page, as a power of two. */
const PAGE_BITS = 10;
const PAGE = 1 << PAGE_BITS;
const INSIDE = PAGE - 1;

/** The first four bytes of a row. */
export const BYTE = { status: 0, product: 1, priceType: 2, flags: 3 } as const;

/** The bits of the flags. `marked`: the text holds tags or a scenario, too. */
export const FLAG = { sells: 1, immediate: 2, gross: 4, squareOff: 8, marked: 16, hasScenario: 32, waits: 64 } as const;

/** The words of 32 bits after them, by their place in the row. The length of the text is in bytes. */
export const WORD = { textLength: 1, account: 2, facts: 3 } as const;

/** The numbers behind the words, by their place in the row. */
export const NUMBER = {
  receivedAt: 2,
  updatedAt: 3,
  exchangeOrder: 4,
  quantity: 5,
  price: 6,
  trigger: 7,
  filled: 8,
  filledAmount: 9,
  textAt: 10,
} as const;

/** The numbers of a row: 88 bytes. */
const WIDTH = 11;

/** Three readings of the same memory. */
export class OrderPage {
  readonly numbers = new Float64Array(PAGE * WIDTH);
  readonly words = new Uint32Array(this.numbers.buffer);
  readonly bytes = new Uint8Array(this.numbers.buffer);
  /** How many orders of the page have not ended. */
  live = 0;
}

/** The number of the page that a row is in. */
export function pageOf(row: number): number {
  return row >>> PAGE_BITS;
}

/** The place of a row's first number among those of its page. */
export function placeOf(row: number): number {
  return (row & INSIDE) * WIDTH;
}

/** The first row of the page behind the one of this row. */
export function nextPage(row: number): number {
  return (row | INSIDE) + 1;
}
