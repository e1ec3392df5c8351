/**
 * The login by password, one-time code and API key: checks every factor and opens a session. It holds no accounts
 * (`engine-accounts.ts`) and computes no digests or codes itself (`password-hash.ts`, `one-time-code.ts`).
 */

import { randomBytes } from 'node:crypto';
import type { AccountId } from '../../base/ids.ts';
import { type IstDay, istDay, type WallMs } from '../../base/time.ts';
import { sameText, sha256Hex } from '../../os/digest.ts';
import { countedAs } from '../http/connections/client-address.ts';
import type { LoginAttempt, LoginResult, Logins } from '../logins.ts';
import { FairQueue, QueueFull } from './fair-queue.ts';
import type { CredentialKeys } from './key-file.ts';
import { KnownAddresses } from './known-addresses.ts';
import { LateLooks } from './late-looks.ts';
import { LoginThrottle } from './login-throttle.ts';
import { acceptedStep } from './one-time-code.ts';
import { type HashCost, hashPassword, verifyPassword } from './password-hash.ts';
import { type Credentials, openCredentials } from './sealed-credentials.ts';
import { SecondCodes } from './second-codes.ts';

/** Password checks that may wait in each line; one runs at a time. Source: reliability §4. */
const QUEUE_LIMIT = 32;
/** Failures of an address over all users, in 15 minutes, that cost nothing: many users may share it. */
const FREE_OF_ADDRESS = 50;
const TOKEN_BYTES = 32;
const INVALID = { ok: false, why: 'InvalidCredentials' } as const;
const BUSY = { ok: false, why: 'Busy' } as const;

/** An account as a login needs it. */
export interface LoginAccount {
  readonly account: AccountId;
  readonly sealedCredentials: string;
  /** The one-time step that was used last; below every real step when none was. */
  readonly lastTotpStep: number;
  /** The last day on which the API key is good. Source: market-rules R9.8. */
  readonly lastKeyDay: IstDay;
  /** The registered addresses of its orders. */
  readonly addresses: readonly string[];
}

/** The accounts behind the logins. */
export interface LoginAccounts {
  /** `undefined` for a user id that no account has. */
  find(userId: string): LoginAccount | undefined | Promise<LoginAccount | undefined>;
  /**
   * Opens a session and resolves when it is durable; false when the account has other credentials than `known` by then,
   * or the step of the one-time code was used up. Rejects with `Unavailable` when the engine takes no commands.
   */
  openSession(
    known: LoginAccount,
    tokenDigest: string,
    totpStep: number | undefined,
    attempt: LoginAttempt,
  ): Promise<boolean>;
}

export interface CredentialLoginsOptions {
  readonly keys: CredentialKeys;
  readonly accounts: LoginAccounts;
  /** As of `strangerOf`, where it was made beforehand. */
  readonly stranger?: Credentials;
  /** Of the record that unknown users are checked against: that of the users' own. As of `hashPassword` when absent. */
  readonly cost?: HashCost;
  /** The wall clock, as one-time codes follow it. */
  readonly now: () => WallMs;
}

/** A record that unknown users are checked against, which costs one password hash. Nothing fits it. */
export async function strangerOf(keys: CredentialKeys, cost?: HashCost): Promise<Credentials> {
  const chance = randomBytes(TOKEN_BYTES).toString('hex');
  return {
    passwordHash: await hashPassword(keys.pepper, chance, cost),
    totpSecret: 'A'.repeat(32),
    vendorCode: chance,
    apiKeyDigest: sha256Hex(chance),
  };
}

/**
 * Checks every factor of a login and opens a session. The work and the answer of a failure are the same whichever
 * factor is wrong, and whether or not the user exists; an API key that has ended counts as a wrong one. A try during a
 * wait is checked too, and let in when all of it is right, so that failures of others do not keep the owner out.
 * `LateLooks` and `SecondCodes` bound how much such tries can guess. Source: contract W5, W24, W26, market-rules R9.8,
 * reliability §4.
 */
export class CredentialLogins implements Logins {
  private readonly keys: CredentialKeys;
  private readonly accounts: LoginAccounts;
  private readonly now: () => WallMs;
  private readonly throttle = new LoginThrottle();
  /** Failures of an address over all users. A success takes none away: it may be the sprayer's own. */
  private readonly spraying = new LoginThrottle({ free: FREE_OF_ADDRESS });
  private readonly looks = new LateLooks();
  private readonly codes = new SecondCodes();
  private readonly known = new KnownAddresses();
  private readonly queue = new FairQueue(QUEUE_LIMIT);
  private readonly nobody: Credentials;

