/** The place of a ticket that is asked for: its tab where it has one, else a window beside which the page is used. */
import { computed } from '@preact/signals';
import { handedPrice, ticketRequest } from '../../orders/ticket-request.ts';
import { areaOf } from './arrangement.ts';
import { arrangement, showPanel } from './layouts.ts';
import { isNarrow } from './narrow.ts';

/** True when a tab of the workspace shows tickets. */
export const hasTicketTab = computed(() => isNarrow.value || areaOf(arrangement.value, 'ticket') !== undefined);

/** Shows the tab of the ticket each time a panel hands an order or a price to it. The result ends this. */
export function showAskedTickets(): () => void {
  const show = (handed: object | undefined): void => {
    if (handed !== undefined) showPanel('ticket');
  };
  const stops = [ticketRequest.subscribe(show), handedPrice.subscribe(show)];
  return () => {
    for (const stop of stops) stop();
  };
}
