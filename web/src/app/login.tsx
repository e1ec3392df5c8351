/** The login: the user's factors, and the reason in words when one is wrong. The password is hashed in the browser. */
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { begin, clientOf, endedBecause } from '../store/session.ts';

export function Login() {
  const failure = useSignal('');
  const isSending = useSignal(false);
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isSending.value) return;
    isSending.value = true;
    failure.value = await logIn(new FormData(event.currentTarget));
    isSending.value = false;
  };
  return (
    <main class="login">
      <h1>Sauda</h1>
      {endedBecause.value !== '' && <p role="status">Your session ended: {endedBecause.value}</p>}
      <form onSubmit={onSubmit}>
        <label>
          User
          <input name="userId" autocomplete="username" required autoFocus />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <label>
          One-time code
          <input name="totp" inputMode="numeric" autocomplete="one-time-code" maxLength={6} />
        </label>
        <label>
          Vendor code
          <input name="vendorCode" autocomplete="off" />
        </label>
        <label>
          API key
          <input name="apiKey" type="password" autocomplete="off" required />
        </label>
        {failure.value !== '' && <p role="alert">{failure.value}</p>}
        <button type="submit" disabled={isSending.value}>
          Log in
        </button>
      </form>
    </main>
  );
}

/** Opens a session with the fields of the form. Returns the reason of a refusal; blank when it is open. */
async function logIn(fields: FormData): Promise<string> {
  const text = (name: string): string => String(fields.get(name) ?? '').trim();
  const [userId, vendorCode, totp] = [text('userId'), text('vendorCode'), text('totp')];
  const sauda = clientOf(userId, { apiKey: text('apiKey'), ...(vendorCode === '' ? {} : { vendorCode }) });
  try {
    await sauda.login({ password: String(fields.get('password') ?? ''), totp });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (sauda.session !== undefined) begin(sauda.session);
  return '';
}
