import { Sauda } from '../../../client/src/sauda.ts';
import type { TraderParts } from '../trader-parts.ts';
import { failureOf } from './failure.ts';
import { type KeptSession, readSession } from './session-file.ts';

/** The addresses of a kept session: one, or several with commas between them. */
export function addressesIn(url: string): readonly string[] {
  return url.split(',');
}

/** The client of a kept session. */
export function saudaOf({ url, userId, token }: KeptSession): Sauda {
  return new Sauda({ url: addressesIn(url), userId, token });
}

/** Does the work of a command with the kept session. Throws `CommandFailed` for a fault that a trader can correct. */
export async function signedIn<T>(
  parts: TraderParts,
  work: (sauda: Sauda, session: KeptSession) => Promise<T>,
): Promise<T> {
  const session = readSession(parts.env);
  try {
    return await work(saudaOf(session), session);
  } catch (error) {
    throw failureOf(error, session);
  }
}
