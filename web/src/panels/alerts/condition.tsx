/** The condition of an alert: its field in a form, its value there, and its words. */
import type { AlertRow } from '../../../../client/src/wire.ts';

type Condition = AlertRow['condition'];

const CONDITIONS: readonly Condition[] = ['ABOVE', 'BELOW'];

export function conditionText(condition: Condition): string {
  return condition === 'ABOVE' ? 'at or above' : 'at or below';
}

export function ConditionField() {
  return (
    <label class="field">
      <span>When it is</span>
      <select name="condition">
        {CONDITIONS.map((condition) => (
          <option key={condition} value={condition}>
            {conditionText(condition)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The condition that is chosen in a form. */
export function conditionOf(fields: FormData): Condition {
  return fields.get('condition') === 'BELOW' ? 'BELOW' : 'ABOVE';
}
