/**
 * Operations that are not yet in the generated types, typed by hand. The generated type of the same path goes before
 * this one, so an entry can be deleted once `npm run generate --workspace client` has it. After the last one this file
 * goes, and `Wire` of `wire.ts` is `Operations`.
 */

import type { Product } from './generated/operations.ts';
import type { InstrumentName } from './instrument.ts';
import type { OrderNumber } from './order-number.ts';

type Requested = { readonly requestTime: string };
type RefusedOrder = { readonly orderNumber: OrderNumber; readonly reason: string };

export interface PendingOperations {
  cancelAllOrders: {
    readonly request: Partial<InstrumentName>;
    readonly data: Requested & {
      readonly cancelled: readonly { readonly orderNumber: OrderNumber }[];
      readonly refused: readonly RefusedOrder[];
    };
  };
  exitAllPositions: {
    readonly request: { readonly product?: Product };
    readonly data: Requested & {
      readonly orders: readonly (InstrumentName & { readonly product: Product; readonly orderNumber: OrderNumber })[];
      readonly refused: readonly (InstrumentName & { readonly product: Product; readonly reason: string })[];
      readonly cancelled: readonly { readonly orderNumber: OrderNumber }[];
    };
  };
  getOrderWhy: {
    readonly request: { readonly orderNumber: OrderNumber };
    readonly data: Readonly<Record<string, unknown>>;
  };
}
