import { badRequest } from '../../fields/envelope.ts';
import { ORDER_NOT_FOUND } from '../../fields/fields.ts';

/** The answer to the number of an order that is not one of the caller's. */
export const UNKNOWN_ORDER = badRequest('orderNumber', ORDER_NOT_FOUND);
