/**
 * The parts of trading that every view of the page needs: the ticket as a dialog where no panel shows it, the keys
 * that open it, and the keys that end everything. It is shown once, beside the workspace.
 */
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { type Action, addActions, useActions } from '../app/actions.ts';
import { hasTicketTab, showAskedTickets } from '../app/layout/ticket-place.ts';
import { ticketTitle } from '../panels/ticket/ticket-form.tsx';
import { TicketView } from '../panels/ticket/ticket-view.tsx';
import { activeLink, chosenOf } from '../store/chosen.ts';
import { desk } from '../store/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { EndAll, endAllActions } from './end-all.tsx';
import { resumePending } from './sender.ts';
import { closeTicket, openTicket, ticketRequest } from './ticket-request.ts';

export function OrderDesk() {
  useActions(() => [...ticketActions(), ...endAllActions()]);
  useEffect(() => {
    resumePending(desk.peek()?.userId ?? '');
    return () => closeTicket();
  }, []);
  useLayoutEffect(showAskedTickets, []);
  const request = ticketRequest.value;
  useLayoutEffect(() => (request === undefined ? undefined : addActions([closing])), [request === undefined]);
  return (
    <>
      {request !== undefined && !hasTicketTab.value && (
        <Dialog class="ticket-dialog" title={ticketTitle(request)} isModal={false} onClose={() => closeTicket(request)}>
          <TicketView request={request} />
        </Dialog>
      )}
      <EndAll />
    </>
  );
}

const closing: Action = {
  id: 'ticket.close',
  title: 'Close the ticket',
  group: 'Orders',
  keys: 'Escape',
  run: () => closeTicket(),
};

function ticketActions(): readonly Action[] {
  const open = (side: 'B' | 'S') => (): void => {
    const instrument = chosenOf(activeLink.peek()).peek();
    if (instrument === undefined) toast('note', 'Choose an instrument first.');
    else openTicket({ kind: 'new', instrument, side });
  };
  return [
    { id: 'order.buy', title: 'Buy the chosen instrument', group: 'Orders', keys: 'b', run: open('B') },
    { id: 'order.sell', title: 'Sell the chosen instrument', group: 'Orders', keys: 's', run: open('S') },
  ];
}
