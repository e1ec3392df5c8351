/**
 * Operations that are not yet in the generated types, typed by hand. The generated type of the same path goes before
 * this one (`wire.ts`), so an entry can be deleted once `npm run generate --workspace client` has it.
 */

import type { Exchange, PlaceOrderRequest, Product } from './generated/operations.ts';
import type { InstrumentName } from './instrument.ts';
import type { Rupees } from './money.ts';
import type { OrderNumber } from './order-number.ts';

type None = Readonly<Record<string, never>>;
type Requested = { readonly requestTime: string };
type RefusedOrder = { readonly orderNumber: OrderNumber; readonly reason: string };

interface GttFields extends InstrumentName {
  readonly validity: 'GTT';
  readonly value: Rupees;
  readonly remarks: string;
  readonly OrderParams: Omit<PlaceOrderRequest, 'mkt_protection' | 'strategyId' | 'deviceId'>;
}

export interface PendingOperations {
  getMarketStatus: {
    readonly request: None;
    readonly data: Requested & {
      readonly marketTime: string;
      readonly speed: string;
      readonly exchanges: readonly {
        readonly exchange: Exchange;
        readonly phase: string;
        readonly isOpen: 'true' | 'false';
        readonly nextPhase: string;
        readonly nextAt: string;
      }[];
    };
  };
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
  optionChainGreeks: {
    readonly request: {
      readonly exchange: Exchange;
      readonly symbol: string;
      readonly expiry: string;
      readonly count: string | number;
      readonly strikePrice?: Rupees;
    };
    readonly data: readonly (InstrumentName & {
      readonly token: string;
      readonly parentToken: string;
      readonly lotSize: string;
      readonly tickSize: Rupees;
      readonly pricePrecision: string;
      readonly optionType: 'CE' | 'PE';
      readonly strikePrice: Rupees;
      readonly lastTradedPrice: Rupees;
      readonly delta: string;
      readonly gamma: string;
      readonly theta: string;
      readonly vega: string;
      readonly rho: string;
      readonly iv: string;
      readonly oi: string;
    })[];
  };
  placeGttOrder: { readonly request: GttFields; readonly data: Requested & { readonly GTTid: string } };
  modifyGttOrder: {
    readonly request: GttFields & { readonly GTTid: string };
    readonly data: Requested & { readonly GTTid: string };
  };
  cancelGttOrder: {
    readonly request: { readonly GTTid: string };
    readonly data: Requested & { readonly GTTid: string };
  };
  GttOrderBook: { readonly request: None; readonly data: readonly Readonly<Record<string, unknown>>[] };
  getWatchlists: {
    readonly request: None;
    readonly data: readonly {
      readonly name: string;
      readonly instruments: readonly (InstrumentName & { readonly token: string })[];
    }[];
  };
  saveWatchlist: {
    readonly request: { readonly name: string; readonly instruments: readonly InstrumentName[] };
    readonly data: Requested;
  };
  deleteWatchlist: { readonly request: { readonly name: string }; readonly data: Requested };
  placeAlert: {
    readonly request: InstrumentName & {
      readonly condition: 'ABOVE' | 'BELOW';
      readonly price: Rupees;
      readonly remarks?: string;
    };
    readonly data: Requested & { readonly alertId: string };
  };
  getAlerts: {
    readonly request: None;
    readonly data: readonly (InstrumentName & {
      readonly alertId: string;
      readonly token: string;
      readonly condition: 'ABOVE' | 'BELOW';
      readonly price: Rupees;
      readonly remarks: string;
      readonly status: 'ACTIVE' | 'FIRED' | 'CANCELLED' | 'EXPIRED';
      readonly createdAt: string;
      readonly firedAt: string;
      readonly firedPrice: string;
    })[];
  };
  cancelAlert: { readonly request: { readonly alertId: string }; readonly data: Requested };
}
