/** Alerts: on prices, which the service keeps, and on the result of the day, which this page keeps. */
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { type InstrumentName, instrumentText } from '../../../../client/src/instrument.ts';
import type { AlertRow } from '../../../../client/src/wire.ts';
import type { PanelProps } from '../../app/panels.ts';
import { send } from '../../orders/sender.ts';
import { alerts } from '../../store/books.ts';
import { chosenOf } from '../../store/chosen.ts';
import { ticks, useRow } from '../../store/market.ts';
import { client } from '../../store/session.ts';
import { grouped } from '../../text/figures.ts';
import { beep, isSoundOn, turnSound } from '../../ui/beep.ts';
import { Price } from '../../ui/figure.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import './alerts.css';
import { ConditionField, conditionOf, conditionText } from './condition.tsx';
import { ProfitAlerts } from './profit-section.tsx';

const STATUS_WORDS: Readonly<Record<AlertRow['status'], string>> = {
  ACTIVE: 'Waits',
  FIRED: 'Fired',
  CANCELLED: 'Cancelled',
  EXPIRED: 'Expired',
};

const COLUMNS: readonly Column<AlertRow>[] = [
  { id: 'symbol', title: 'Instrument', width: 'minmax(8ch, 1fr)', cell: ({ tradingSymbol }) => tradingSymbol },
  { id: 'price', title: 'Price', width: '12ch', isFigure: true, cell: whenText },
  { id: 'status', title: 'State', width: '12ch', cell: (row) => <span title={row.firedAt}>{stateText(row)}</span> },
  { id: 'cancel', title: 'End', width: '3ch', cell: (row) => <CancelButton row={row} /> },
];

export default function Alerts({ link }: PanelProps) {
  const chosen = useSignal<string | undefined>(undefined);
  const instrument = chosenOf(link).value;
  return (
    <div class="alerts-panel">
      <div class="bar">
        <label>
          <input
            type="checkbox"
            checked={isSoundOn.value}
            onChange={({ currentTarget }) => turnSound(currentTarget.checked)}
          />
          Sound
        </label>
        <button type="button" class="plain" disabled={!isSoundOn.value} onClick={beep}>
          Try it
        </button>
      </div>
      {instrument === undefined ? (
        <p class="empty">Choose an instrument to set an alert on its price.</p>
      ) : (
        <PriceForm key={instrumentText(instrument)} instrument={instrument} />
      )}
      <Table
        label="Price alerts"
        columns={COLUMNS}
        rows={alerts.list.value.toReversed()}
        keyOf={({ alertId }) => alertId}
        empty={alerts.isKnown.value ? 'No price alerts. They work while the page is closed, too.' : 'Loading'}
        chosen={chosen.value}
        onChoose={({ alertId }) => (chosen.value = alertId)}
        onKey={(event, row) => {
          if (event.key === 'Delete' && row?.status === 'ACTIVE') void cancel(row);
        }}
      />
      <ProfitAlerts />
    </div>
  );
}

function PriceForm({ instrument }: { readonly instrument: InstrumentName }) {
  const last = useRow(ticks, instrument);
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const condition = conditionOf(fields);
    const price = String(fields.get('price') ?? '')
      .replaceAll(',', '')
      .trim();
    const remarks = String(fields.get('remarks') ?? '').trim();
    const { exchange, tradingSymbol } = instrument;
    const alert = { exchange, tradingSymbol, condition, price, ...(remarks === '' ? {} : { remarks }) } as const;
    const text = `Alert on ${tradingSymbol} ${conditionText(condition)} ${grouped(price)}`;
    const answer = await send(text, () => client().alerts.place(alert));
    if (answer !== undefined) form.reset();
  };
  return (
    <form class="alert-form" onSubmit={onSubmit} aria-label={`New alert on ${instrument.tradingSymbol}`}>
      <p>
        {instrument.tradingSymbol} <Price value={last.value?.lastTradedPrice} />
      </p>
      <ConditionField />
      <label class="field">
        <span>Price</span>
        <input name="price" inputMode="decimal" required autocomplete="off" />
      </label>
      <label class="field">
        <span>Note</span>
        <input name="remarks" autocomplete="off" maxLength={100} />
      </label>
      <button type="submit">Set alert</button>
    </form>
  );
}

function CancelButton({ row }: { readonly row: AlertRow }) {
  if (row.status !== 'ACTIVE') return null;
  return (
    <button
      type="button"
      class="plain"
      aria-label={`Cancel the alert on ${row.tradingSymbol} at ${row.price}`}
      onClick={() => void cancel(row)}
    >
      ×
    </button>
  );
}

function cancel({ alertId, tradingSymbol, price }: AlertRow): Promise<unknown> {
  return send(`Cancel the alert on ${tradingSymbol} at ${grouped(price)}`, () => client().alerts.cancel(alertId));
}

function whenText({ condition, price }: AlertRow): string {
  return `${condition === 'ABOVE' ? '\u2265' : '\u2264'} ${grouped(price)}`;
}

function stateText({ status, firedPrice }: AlertRow): string {
  return status === 'FIRED' ? `At ${grouped(firedPrice)}` : STATUS_WORDS[status];
}
