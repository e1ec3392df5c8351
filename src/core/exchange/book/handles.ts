import type { Brand } from '../../../base/brand.ts';

/**
 * The place of an order in the table of orders: its number less the base of the table, so that no search is needed.
 */
export type Handle = Brand<'Handle'>;
/** No order. */
export const NO_ORDER = -1 as Handle;

/**
 * The place of a level in the table of levels. A level holds all orders at one price of a ladder, oldest first: resting
 * orders at their limit, or stops at their trigger. Valid until the level is closed; then another price may get the
 * place.
 */
export type Level = Brand<'Level'>;
/** No level: the value in a fresh record. */
export const NO_LEVEL = 0 as Level;
