/** One button a demo user, on a service that lets them in without credentials; nothing on any other. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { DemoUserRow } from '../../../client/src/wire.ts';
import { begin, clientOf } from '../store/session.ts';
import { failureOf } from './login-failure.ts';
import { isLoggingIn, oneLogin } from './one-login.ts';

export function DemoUsers() {
  const users = useSignal<readonly DemoUserRow[]>([]);
  const failure = useSignal('');
  useEffect(() => {
    // A service that does not offer it refuses the question, which is an answer too.
    clientOf('')
      .demoUsers()
      .then(
        (rows) => (users.value = rows),
        () => undefined,
      );
  }, []);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Enter is enough, unless the user has begun to type.
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLInputElement) || activeElement.value === '') first.current?.focus();
  }, [users.value]);
  if (users.value.length === 0) return null;
  const enter = async (userId: string): Promise<void> => {
    await oneLogin(async () => {
      failure.value = await logInDemo(userId);
    });
  };
  return (
    <section class="demo-users" aria-label="Demo users">
      <p class="quiet small">This service has demo users. One click logs one in.</p>
      {users.value.map(({ userId, name }, index) => (
        <button
          type="button"
          key={userId}
          ref={index === 0 ? first : null}
          disabled={isLoggingIn.value}
          onClick={() => void enter(userId)}
        >
          {userId}
          <span class="quiet">{name}</span>
        </button>
      ))}
      <p class="bad" role="alert">
        {failure.value}
      </p>
    </section>
  );
}

/** Returns the reason of a refusal; blank when the session is open. */
async function logInDemo(userId: string): Promise<string> {
  const sauda = clientOf(userId);
  try {
    await sauda.demoLogin();
  } catch (error) {
    return failureOf(error, false).text;
  }
  if (sauda.session !== undefined) begin(sauda.session);
  return '';
}