  private constructor(options: CredentialLoginsOptions, nobody: Credentials) {
    this.keys = options.keys;
    this.accounts = options.accounts;
    this.now = options.now;
    this.nobody = nobody;
  }

  /** Makes the record that unknown users are checked against, unless it is there. */
  static async create(options: CredentialLoginsOptions): Promise<CredentialLogins> {
    return new CredentialLogins(options, options.stranger ?? (await strangerOf(options.keys, options.cost)));
  }

  async login(attempt: LoginAttempt): Promise<LoginResult> {
    try {
      const kind = this.waitMs(attempt) > 0 ? 'late' : (await this.isKnown(attempt)) ? 'known' : 'strangers';
      return await this.queue.run(() => this.check(attempt), { source: countedAs(attempt.address), kind });
    } catch (error) {
      if (error instanceof QueueFull) return BUSY;
      throw error;
    }
  }

  /**
   * Whether the user has logged in from there before, or has registered it: a flood from elsewhere does not stand in
   * his way.
   */
  private async isKnown({ userId, address }: LoginAttempt): Promise<boolean> {
    if (this.known.has(userId, address)) return true;
    const account = await this.accounts.find(userId);
    return account?.addresses.includes(address) ?? false;
  }

  /** How long a try like this should wait, by its user at its address and by all that failed from there. */
  private waitMs({ userId, address }: LoginAttempt): number {
    const now = this.now();
    return Math.max(this.throttle.waitMs(userId, address, now), this.spraying.waitMs('', address, now));
  }

  /** Runs alone: no other login is between what the throttle says and the failure that it may have to count. */
  private async check(attempt: LoginAttempt): Promise<LoginResult> {
    const waitMs = this.waitMs(attempt);
    const account = await this.accounts.find(attempt.userId);
    const sealed = account && openCredentials(this.keys.sealing, attempt.userId, account.sealedCredentials);
    const seen = this.isSeen(attempt, sealed, waitMs > 0) ? sealed : undefined;
    const known = seen ?? this.nobody;
    const password = await verifyPassword(this.keys.pepper, attempt.passwordDigest, known.passwordHash);
    const key = this.hasKey(attempt, known) && (account === undefined || istDay(this.now()) <= account.lastKeyDay);
    const code = this.checkCode(known, attempt.totp, account?.lastTotpStep ?? 0);
    if (!account || !seen || !password || !key) return this.refuse(attempt, waitMs);
    if (!code.ok) this.codes.recordWrong(attempt.userId, this.now());
    else if (code.step === undefined || this.codes.suffices(attempt.userId, code.step, this.now())) {
      return this.open(attempt, account, code.step, waitMs);
    }
    return this.refuse(attempt, waitMs);
  }

  /**
   * False when a try in a wait, or for a user whose codes are guessed at, is not looked at: too many with the right key
   * came. It costs as much as any.
   */
  private isSeen(attempt: LoginAttempt, sealed: Credentials | undefined, isLate: boolean): boolean {
    if (!isLate && !this.codes.areGuessed(attempt.userId, this.now())) return true;
    if (!this.hasKey(attempt, sealed ?? this.nobody)) return true;
    return this.looks.take(attempt.userId, attempt.address, this.now());
  }

  private hasKey({ vendorCode, apiKey }: LoginAttempt, known: Credentials): boolean {
    const rightVendor = sameText(vendorCode, known.vendorCode);
    return sameText(sha256Hex(apiKey), known.apiKeyDigest) && rightVendor;
  }

  private checkCode(known: Credentials, totp: string, lastStep: number): { ok: boolean; step: number | undefined } {
    if (known.totpSecret === undefined) return { ok: true, step: undefined };
    const step = acceptedStep(known.totpSecret, totp, this.now(), lastStep);
    return { ok: step !== undefined, step };
  }

  private async open(
    attempt: LoginAttempt,
    known: LoginAccount,
    step: number | undefined,
    waitMs: number,
  ): Promise<LoginResult> {
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    if (!(await this.accounts.openSession(known, sha256Hex(token), step, attempt))) return this.refuse(attempt, waitMs);
    this.throttle.recordSuccess(attempt.userId, attempt.address);
    this.codes.recordSuccess(attempt.userId);
    this.known.add(attempt.userId, attempt.address);
    return { ok: true, account: known.account, token };
  }

  /** In a wait the answer is the wait, whatever was wrong; a try that comes too early makes it no longer. */
  private refuse({ userId, address }: LoginAttempt, waitMs: number): LoginResult {
    if (waitMs > 0) return { ok: false, why: 'Throttled', retryAfterSeconds: Math.ceil(waitMs / 1000) };
    this.throttle.recordFailure(userId, address, this.now());
    this.spraying.recordFailure('', address, this.now());
    return INVALID;
  }
}
