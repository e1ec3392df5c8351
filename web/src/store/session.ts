/**
 * The session of the user: opened by a login, kept for a reload of this tab, and over when the service says so. The
 * client and its stream live exactly as long as it does.
 */
import { batch, signal } from '@preact/signals';
import { Sauda } from '../../../client/src/sauda.ts';
import type { SaudaStream } from '../../../client/src/stream/stream.ts';
import type { Session } from '../../../client/src/transport.ts';
import { failureWords } from '../orders/words.ts';
import { followBooks, forgetBooks } from './books.ts';
import { followLink } from './link.ts';
import { connectMarket } from './market.ts';
import { countedFetch } from './requests.ts';

/** The client and the stream of a logged-in user. */
export interface Desk {
  readonly userId: string;
  readonly sauda: Sauda;
  readonly stream: SaudaStream;
}

const KEPT = 'sauda.session';

/** Undefined while nobody is logged in. */
export const desk = signal<Desk | undefined>(undefined);
/** The reason why the last session ended, in words; blank when there was none or the user ended it. */
export const endedBecause = signal('');

interface Factors {
  readonly apiKey?: string;
  readonly vendorCode?: string;
  /** Of a session that is open already. */
  readonly token?: string;
}

/**
 * A client of a user: with a token that of a session, else one for the login. It keeps to the page's own address: a
 * browser lets no page ask another one, so the page shows where the leader is instead (`link.ts`).
 */
export function clientOf(userId: string, factors: Factors = {}): Sauda {
  return new Sauda({ url: location.origin, userId, follows: false, fetch: countedFetch, ...factors });
}

/** Begins to work with a session: opens the stream and follows the books on it. A session that is open ends here. */
export function begin(session: Session): void {
  if (desk.peek() !== undefined) end('');
  const { userId, token } = session;
  const sauda = clientOf(userId, { token });
  const stream = sauda.stream();
  sessionStorage.setItem(KEPT, JSON.stringify(session));
  followLink(stream, (error) => {
    if (desk.peek()?.stream === stream) end(failureWords(error));
  });
  followBooks(stream);
  connectMarket(stream);
  batch(() => {
    endedBecause.value = '';
    desk.value = { userId, sauda, stream };
  });
}

/** Takes up the session that this tab had before it was loaded again. */
export function resume(): void {
  const session = keptSession();
  if (session !== undefined) begin(session);
}

/** Undefined when the tab keeps none, or something else under its name. */
function keptSession(): Session | undefined {
  try {
    const { userId, token } = (JSON.parse(sessionStorage.getItem(KEPT) ?? '{}') ?? {}) as Partial<Session>;
    return typeof userId === 'string' && typeof token === 'string' ? { userId, token } : undefined;
  } catch {
    return undefined;
  }
}

/** Ends the session at the service too. */
export async function logOut(): Promise<void> {
  const { sauda } = desk.peek() ?? {};
  end('');
  await sauda?.logout().catch(() => undefined);
}

/** The client of the user. Panels are shown only while there is one. */
export function client(): Sauda {
  const open = desk.peek();
  if (open === undefined) throw new Error('nobody is logged in');
  return open.sauda;
}

function end(reason: string): void {
  sessionStorage.removeItem(KEPT);
  const { stream } = desk.peek() ?? {};
  batch(() => {
    desk.value = undefined;
    endedBecause.value = reason;
    forgetBooks();
  });
  connectMarket(undefined);
  stream?.close();
}
