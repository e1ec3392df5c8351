/** Alerts at a price, kept by the service. */

import type { CallOptions, Transport } from './transport.ts';
import type { AlertRow, DataOf, RequestOf } from './wire.ts';

export class Alerts {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Asks for an alert when the last traded price is at or beyond `price`, in rupees. Sent once. */
  place(alert: RequestOf<'placeAlert'>, options?: CallOptions): Promise<DataOf<'placeAlert'>> {
    return this.transport.change('placeAlert', alert, options);
  }

  list(options?: CallOptions): Promise<readonly AlertRow[]> {
    return this.transport.read('getAlerts', {}, options);
  }

  cancel(id: string, options?: CallOptions): Promise<DataOf<'cancelAlert'>> {
    return this.transport.change('cancelAlert', { alertId: id }, options);
  }
}
