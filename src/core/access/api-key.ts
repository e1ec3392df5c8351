import { type EpochMs, type IstDay, istDay, wallOf } from '../../base/time.ts';
import type { Account } from '../account.ts';
import type { RenewApiKey } from '../command.ts';
import { accountOf, type State } from '../state.ts';
import type { ApiKeyRenewed } from './access-events.ts';

/** An API key is valid for this number of days, the day of its issue included. Source: market-rules R9.8. */
const API_KEY_DAYS = 365;

/** The last day on which an account's API key is valid. Source: market-rules R9.8. */
export function lastKeyDay({ apiKeyIssuedOn }: Account): IstDay {
  return (apiKeyIssuedOn + API_KEY_DAYS - 1) as IstDay;
}

/** True for an account whose key is valid on `day` and ends within `days` days, that day included. */
export function isKeyAboutToEnd(account: Account, day: IstDay, days: number): boolean {
  const left = lastKeyDay(account) - day;
  return left >= 0 && left < days;
}

/** Never refuses: the door has checked who renews the key. */
export function decideRenewal(command: RenewApiKey): ApiKeyRenewed[] {
  return [{ ...command, type: 'ApiKeyRenewed' }];
}

/**
 * Replaces the sealed credentials of an account; its key is valid from the IST day of the wall time. Source:
 * market-rules R9.8.
 */
export function applyRenewal(state: State, at: EpochMs, event: ApiKeyRenewed): void {
  const { account: id, sealedCredentials, wall } = event;
  const account = accountOf(state, id);
  account.card = state.cards.replace(account.card, { ...state.cards.read(account.card), sealedCredentials });
  account.apiKeyIssuedOn = istDay(wallOf(at, wall));
}
