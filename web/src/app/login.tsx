/** The login: the user's factors, and the reason in words when one is wrong. The password is hashed in the browser. */
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { begin, clientOf, endedBecause } from '../store/session.ts';
import { DemoUsers } from './demo-users.tsx';
import { codeIn, failureOf, type LoginFailure } from './login-failure.ts';
import { isLoggingIn, oneLogin } from './one-login.ts';

export function Login() {
  return (
    <main class="login">
      <h1>Sauda</h1>
      {endedBecause.value !== '' && (
        <div class="ended" role="status">
          <p class="warn">Your session ended: {endedBecause.value}.</p>
          <p class="small">
            A logout elsewhere, 12 hours without a request, a 21st login and 06:00 IST end sessions. Open orders stay as
            they are. Log in to go on.
          </p>
        </div>
      )}
      <DemoUsers />
      <LoginForm />
      <p class="quiet small">
        The password is hashed in this browser. The session is kept in this tab alone. <a href="/docs">Reference</a>
      </p>
    </main>
  );
}

function LoginForm() {
  const failure = useSignal<LoginFailure | undefined>(undefined);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const { field } = failure.value ?? {};
    if (field === undefined) return;
    const input = form.current?.elements.namedItem(field) as HTMLInputElement | null;
    input?.focus();
    input?.select();
  }, [failure.value]);
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    await oneLogin(async () => {
      failure.value = await logIn(fields);
    });
  };
  const wrong = failure.value?.field;
  const field = (name: string) => ({ name, 'aria-invalid': wrong === name, required: true });
  return (
    <form onSubmit={onSubmit} ref={form}>
      <label class="field">
        <span>User</span>
        <input {...field('userId')} autocomplete="username" autoCapitalize="characters" spellcheck={false} autoFocus />
      </label>
      <label class="field">
        <span>Password</span>
        <input {...field('password')} type="password" autocomplete="current-password" />
      </label>
      <label class="field">
        <span>API key</span>
        <input {...field('apiKey')} type="password" autocomplete="off" />
      </label>
      <div class="pair">
        <CodeField isWrong={wrong === 'totp'} />
        <label class="field">
          <span>Vendor code</span>
          <input {...field('vendorCode')} required={false} autocomplete="off" placeholder="USER_API" />
        </label>
      </div>
      <p class="bad" role="alert">
        {failure.value?.text ?? ''}
      </p>
      <button type="submit" class="main" disabled={isLoggingIn.value}>
        {isLoggingIn.value ? 'Logging in' : 'Log in'}
      </button>
    </form>
  );
}

/** The one-time code: a pasted text may have blanks in it, and the sixth digit of a filled form sends it. */
function CodeField({ isWrong }: { readonly isWrong: boolean }) {
  const onInput = (event: InputEvent): void => {
    const input = event.currentTarget as HTMLInputElement;
    const isPaste = event.inputType === 'insertFromPaste';
    input.value = codeIn(input.value);
    if (input.value.length === 6 && isPaste && input.form?.checkValidity()) input.form.requestSubmit();
  };
  return (
    <label class="field">
      <span>One-time code</span>
      <input
        name="totp"
        class="one-time"
        placeholder="if you have one"
        inputMode="numeric"
        autocomplete="one-time-code"
        aria-invalid={isWrong}
        onInput={onInput}
      />
    </label>
  );
}

/** Opens a session with the fields of the form. Returns the reason of a refusal; undefined when it is open. */
async function logIn(fields: FormData): Promise<LoginFailure | undefined> {
  const text = (name: string): string => String(fields.get(name) ?? '').trim();
  const [userId, vendorCode, totp] = [text('userId'), text('vendorCode'), text('totp')];
  const sauda = clientOf(userId, { apiKey: text('apiKey'), ...(vendorCode === '' ? {} : { vendorCode }) });
  try {
    await sauda.login({ password: String(fields.get('password') ?? ''), totp });
  } catch (error) {
    return failureOf(error, totp !== '');
  }
  if (sauda.session !== undefined) begin(sauda.session);
  return undefined;
}
