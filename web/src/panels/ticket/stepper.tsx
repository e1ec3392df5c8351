/** A field for a number with buttons for one step less and more. Up and Down step too, with Shift by ten. */
import { useId } from 'preact/hooks';
import { stepsOf } from '../../ui/steps.ts';

interface StepperProps {
  /** The name of the field in its form. */
  readonly name: string;
  readonly label: string;
  /** A note beside the label; blank for none. */
  readonly hint: string;
  readonly value: string;
  /** Why the value cannot be read; blank when it can. */
  readonly wrong: string;
  readonly kind: 'numeric' | 'decimal';
  readonly onInput: (value: string) => void;
  readonly onStep: (steps: number) => void;
}

export function Stepper({ name, label, hint, value, wrong, kind, onInput, onStep }: StepperProps) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = stepsOf(event);
    if (steps === 0) return;
    event.preventDefault();
    onStep(steps);
  };
  return (
    <div class="field stepper-field">
      <label for={id}>
        {label} {hint !== '' && <small>{hint}</small>}
      </label>
      <div class="stepper">
        <button type="button" tabIndex={-1} aria-label={`Less ${label.toLowerCase()}`} onClick={() => onStep(-1)}>
          −
        </button>
        <input
          id={id}
          name={name}
          class="figure"
          autocomplete="off"
          inputMode={kind}
          value={value}
          aria-invalid={wrong !== ''}
          aria-describedby={wrong === '' ? undefined : `${id}-wrong`}
          onInput={({ currentTarget }) => onInput(currentTarget.value.trim())}
          onKeyDown={onKeyDown}
        />
        <button type="button" tabIndex={-1} aria-label={`More ${label.toLowerCase()}`} onClick={() => onStep(1)}>
          +
        </button>
      </div>
      {wrong !== '' && (
        <span class="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </span>
      )}
    </div>
  );
}
