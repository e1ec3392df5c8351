/** The login screen has several ways in, and one of them at a time is used: each login opens a session of its own. */
import { signal } from '@preact/signals';

/** True while a login is on its way. */
export const isLoggingIn = signal(false);

/** Does a login; undefined, and nothing is done, while another one is on its way. */
export async function oneLogin<T>(logIn: () => Promise<T>): Promise<T | undefined> {
  if (isLoggingIn.peek()) return undefined;
  isLoggingIn.value = true;
  try {
    return await logIn();
  } finally {
    isLoggingIn.value = false;
  }
}
