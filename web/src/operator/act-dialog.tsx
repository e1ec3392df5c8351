/**
 * Asks before an act: its effect in words, its fields, the name of the operator and the reason. It is sent once. An act
 * may be left while it is on its way: its failure is then a message, and its secrets are shown all the same.
 */
import { signal, useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { type Act, type ActField, asked } from './acts.ts';
import { Pairs } from './pairs.tsx';
import { readAgain } from './poll.ts';
import { act, NotDone } from './port.ts';
import { operatorName, rememberName } from './token.ts';

type Values = Readonly<Record<string, string>>;

/** Credentials of an answer, which stand nowhere else. */
interface Secrets {
  readonly title: string;
  readonly values: Values;
}

/** Those that are shown, until each is closed; an act whose dialog was left brings them too. */
const secrets = signal<readonly Secrets[]>([]);

export function ActDialog() {
  const shown = asked.value;
  const [found] = secrets.value;
  return (
    <>
      {shown !== undefined && <AskFor key={shown.title} shown={shown} />}
      {found !== undefined && <ShownSecrets key={found} of={found} />}
    </>
  );
}

function AskFor({ shown }: { readonly shown: Act }) {
  const close = (): void => {
    asked.value = undefined;
  };
  return (
    <Dialog title={shown.title} onClose={close} class="act">
      <ActForm shown={shown} onDone={close} />
    </Dialog>
  );
}

interface FormProps {
  readonly shown: Act;
  readonly onDone: () => void;
}

function ActForm({ shown, onDone }: FormProps) {
  const isSending = useSignal(false);
  const failure = useSignal('');
  const isLeft = useRef(false);
  useEffect(() => {
    return () => {
      isLeft.current = true;
    };
  }, []);
  const { effect, fields = [], hasGrounds = true, button, isHarsh } = shown;
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isSending.value) return;
    isSending.value = true;
    failure.value = '';
    failure.value = await carryOut(shown, new FormData(event.currentTarget));
    isSending.value = false;
    if (isLeft.current && failure.value !== '') toast('bad', `${shown.title}: ${failure.value}`);
    if (!isLeft.current && failure.value === '') onDone();
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

function ShownSecrets({ of: { title, values } }: { readonly of: Secrets }) {
  const close = (): void => {
    secrets.value = secrets.value.slice(1);
  };
  return (
    <Dialog title={title} onClose={close} class="act">
      <p>Shown this once: copy it now.</p>
      <Pairs of={Object.entries(values)} />
    </Dialog>
  );
}

/** Sends an act once, and says what came of it when it was done. Returns the failure in words, else ''. */
async function carryOut(shown: Act, form: FormData): Promise<string> {
  try {
    const answer = await send(shown, form);
    toast('good', shown.done(answer as never));
    if (shown.secrets === undefined) return '';
    secrets.value = [...secrets.value, { title: shown.title, values: shown.secrets(answer as never) }];
    return '';
  } catch (error) {
    return wordsOf(error);
  } finally {
    readAgain();
  }
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
