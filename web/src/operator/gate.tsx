/** Asks for the token once, and for the name of the operator. */
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { lockedBecause, looksLikeToken, operatorName, unlock } from './token.ts';

export function Gate() {
  const failure = useSignal('');
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = String(form.get('token') ?? '').trim();
    if (looksLikeToken(given)) unlock(given, String(form.get('name') ?? '').trim());
    else failure.value = 'A token has 64 digits, 0 to 9 and a to f.';
  };
  return (
    <main class="gate">
      <h1>Sauda operator</h1>
      {lockedBecause.value !== '' && <p role="status">Locked: {lockedBecause.value}.</p>}
      <p>
        <code>npx sauda operator page</code> prints the address of this page with the token. It is the content of{' '}
        <code>operator.token</code> in the data folder.
      </p>
      <form onSubmit={onSubmit}>
        <label>
          Token
          <input name="token" type="password" required autocomplete="off" autoFocus />
        </label>
        <label>
          Your name, for the journal
          <input name="name" maxLength={100} defaultValue={operatorName.value} autocomplete="username" />
        </label>
        {failure.value !== '' && (
          <p role="alert" class="bad">
            {failure.value}
          </p>
        )}
        <button type="submit" class="main">
          Open
        </button>
      </form>
    </main>
  );
}
