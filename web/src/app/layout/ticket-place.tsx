/** The place of a ticket that is asked for: its tab where it has one, else a window beside which the page is used. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { closeTicket, ticketRequest } from '../../orders/ticket-request.ts';
import { activeLink } from '../../store/chosen.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { areaOf } from './arrangement.ts';
import { arrangement, showPanel } from './layouts.ts';
import { isNarrow, phonePanel } from './phone.tsx';
import { LoadedPanel } from './place.tsx';

export function TicketPlace() {
  useEffect(() => effect(showAsked), []);
  const hasTab = isNarrow.value || areaOf(arrangement.value, 'ticket') !== undefined;
  if (hasTab || ticketRequest.value === undefined) return null;
  return (
    <Dialog title="Ticket" isModal={false} class="floating-ticket" onClose={closeTicket}>
      <LoadedPanel name="ticket" link={activeLink.value} id="floating-ticket" />
    </Dialog>
  );
}

/** Shows the ticket's tab when a panel hands an order to it. */
function showAsked(): void {
  if (ticketRequest.value === undefined) return;
  if (isNarrow.peek()) phonePanel.value = 'ticket';
  else showPanel('ticket');
}
