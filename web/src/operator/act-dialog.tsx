/** Asks before an act: its effect in words, its fields, the name of the operator and the reason. It is sent once. */
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { type Act, type ActField, asked } from './acts.ts';
import { Pairs } from './pairs.tsx';
import { readAgain } from './poll.ts';
import { act, NotDone } from './port.ts';
import { operatorName, rememberName } from './token.ts';

type Values = Readonly<Record<string, string>>;

export function ActDialog() {
  const shown = asked.value;
  return shown === undefined ? null : <AskFor key={shown.title} shown={shown} />;
}

function AskFor({ shown }: { readonly shown: Act }) {
  const secrets = useSignal<Values | undefined>(undefined);
  const close = (): void => {
    asked.value = undefined;
  };
  return (
    <Dialog title={shown.title} onClose={close} class="act">
      {secrets.value === undefined ? (
        <ActForm shown={shown} onSecrets={(found) => (secrets.value = found)} onDone={close} />
      ) : (
        <Secrets values={secrets.value} />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly shown: Act;
  readonly onSecrets: (secrets: Values) => void;
  readonly onDone: () => void;
}

function ActForm({ shown, onSecrets, onDone }: FormProps) {
  const isSending = useSignal(false);
  const failure = useSignal('');
  const { effect, fields = [], hasGrounds = true, button, isHarsh } = shown;
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isSending.value) return;
    isSending.value = true;
    failure.value = '';
    try {
      const answer = await send(shown, new FormData(event.currentTarget));
      toast('good', shown.done(answer as never));
      if (shown.secrets === undefined) onDone();
      else onSecrets(shown.secrets(answer as never));
    } catch (error) {
      failure.value = wordsOf(error);
    }
    isSending.value = false;
    readAgain();
  };
  return (
    <form onSubmit={onSubmit}>
      <p class={isHarsh ? 'effect harsh' : 'effect'}>{effect}</p>
      {fields.map((field, index) => (
        <FieldInput key={field.name} field={field} isFirst={index === 0} />
      ))}
      {hasGrounds && (
        <>
          <label>
            Reason, for the journal
            <input name="why" required maxLength={200} autocomplete="off" autoFocus={fields.length === 0} />
          </label>
          <label>
            Your name, for the journal
            <input name="by" required maxLength={100} defaultValue={operatorName.value} autocomplete="off" />
          </label>
        </>
      )}
      {failure.value !== '' && (
        <p role="alert" class="bad">
          {failure.value}
        </p>
      )}
      <div class="buttons">
        <button type="button" onClick={onDone}>
          Leave it
        </button>
        <button type="submit" class={isHarsh ? 'harsh' : 'main'} disabled={isSending.value}>
          {button}
        </button>
      </div>
    </form>
  );
}

function FieldInput({ field, isFirst }: { readonly field: ActField; readonly isFirst: boolean }) {
  const { name, label, value = '', hint, among, isOptional = false } = field;
  const id = `act-${name}`;
  return (
    <label htmlFor={id}>
      {label}
      {among === undefined ? (
        <input
          id={id}
          name={name}
          defaultValue={value}
          placeholder={hint}
          required={!isOptional}
          autocomplete="off"
          autoFocus={isFirst}
        />
      ) : (
        <select id={id} name={name} defaultValue={value} autoFocus={isFirst}>
          {among.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}

/** Credentials of an answer. They stand nowhere else. */
function Secrets({ values }: { readonly values: Values }) {
  return (
    <>
      <p>Shown this once: copy it now.</p>
      <Pairs of={Object.entries(values)} />
    </>
  );
}

function send({ path, body, hasGrounds = true, longestMs }: Act, form: FormData): Promise<unknown> {
  const {
    by = '',
    why = '',
    ...values
  } = Object.fromEntries(Array.from(form, ([name, value]) => [name, String(value).trim()])) as Record<string, string>;
  const grounds = hasGrounds ? { by, why } : {};
  if (hasGrounds) rememberName(by);
  return act(typeof path === 'string' ? path : path(values), { ...body(values), ...grounds }, longestMs);
}

/** The failure of an act in words. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof NotDone)) return String(error);
  if (error.isAnswered) return error.message;
  return `${error.message}: it is not known whether this was done. Look at the audit trail before you try again.`;
}
