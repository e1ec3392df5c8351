import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '../../base/ids.ts';
import { type EpochMs, type IstDay, istDay } from '../../base/time.ts';
import { countedAs } from '../client-address.ts';
import type { LoginAttempt, LoginResult, Logins } from '../logins.ts';
import { sha256 } from './enrolment.ts';
import { FairQueue, QueueFull } from './fair-queue.ts';
import type { CredentialKeys } from './key-file.ts';
import { KnownAddresses } from './known-addresses.ts';
import { LoginThrottle } from './login-throttle.ts';
import { acceptedStep } from './one-time-code.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { type Credentials, openCredentials } from './sealed-credentials.ts';

/** Password checks that may wait in each line; one runs at a time. Source: reliability §4. */
const QUEUE_LIMIT = 32;
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
  /** `undefined` for a user id that is nobody's. */
  find(userId: string): LoginAccount | undefined | Promise<LoginAccount | undefined>;
  /**
   * Opens a session and resolves when it is durable; false when the step of the one-time code was used up meanwhile.
   * Rejects with `Unavailable` when the engine takes no commands.
   */
  openSession(
    account: AccountId,
    tokenDigest: string,
    totpStep: number | undefined,
    attempt: LoginAttempt,
  ): Promise<boolean>;
}

export interface CredentialLoginsOptions {
  readonly keys: CredentialKeys;
  readonly accounts: LoginAccounts;
  /** The wall clock, as one-time codes follow it. */
  readonly now: () => EpochMs;
}

/**
 * Checks every factor of a login and opens a session. Whatever is wrong, and whether or not the user exists, the same work is
 * done and the same answer given; an API key that has ended is a wrong one. Order: throttle, password, vendor code and API key,
 * one-time code. Source: contract W5, W24, W26, market-rules R9.8, reliability §4.
 */
export class CredentialLogins implements Logins {
  private readonly keys: CredentialKeys;
  private readonly accounts: LoginAccounts;
  private readonly now: () => EpochMs;
  private readonly throttle = new LoginThrottle();
  private readonly known = new KnownAddresses();
  private readonly queue = new FairQueue(QUEUE_LIMIT);
  private readonly nobody: Credentials;

  private constructor(options: CredentialLoginsOptions, nobody: Credentials) {
    this.keys = options.keys;
    this.accounts = options.accounts;
    this.now = options.now;
    this.nobody = nobody;
  }

  /** Prepares the record that unknown users are checked against, which costs one password hash. */
  static async create(options: CredentialLoginsOptions): Promise<CredentialLogins> {
    const chance = randomBytes(TOKEN_BYTES).toString('hex');
    const nobody: Credentials = {
      passwordHash: await hashPassword(options.keys.pepper, chance),
      totpSecret: 'A'.repeat(32),
      vendorCode: chance,
      apiKeyDigest: sha256(chance),
    };
    return new CredentialLogins(options, nobody);
  }

  async login(attempt: LoginAttempt): Promise<LoginResult> {
    const early = this.throttled(attempt);
    if (early) return early;
    try {
      const known = await this.isKnown(attempt);
      return await this.queue.run(() => this.check(attempt), { source: countedAs(attempt.address), known });
    } catch (error) {
      if (error instanceof QueueFull) return BUSY;
      throw error;
    }
  }

  /** Whether the user has logged in from there before, or has registered it: a flood from elsewhere does not stand in his way. */
  private async isKnown({ userId, address }: LoginAttempt): Promise<boolean> {
    if (this.known.has(userId, address)) return true;
    const account = await this.accounts.find(userId);
    return account?.addresses.includes(address) ?? false;
  }

  private throttled(attempt: LoginAttempt): LoginResult | undefined {
    const waitMs = this.throttle.waitMs(attempt.userId, attempt.address, this.now());
    if (waitMs === 0) return undefined;
    return { ok: false, why: 'Throttled', retryAfterSeconds: Math.ceil(waitMs / 1000) };
  }

  /** Runs alone: no other login is between the throttle's answer and the failure that it may have to count. */
  private async check(attempt: LoginAttempt): Promise<LoginResult> {
    const late = this.throttled(attempt);
    if (late) return late;
    const account = await this.accounts.find(attempt.userId);
    const known = account ? openCredentials(this.keys.sealing, attempt.userId, account.sealedCredentials) : this.nobody;
    const password = await verifyPassword(this.keys.pepper, attempt.passwordDigest, known.passwordHash);
    const vendorCode = sameText(attempt.vendorCode, known.vendorCode);
    const rightKey = sameText(sha256(attempt.apiKey), known.apiKeyDigest);
    const apiKey = rightKey && (account === undefined || istDay(this.now()) <= account.lastKeyDay);
    const code = this.checkCode(known, attempt.totp, account?.lastTotpStep ?? 0);
    if (!account || !password || !vendorCode || !apiKey || !code.ok) return this.refuse(attempt);
    return this.open(attempt, account.account, code.step);
  }

  private checkCode(known: Credentials, totp: string, lastStep: number): { ok: boolean; step: number | undefined } {
    if (known.totpSecret === undefined) return { ok: true, step: undefined };
    const step = acceptedStep(known.totpSecret, totp, this.now(), lastStep);
    return { ok: step !== undefined, step };
  }

  private async open(attempt: LoginAttempt, account: AccountId, step: number | undefined): Promise<LoginResult> {
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    if (!(await this.accounts.openSession(account, sha256(token), step, attempt))) return this.refuse(attempt);
    this.throttle.recordSuccess(attempt.userId, attempt.address);
    this.known.add(attempt.userId, attempt.address);
    return { ok: true, account, token };
  }

  private refuse(attempt: LoginAttempt): LoginResult {
    this.throttle.recordFailure(attempt.userId, attempt.address, this.now());
    return INVALID;
  }
}

/** Compares without telling by its time where two texts differ, nor how long they are. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(a), digest(b));
}
