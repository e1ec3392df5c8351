/**
 * The form of the ticket: a new order or the change of an open one. Enter sends once; arrow keys move prices by ticks
 * and quantities by lots. Margin, charges, funds and refusals stand beneath it before anything is sent.
 */
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PriceType, Retention, Side } from '../../../../client/src/generated/operations.ts';
import { instrumentText } from '../../../../client/src/instrument.ts';
import type { InstrumentRow } from '../../../../client/src/wire.ts';
import { sendings } from '../../orders/sendings.ts';
import type { TicketRequest } from '../../orders/ticket-request.ts';
import { PRODUCT_WORDS, SIDE_WORDS, statusWord, TYPE_WORDS } from '../../orders/words.ts';
import { isStale } from '../../store/link.ts';
import { ticks, useRow } from '../../store/market.ts';
import { grouped } from '../../text/figures.ts';
import { Choice } from '../../ui/choice.tsx';
import { Price } from '../../ui/figure.tsx';
import { isMarket, isStop, moreLots, productsOf, retentionsOf, stepped, unitsOf } from './draft.ts';
import { Preview } from './preview.tsx';
import { Stepper } from './stepper.tsx';
import { isEnded, type Ticket, useTicket } from './use-ticket.ts';

const RETENTION_WORDS: Readonly<Record<Retention, string>> = { DAY: 'Day', IOC: 'IOC' };
const SIDES: readonly Side[] = ['B', 'S'];

interface TicketFormProps {
  readonly request: TicketRequest;
  readonly info: InstrumentRow;
  readonly onClose: () => void;
}

export function TicketForm({ request, info, onClose }: TicketFormProps) {
  const ticket = useTicket(request, info);
  const form = useRef<HTMLFormElement>(null);
  const { draft, outcome } = ticket;
  useFirstPrice(ticket, info);
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
  return (
    <form class={`ticket-form ${side}`} ref={form} onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate>
      <TicketHead ticket={ticket} info={info} onClose={onClose} />
      <Words ticket={ticket} info={info} />
      <Fields ticket={ticket} info={info} />
      <Session info={info} />
      {ticket.order === undefined && <Preview preview={ticket.preview} />}
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
function useFocus(form: { readonly current: HTMLFormElement | null }): void {
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

/** A ticket without a price begins at the last traded price, once that is known. */
function useFirstPrice({ draft, edit, order }: Ticket, info: InstrumentRow): void {
  const tick = useRow(ticks, info);
  const last = tick.value?.lastTradedPrice;
  const isDone = useRef(draft.peek().price !== '');
  useEffect(() => {
    if (isDone.current || order !== undefined || last === undefined) return;
    isDone.current = true;
    if (draft.peek().price === '') edit({ price: last });
  }, [last]);
}

function TicketHead({ ticket, info, onClose }: { ticket: Ticket; info: InstrumentRow; onClose: () => void }) {
  const tick = useRow(ticks, info);
  const { draft, order } = ticket;
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
      <span class="ticket-name" title={info.companyName}>
        {info.tradingSymbol} <small>{info.exchange}</small>
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

/** Product, price type and validity. */
function Words({ ticket, info }: { readonly ticket: Ticket; readonly info: InstrumentRow }) {
  const { draft, edit, order } = ticket;
  const { product, priceType, retention } = draft.value;
  return (
    <div class="ticket-words">
      <Choice
        label="Product"
        words={order === undefined ? productsOf(info) : [order.product]}
        chosen={product}
        textOf={(word) => PRODUCT_WORDS[word]}
        onChoose={(next) => edit({ product: next })}
        isDisabled={order !== undefined}
      />
      <Choice
        label="Validity"
        words={retentionsOf(info, priceType)}
        chosen={retention}
        textOf={(word) => RETENTION_WORDS[word]}
        onChoose={(next) => edit({ retention: next })}
      />
      <Choice<PriceType>
        label="Type"
        words={info.priceTypes}
        chosen={priceType}
        textOf={(word) => TYPE_WORDS[word]}
        onChoose={(next) => edit({ priceType: next })}
      />
    </div>
  );
}

function Fields({ ticket, info }: { readonly ticket: Ticket; readonly info: InstrumentRow }) {
  const { draft, edit, problem, order } = ticket;
  const { lots, price, trigger, priceType, protection, remarks } = draft.value;
  const wrong = (field: string): string => (problem.value?.field === field ? problem.value.text : '');
  const units = unitsOf(draft.value, info);
  const hint = info.lotSize === '1' ? '' : `× ${info.lotSize} = ${units === undefined ? '' : grouped(String(units))}`;
  const bound = info.upperCircuit === '' ? '' : `${info.lowerCircuit} to ${info.upperCircuit}`;
  return (
    <div class="ticket-fields">
      <Stepper
        label={info.lotSize === '1' ? 'Quantity' : 'Lots'}
        hint={hint}
        value={lots}
        wrong={wrong('lots')}
        kind="numeric"
        onStep={(steps) => edit({ lots: moreLots(lots, steps) })}
        onInput={(next) => edit({ lots: next })}
      />
      {!isMarket(priceType) && (
        <Stepper
          label="Price"
          hint={bound}
          value={price}
          wrong={wrong('price')}
          kind="decimal"
          onStep={(steps) => edit({ price: stepped(price, info.tickSize, steps) })}
          onInput={(next) => edit({ price: next })}
        />
      )}
      {isStop(priceType) && (
        <Stepper
          label="Trigger"
          hint=""
          value={trigger}
          wrong={wrong('trigger')}
          kind="decimal"
          onStep={(steps) => edit({ trigger: stepped(trigger === '' ? price : trigger, info.tickSize, steps) })}
          onInput={(next) => edit({ trigger: next })}
        />
      )}
      {order !== undefined && isMarket(priceType) && (
        <TextField
          label="Protection, %"
          value={protection}
          wrong={wrong('protection')}
          onInput={(next) => edit({ protection: next })}
        />
      )}
      {order === undefined && (
        <TextField label="Remarks" value={remarks} wrong="" onInput={(next) => edit({ remarks: next })} />
      )}
    </div>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly wrong: string;
  readonly onInput: (value: string) => void;
}

function TextField({ label, value, wrong, onInput }: TextFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input maxLength={256} value={value} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      {wrong !== '' && (
        <span class="wrong" role="alert">
          {wrong}
        </span>
      )}
    </label>
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
  const { side, priceType, price } = draft.value;
  const units = unitsOf(draft.value, info);
  const what = units === undefined ? '' : `${grouped(String(units))} `;
  const at = isMarket(priceType) ? 'at the market' : `at ${price}`;
  const verb = order === undefined ? SIDE_WORDS[side] : 'Change to';
  const wait = info.orders === 'WAIT' && order === undefined ? ', after-market' : '';
  const last = sendings.value.at(-1);
  const isOff = isEnded(order) || (order === undefined && info.orders === 'REFUSED');
  return (
    <>
      {order !== undefined && isEnded(order) && <p class="notice">The order is over: {statusWord(order.status)}.</p>}
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
