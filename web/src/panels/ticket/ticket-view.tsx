/** A ticket for a request: it is shown as soon as it is known how the instrument may be traded. */
import { instrumentText, namedFields } from '../../../../client/src/instrument.ts';
import { useInstrumentInfo } from '../../orders/instrument-info.ts';
import { closeTicket, type TicketRequest } from '../../orders/ticket-request.ts';
import { ticks, useRow } from '../../store/market.ts';
import { TicketForm } from './ticket-form.tsx';
import './ticket.css';

export function TicketView({ request }: { readonly request: TicketRequest }) {
  const instrument = namedFields(request.kind === 'change' ? request.order : request.instrument);
  const { info, failure } = useInstrumentInfo(instrument);
  // The last price is asked for beside it, so that the ticket begins with a price and Enter can follow at once.
  useRow(ticks, instrument);
  if (failure !== '') {
    return (
      <div class="ticket-idle">
        <p role="alert">
          {instrumentText(instrument)}: {failure}
        </p>
        <button type="button" onClick={() => closeTicket(request)}>
          Close
        </button>
      </div>
    );
  }
  if (info === undefined) return <p class="empty">Asking for {instrumentText(instrument)}</p>;
  // Another request is another ticket; the same one keeps what was typed when the session of the market changes.
  return <TicketForm key={request} request={request} info={info} onClose={() => closeTicket(request)} />;
}
