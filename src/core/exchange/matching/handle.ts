import type { Brand } from '../../../base/brand.ts';

/** Where an order stands in the table of orders: its number less the table's base, so it is known without a search. */
export type Handle = Brand<'Handle'>;
/** The handle of no order. */
export const NO_ORDER = -1 as Handle;
