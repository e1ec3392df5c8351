/** The alerts on the result of the day. */
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { signed } from '../../text/figures.ts';
import { ConditionField, conditionOf, conditionText } from './condition.tsx';
import { addProfitAlert, type ProfitAlert, profitAlerts, removeProfitAlert } from './profit-alerts.ts';

export function ProfitAlerts() {
  const wrong = useSignal('');
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    wrong.value = addProfitAlert(conditionOf(fields), String(fields.get('amount') ?? ''));
    if (wrong.value === '') event.currentTarget.reset();
  };
  return (
    <section class="profit-alerts" aria-label="Alerts on the result of the day">
      <p class="quiet small">On the result of the day, before charges. These work only while this page is open.</p>
      <form class="alert-form" onSubmit={onSubmit}>
        <ConditionField />
        <label class="field">
          <span>Rupees</span>
          <input name="amount" inputMode="decimal" required autocomplete="off" aria-invalid={wrong.value !== ''} />
        </label>
        <button type="submit">Set alert</button>
      </form>
      {wrong.value !== '' && (
        <p class="bad small" role="alert">
          {wrong.value}
        </p>
      )}
      <ul>
        {profitAlerts.value.map((alert) => (
          <ProfitLine key={alert.id} alert={alert} />
        ))}
      </ul>
    </section>
  );
}

function ProfitLine({ alert }: { readonly alert: ProfitAlert }) {
  const { id, condition, amount, firedAt } = alert;
  return (
    <li>
      <span>
        {conditionText(condition)} {signed(amount)}
      </span>
      <span class="quiet">{firedAt === '' ? 'Waits' : `Fired at ${signed(firedAt)}`}</span>
      <button
        type="button"
        class="plain"
        aria-label={`Remove the alert ${conditionText(condition)} ${amount}`}
        onClick={() => removeProfitAlert(id)}
      >
        ×
      </button>
    </li>
  );
}
