/** Named lists of instruments, kept by the service. */

import { type Instrument, namedFields } from './instrument.ts';
import type { CallOptions, Transport } from './transport.ts';
import type { DataOf, WatchlistRow } from './wire.ts';

export class Watchlists {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  list(options?: CallOptions): Promise<readonly WatchlistRow[]> {
    return this.transport.read('getWatchlists', {}, options);
  }

  /** Keeps a list under a name, in place of the list that had the name before. */
  save(name: string, instruments: readonly Instrument[], options?: CallOptions): Promise<DataOf<'saveWatchlist'>> {
    return this.transport.change('saveWatchlist', { name, instruments: instruments.map(namedFields) }, options);
  }

  delete(name: string, options?: CallOptions): Promise<DataOf<'deleteWatchlist'>> {
    return this.transport.change('deleteWatchlist', { name }, options);
  }
}
