/** Orders that wait for a price over days (GTT), kept by the service. */

import type { CallOptions, PlacementOptions, Transport } from './transport.ts';
import type { DataOf, GttRow, RequestOf } from './wire.ts';

export type NewGtt = RequestOf<'placeGttOrder'>;

export class Gtt {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  place(order: NewGtt, options?: PlacementOptions): Promise<DataOf<'placeGttOrder'>> {
    return this.transport.place('placeGttOrder', order, options);
  }

  modify(id: string, order: NewGtt, options?: CallOptions): Promise<DataOf<'modifyGttOrder'>> {
    return this.transport.change('modifyGttOrder', { ...order, GTTid: id }, options);
  }

  cancel(id: string, options?: CallOptions): Promise<DataOf<'cancelGttOrder'>> {
    return this.transport.change('cancelGttOrder', { GTTid: id }, options);
  }

  list(options?: CallOptions): Promise<readonly GttRow[]> {
    return this.transport.read('GttOrderBook', {}, options);
  }
}
