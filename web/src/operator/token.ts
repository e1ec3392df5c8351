/**
 * The operator's token and name. The token comes with the address after `#`, or is pasted; it is kept until the tab is
 * closed and never stands in an address again.
 */
import { signal } from '@preact/signals';

const TOKEN_KEY = 'sauda.operator.token';
const NAME_KEY = 'sauda.operator.name';

/** The token, as the file `operator.token` of the data folder has it. */
export const token = signal<string | undefined>(takeToken());

/** The name of the person who acts, for the journal. */
export const operatorName = signal(localStorage.getItem(NAME_KEY) ?? '');

/** Why the token is asked for again; blank at first. */
export const lockedBecause = signal('');

export function looksLikeToken(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** Remembers the name under which acts are journaled. */
export function rememberName(name: string): void {
  localStorage.setItem(NAME_KEY, name);
  operatorName.value = name;
}

export function unlock(given: string, name: string): void {
  sessionStorage.setItem(TOKEN_KEY, given);
  rememberName(name);
  lockedBecause.value = '';
  token.value = given;
}

export function lock(because: string): void {
  sessionStorage.removeItem(TOKEN_KEY);
  lockedBecause.value = because;
  token.value = undefined;
}

/** The token of the address, which is removed from it at once, or that of this tab. */
function takeToken(): string | undefined {
  const given = location.hash.slice(1);
  if (given !== '') history.replaceState(undefined, '', location.pathname);
  if (looksLikeToken(given)) sessionStorage.setItem(TOKEN_KEY, given);
  return sessionStorage.getItem(TOKEN_KEY) ?? undefined;
}
