/** The order that another panel hands to the ticket: by a click in the depth, a key on a row, a line of a chart. */
import { signal } from '@preact/signals';
import type { Product, Side } from '../../../client/src/generated/operations.ts';
import type { InstrumentName } from '../../../client/src/instrument.ts';
import type { OrderRow } from '../../../client/src/wire.ts';

/** A new order with whatever is known of it, or an open order that is to be changed. */
export type TicketRequest =
  | {
      readonly kind: 'new';
      readonly instrument: InstrumentName;
      readonly side: Side;
      /** Decimal text of rupees; the ticket takes the last price when it is absent. */
      readonly price?: string;
      /** Units, not lots. */
      readonly quantity?: string;
      readonly product?: Product;
    }
  | { readonly kind: 'change'; readonly order: OrderRow };

/** The request that the ticket shows; undefined while it is closed. */
export const ticketRequest = signal<TicketRequest | undefined>(undefined);

export function openTicket(request: TicketRequest): void {
  ticketRequest.value = request;
}

/** Closes the ticket; only that of a request, when one is given: another may have been opened meanwhile. */
export function closeTicket(request = ticketRequest.peek()): void {
  if (ticketRequest.peek() === request) ticketRequest.value = undefined;
}
