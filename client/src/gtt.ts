/** Orders that wait for a price over days (GTT), kept by the service. */

import type { CallOptions, PlacementOptions, Transport } from './transport.ts';
import type { DataOf, GttRow, RequestOf } from './wire.ts';

/** A new GTT. `validity` has one word, which may be left out. Prices are decimal text of rupees. */
export type NewGtt = Omit<RequestOf<'placeGttOrder'>, 'validity'> & { readonly validity?: 'GTT' };
/** The new terms of a GTT, all of them. */
export type GttChange = Omit<RequestOf<'modifyGttOrder'>, 'validity' | 'GTTid'> & { readonly validity?: 'GTT' };

export class Gtt {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /**
   * Places a GTT under an Idempotency-Key, as `Orders.place` does an order. `orders.placedUnder` does not find it:
   * place one in doubt again with its key, or look in `list`.
   * @throws as `Orders.place`.
   */
  place(order: NewGtt, options?: PlacementOptions): Promise<DataOf<'placeGttOrder'>> {
    return this.transport.place('placeGttOrder', { ...order, validity: 'GTT' }, options);
  }

  /** Gives an active GTT new terms. Sent once. */
  modify(id: string, change: GttChange, options?: CallOptions): Promise<DataOf<'modifyGttOrder'>> {
    return this.transport.change('modifyGttOrder', { ...change, validity: 'GTT', GTTid: id }, options);
  }

  /** Cancels an active GTT. Sent once. */
  cancel(id: string, options?: CallOptions): Promise<DataOf<'cancelGttOrder'>> {
    return this.transport.change('cancelGttOrder', { GTTid: id }, options);
  }

  /** The GTTs of the user, oldest first: the active ones, and those that ended last. */
  list(options?: CallOptions): Promise<readonly GttRow[]> {
    return this.transport.read('GttOrderBook', {}, options);
  }
}
