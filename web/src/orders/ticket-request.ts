/** The order that another panel hands to the ticket: by a click in the depth, a key on a row, a line of a chart. */
import { batch, signal } from '@preact/signals';
import type { Product, Side } from '../../../client/src/generated/operations.ts';
import type { InstrumentName } from '../../../client/src/instrument.ts';
import type { OrderRow } from '../../../client/src/wire.ts';
import { isSameInstrument } from '../text/same-instrument.ts';

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

/** A price for the ticket that is open: it takes the price and keeps all else that was typed. */
export const handedPrice = signal<{ readonly price: string } | undefined>(undefined);

export function openTicket(request: TicketRequest): void {
  show(request);
}

/** Hands a price to the open ticket of an instrument, which keeps its side; without one, opens a ticket of a side. */
export function pickPrice(instrument: InstrumentName, side: Side, price: string): void {
  const open = ticketRequest.peek();
  const isSame = open?.kind === 'new' && isSameInstrument(open.instrument, instrument);
  if (isSame) handedPrice.value = { price };
  else openTicket({ kind: 'new', instrument, side, price });
}

/** The ticket has the price that was handed to it: one that is covered and shown again does not take it once more. */
export function takeHandedPrice(): void {
  handedPrice.value = undefined;
}

/** Closes the ticket; only that of a request, when one is given: another may have been opened meanwhile. */
export function closeTicket(request = ticketRequest.peek()): void {
  if (ticketRequest.peek() === request) show(undefined);
}

function show(request: TicketRequest | undefined): void {
  batch(() => {
    ticketRequest.value = request;
    handedPrice.value = undefined;
  });
}
