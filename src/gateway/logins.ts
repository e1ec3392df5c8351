import type { AccountId } from '../base/ids.ts';

/** One try to log in, as it came over the wire; its shape is already checked. */
export interface LoginAttempt {
  readonly userId: string;
  /** SHA-256 of the password in hex, in either letter case. Source: interface §login, contract R15. */
  readonly passwordDigest: string;
  /** The one-time code; empty when the client sent none. */
  readonly totp: string;
  readonly vendorCode: string;
  readonly apiKey: string;
  /** The network address of the client, for the throttle of failed logins. Source: contract W26. */
  readonly address: string;
}

/**
 * `InvalidCredentials` says nothing of which factor was wrong (contract W5). `Throttled`: too many failures, try again
 * after `retryAfterSeconds`. `Busy`: the queue of password checks is full.
 */
export type LoginResult =
  | { readonly ok: true; readonly account: AccountId; readonly token: string }
  | { readonly ok: false; readonly why: 'InvalidCredentials' }
  | { readonly ok: false; readonly why: 'Throttled'; readonly retryAfterSeconds?: number }
  | { readonly ok: false; readonly why: 'Busy' };

/** The port to logins without credentials, on a service that offers them for its demo users. */
export interface DemoLogins {
  /**
   * Opens a session of a demo user, as `Logins` does after its factors; `InvalidCredentials` for every other user id.
   * Rejects with `Unavailable` when the engine takes no commands.
   */
  enter(userId: string, address: string): Promise<LoginResult>;
}

/** The port to the credentials part: checks every factor and opens a journaled session. */
export interface Logins {
  /**
   * Resolves when the session is durable; `token` is 64 lower-case hex digits and exists nowhere else.
   * Rejects with `Unavailable` when the engine takes no commands.
   */
  login(attempt: LoginAttempt): Promise<LoginResult>;
}
