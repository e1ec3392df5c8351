/** The ticket as a panel: the order that was asked for, or the way to begin one in the chosen instrument. */
import type { PanelProps } from '../../app/panels.ts';
import { openTicket, ticketRequest } from '../../orders/ticket-request.ts';
import { chosenOf } from '../../store/chosen.ts';
import { TicketView } from './ticket-view.tsx';

export default function TicketPanel({ link }: PanelProps) {
  const request = ticketRequest.value;
  if (request !== undefined) return <TicketView request={request} />;
  const instrument = chosenOf(link).value;
  if (instrument === undefined) return <p class="empty">Choose an instrument to trade.</p>;
  return (
    <div class="ticket-idle">
      <strong>{instrument.tradingSymbol}</strong>
      <div class="sides">
        <button type="button" class="buy" onClick={() => openTicket({ kind: 'new', instrument, side: 'B' })}>
          Buy <kbd>B</kbd>
        </button>
        <button type="button" class="sell" onClick={() => openTicket({ kind: 'new', instrument, side: 'S' })}>
          Sell <kbd>S</kbd>
        </button>
      </div>
    </div>
  );
}
