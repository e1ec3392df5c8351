/**
 * The form of the ticket: a new order or the change of an open one. Enter sends once; arrow keys move prices by ticks
 * and quantities by lots. Margin, charges, funds and refusals stand beneath it before anything is sent.
 */
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Side } from '../../../../client/src/generated/operations.ts';
import { instrumentText } from '../../../../client/src/instrument.ts';
import type { InstrumentRow } from '../../../../client/src/wire.ts';
import { isOver } from '../../orders/changing.ts';
import { sendings } from '../../orders/sendings.ts';
import type { TicketRequest } from '../../orders/ticket-request.ts';
import { SIDE_WORDS, statusWord } from '../../orders/words.ts';
import { isStale } from '../../store/link.ts';
import { ticks, useRow } from '../../store/market.ts';
import { grouped } from '../../text/figures.ts';
import { instrumentWords } from '../../text/instrument-words.ts';
import { Choice } from '../../ui/choice.tsx';
import { Price } from '../../ui/figure.tsx';
import { isMarket, unitsOf } from './draft.ts';
import { Preview } from './preview.tsx';
import { Fields, Words } from './ticket-fields.tsx';
import { type Ticket, useTicket } from './use-ticket.ts';

const SIDES: readonly Side[] = ['B', 'S'];

type FormRef = { readonly current: HTMLFormElement | null };

interface TicketFormProps {
  readonly request: TicketRequest;
  readonly info: InstrumentRow;
  readonly onClose: () => void;
}

export function TicketForm({ request, info, onClose }: TicketFormProps) {
  const ticket = useTicket(request, info);
  const form = useRef<HTMLFormElement>(null);
  const { draft, outcome } = ticket;
  useFirstPrice(ticket, info, form);
  useFocus(form);
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (await ticket.send()) onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // A held Enter would submit again and again.
    if (event.key === 'Enter' && event.repeat) event.preventDefault();
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  const side = draft.value.side === 'B' ? 'buy' : 'sell';
  const isNow = draft.value.when === 'now';
  return (
    <form class={`ticket-form ${side}`} ref={form} onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate>
      <TicketHead ticket={ticket} info={info} onClose={onClose} />
      <Words ticket={ticket} info={info} />
      <Fields ticket={ticket} info={info} />
      {isNow && <Session info={info} />}
      {!isNow && <p class="notice">Nothing is blocked while it waits. It is judged when its price comes.</p>}
      {isNow && ticket.order === undefined && <Preview preview={ticket.preview} />}
      {outcome.value.failure !== '' && (
        <p class="refusal" role="alert">
          {outcome.value.failure}
        </p>
      )}
      <Send ticket={ticket} info={info} />
    </form>
  );
}

/** Takes the focus to the quantity, and gives it back where it was when the ticket is closed. */
function useFocus(form: FormRef): void {
  useEffect(() => {
    const before = document.activeElement;
    form.current?.querySelector('input')?.select();
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
      });
    };
  }, []);
}

/**
 * A ticket without a price begins at the last traded price, once that is known. While the price has the focus it is
 * left to the trader: a figure that came between two keys would join what is typed.
 */
function useFirstPrice({ draft, edit, order }: Ticket, info: InstrumentRow, form: FormRef): void {
  const tick = useRow(ticks, info);
  const last = tick.value?.lastTradedPrice;
  const isDone = useRef(draft.peek().price !== '');
  useEffect(() => {
    if (isDone.current || order !== undefined || last === undefined) return;
    if (form.current?.elements.namedItem('price') === document.activeElement) return;
    isDone.current = true;
    if (draft.peek().price === '') edit({ price: last });
  }, [last]);
}

function TicketHead({ ticket, info, onClose }: { ticket: Ticket; info: InstrumentRow; onClose: () => void }) {
  const tick = useRow(ticks, info);
  const { draft, order } = ticket;
  const { name, expiry } = instrumentWords(info.tradingSymbol);
  return (
    <div class="ticket-head">
      {order === undefined ? (
        <Choice
          label="Side"
          class={`side ${draft.value.side === 'B' ? 'buy' : 'sell'}`}
          words={SIDES}
          chosen={draft.value.side}
          textOf={(word) => SIDE_WORDS[word]}
          onChoose={(next) => ticket.edit({ side: next })}
        />
      ) : (
        <strong>Change {SIDE_WORDS[order.transactionType].toLowerCase()}</strong>
      )}
      <span class="ticket-name" title={instrumentText(info)}>
        {name} <small>{expiry === '' ? info.exchange : expiry}</small>
      </span>
      <span class="figure">
        <Price value={tick.value?.lastTradedPrice} />
      </span>
      <button type="button" class="plain" aria-label="Close the ticket" onClick={onClose}>
        ×
      </button>
    </div>
  );
}

/** Where an order goes that is sent while the market is not open. */
function Session({ info }: { readonly info: InstrumentRow }) {
  if (info.orders === 'WAIT') {
    return <p class="notice">The market is closed. The order waits for the session of {info.waitsFor}.</p>;
  }
  return info.orders === 'REFUSED' ? <p class="notice">No order is taken now: {info.reason}</p> : null;
}

function Send({ ticket, info }: { readonly ticket: Ticket; readonly info: InstrumentRow }) {
  const { draft, outcome, order } = ticket;
  const { when, side, priceType, price } = draft.value;
  const units = unitsOf(draft.value, info);
  const what = units === undefined ? '' : `${grouped(String(units))} `;
  const at = isMarket(priceType) ? 'at the market' : `at ${price}`;
  const place = when === 'now' ? SIDE_WORDS[side] : `Place ${when.toUpperCase()}: ${SIDE_WORDS[side].toLowerCase()}`;
  const verb = order === undefined ? place : 'Change to';
  const wait = info.orders === 'WAIT' && when === 'now' && order === undefined ? ', after-market' : '';
  const last = sendings.value.at(-1);
  const isEnded = order !== undefined && isOver(order);
  const isOff = isEnded || (order === undefined && when === 'now' && info.orders === 'REFUSED');
  return (
    <>
      {isEnded && <p class="notice">The order is over: {statusWord(order.status)}.</p>}
      {isStale.value && (
        <p class="notice">The page is not up to date. An order is judged by the prices of the service.</p>
      )}
      {outcome.value.isSending && last?.state === 'looking' && <p class="notice">{last.reason}</p>}
      <button
        type="submit"
        class={`send ${side === 'B' ? 'buy' : 'sell'}`}
        aria-disabled={outcome.value.isSending}
        disabled={isOff}
      >
        {outcome.value.isSending ? 'Sending' : `${verb} ${what}${at}${wait}`}
      </button>
    </>
  );
}

/** The title of a ticket for screen readers. */
export function ticketTitle(request: TicketRequest): string {
  if (request.kind === 'change') return `Change order ${request.order.orderNumber}`;
  return `${SIDE_WORDS[request.side]} ${instrumentText(request.instrument)}`;
}
