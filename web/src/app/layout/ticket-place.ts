/** The place of a ticket that is asked for: its tab where it has one, else a window beside which the page is used. */
import { computed } from '@preact/signals';
import { ticketRequest } from '../../orders/ticket-request.ts';
import { areaOf } from './arrangement.ts';
import { arrangement, showPanel } from './layouts.ts';
import { isNarrow } from './narrow.ts';

/** True when a tab of the workspace shows tickets. */
export const hasTicketTab = computed(() => isNarrow.value || areaOf(arrangement.value, 'ticket') !== undefined);

/** Shows the tab of the ticket each time a panel hands an order to it. The result ends this. */
export function showAskedTickets(): () => void {
  return ticketRequest.subscribe((request) => {
    if (request !== undefined) showPanel('ticket');
  });
}
