/** The life of one order: its steps as the service kept them, and the checks that judged it with their figures. */
import { useEffect, useState } from 'preact/hooks';
import type { OrderNumber } from '../../../../client/src/order-number.ts';
import type { OrderRow, OrderStep, OrderWhy } from '../../../../client/src/wire.ts';
import { isOver } from '../../orders/changing.ts';
import { openTicket } from '../../orders/ticket-request.ts';
import { failureWords, orderWords, reasonOf, stateWords, statusWord } from '../../orders/words.ts';
import type { Asked } from '../../store/asked.ts';
import { client } from '../../store/session.ts';
import { NamedFigure } from '../../ui/named-figure.tsx';

const STEP_WORDS: Readonly<Record<OrderStep['reportType'], string>> = {
  'Pending New': 'Received',
  'New Ack': 'Taken by the exchange',
  Triggered: 'Trigger reached',
  Fill: 'Traded',
  Replaced: 'Modified',
  'Replace Rejected': 'Modification refused',
  Cancelled: 'Cancelled',
  'Cancel Rejected': 'Cancellation refused',
  Rejected: 'Refused',
};

export function OrderLife({ row, onClose }: { readonly row: OrderRow; readonly onClose: () => void }) {
  return (
    <aside class="order-life" aria-label={`Life of order ${row.orderNumber}`}>
      <div class="life-head">
        <h2>{orderWords(row)}</h2>
        <button type="button" class="plain" aria-label="Close the life of the order" onClick={onClose}>
          ×
        </button>
      </div>
      <p class="quiet">
        Order {row.orderNumber}, {stateWords(row)}
        {row.remarks === '' ? '' : `, ${row.remarks}`}
      </p>
      {!isOver(row) && (
        <button type="button" onClick={() => openTicket({ kind: 'change', order: row })}>
          Change in the ticket
        </button>
      )}
      <Steps row={row} />
      <Why order={row.orderNumber} isAskedAtOnce={row.status === 'REJECTED'} />
    </aside>
  );
}

/** Asks the service whenever `names` change; the last answer stays until the next one comes. */
function useAnswer<T>(ask: () => Promise<T>, names: readonly unknown[]): Asked<T> {
  const [answered, setAnswered] = useState<Asked<T>>({ data: undefined, failure: '' });
  useEffect(() => {
    let isShown = true;
    const settle = (next: Asked<T>): void => {
      if (isShown) setAnswered(next);
    };
    ask().then(
      (data) => settle({ data, failure: '' }),
      (error: unknown) => settle({ data: undefined, failure: failureWords(error) }),
    );
    return () => {
      isShown = false;
    };
  }, names);
  return answered;
}

function Steps({ row }: { readonly row: OrderRow }) {
  const { orderNumber, status, fillShares, price, quantity, triggerPrice } = row;
  const names = [orderNumber, status, fillShares, price, quantity, triggerPrice];
  const { data, failure } = useAnswer(() => client().orders.history(orderNumber), names);
  if (failure !== '') return <p role="alert">{failure}</p>;
  if (data === undefined) return <p class="empty">Asking for the steps</p>;
  return (
    <ol class="steps" aria-label="Steps, newest first">
      {data.map((step, index) => (
        <li key={data.length - index} class={step.rejectReason.trim() === '' ? '' : 'loss'}>
          <time>{step.orderTime.slice(0, 8)}</time>
          <span>
            {STEP_WORDS[step.reportType]}
            <small> {stepText(step)}</small>
            {reasonOf(step) !== '' && <p>{reasonOf(step)}</p>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function stepText({ status, fillShares, quantity, averagePrice, price }: OrderStep): string {
  const traded = fillShares === '0' ? '' : `, ${fillShares} of ${quantity} at ${averagePrice}`;
  return `${statusWord(status)}${traded === '' ? `, ${quantity} at ${price}` : traded}`;
}

function Why({ order, isAskedAtOnce }: { readonly order: OrderNumber; readonly isAskedAtOnce: boolean }) {
  const [isAsked, setAsked] = useState(isAskedAtOnce);
  if (isAsked) return <Reasons order={order} />;
  return (
    <button type="button" onClick={() => setAsked(true)}>
      Why was it judged so?
    </button>
  );
}

function Reasons({ order }: { readonly order: OrderNumber }) {
  const { data, failure } = useAnswer(() => client().orders.why(order), [order]);
  if (failure !== '') return <p role="alert">{failure}</p>;
  if (data === undefined) return <p class="empty">The service judges the order again from its journal</p>;
  return (
    <section class="why" aria-label="Checks">
      {data.steps.map((step) => (
        <StepWhy key={step.record} step={step} />
      ))}
    </section>
  );
}

type WhyStep = OrderWhy['steps'][number];

function StepWhy({ step }: { readonly step: WhyStep }) {
  const refused = step.checks.filter(({ outcome }) => outcome === 'refused');
  const passed = step.checks.filter(({ outcome }) => outcome === 'passed');
  const name = step.step === 'placement' ? 'Placement' : 'Modification';
  return (
    <div>
      <h3>
        {name} at {step.at.slice(11, 19)}: {step.outcome}
      </h3>
      {refused.map((check) => (
        <Check key={check.check} check={check} />
      ))}
      <details open={refused.length === 0}>
        <summary>{passed.length} checks passed</summary>
        {passed.map((check) => (
          <Check key={check.check} check={check} />
        ))}
      </details>
    </div>
  );
}

function Check({ check }: { readonly check: WhyStep['checks'][number] }) {
  return (
    <div class={`check ${check.outcome}`}>
      <p>
        {check.outcome === 'refused' ? 'Does not hold: ' : ''}
        {check.check} <small>{check.rule}</small>
      </p>
      {check.figures.length > 0 && (
        <dl>
          {check.figures.map(({ name, value }) => (
            <NamedFigure key={name} name={name} value={value} />
          ))}
        </dl>
      )}
    </div>
  );
}
