/**
 * How operators renew the API keys of users, and how a start reports keys that have ended.
 * Sealing credentials is the gateway's work.
 */
import { nameList } from '../../base/name-list.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { formatIsoDay, type IstDay, istDay, type WallMs } from '../../base/time.ts';
import { lastKeyDay } from '../../core/access/api-key.ts';
import type { Account } from '../../core/account.ts';
import { accountOf } from '../../core/state.ts';
import { type EnginePort, OPERATOR } from '../../engine/port.ts';
import { freshApiKey, type IssuedCredentials } from './issued-credentials.ts';
import type { Grounds } from './switch-operations.ts';

export interface KeyDeskParts {
  readonly engine: EnginePort;
  /** Puts another API key into a user's sealed credentials. */
  readonly withApiKey: (userId: string, sealed: string, apiKey: string) => string;
  /** Whether the secrets of the demo users are there, so that a start can renew their keys. */
  readonly startRenewsDemo: () => boolean;
  readonly now: () => WallMs;
  /** Reports every key that is renewed, and the keys that have ended. */
  readonly log: (message: string) => void;
}

/** A fresh API key, which exists nowhere else in plain text, and the last day on which it is good. */
export interface IssuedKey {
  readonly userId: string;
  readonly apiKey: string;
  /** `YYYY-MM-DD` */
  readonly goodUntil: string;
}

/**
 * Renews API keys, which are good for 365 days: commands like all others, journaled with who and why. Source:
 * market-rules R9.8.
 */
export class KeyOperations {
  private readonly parts: KeyDeskParts;

  constructor(parts: KeyDeskParts) {
    this.parts = parts;
  }

  /**
   * Gives a user a fresh key; the one before is refused from then on. A message for a user who is nobody, and for a
   * demo user whose key a start renews.
   */
  async renew(userId: string, grounds: Grounds): Promise<Result<IssuedKey, string>> {
    const account = await this.find(userId);
    if (account === undefined) return fail(`there is no user ${userId}`);
    if (account.demo && this.parts.startRenewsDemo())
      return fail(`${userId} is a demo user: a start renews the key before it ends`);
    const apiKey = freshApiKey();
    const goodUntil = formatIsoDay(await this.give(account, apiKey, grounds));
    this.parts.log(`${userId} has another API key, good until ${goodUntil}, by ${grounds.by}: ${grounds.why}`);
    return ok({ userId, apiKey, goodUntil });
  }

  /** Gives demo users the keys that were issued for them. */
  async renewDemo(users: readonly IssuedCredentials[], grounds: Grounds): Promise<void> {
    for (const { userId, apiKey } of users) {
      const account = await this.find(userId);
      if (account?.demo) await this.give(account, apiKey, grounds);
    }
  }

  /** Whether the key of one of these users is good for fewer days than that, today the first. */
  async endsWithin(users: readonly IssuedCredentials[], days: number): Promise<boolean> {
    const { engine, now } = this.parts;
    return engine.read((state) => {
      return users.some(({ userId }) => {
        const id = state.accountByUser.get(userId);
        return id !== undefined && lastKeyDay(accountOf(state, id)) - istDay(now()) < days;
      });
    });
  }

  /** Reports the keys that have ended by now: an earlier version, or a service that was off, has not reported them. */
  async warnOfEndedKeys(): Promise<void> {
    const { engine, now, log } = this.parts;
    const ended = await engine.read(({ accounts }) => {
      return accounts.filter((account) => lastKeyDay(account) < istDay(now())).map(({ userId }) => userId);
    });
    if (ended.length === 0) return;
    log(`API keys have ended: ${nameList(ended)}; sauda user key renews one, a start those of demo users`);
  }

  private async find(
    userId: string,
  ): Promise<Pick<Account, 'id' | 'userId' | 'sealedCredentials' | 'demo'> | undefined> {
    return this.parts.engine.read((state) => {
      const id = state.accountByUser.get(userId);
      if (id === undefined) return undefined;
      const { sealedCredentials, demo } = accountOf(state, id);
      return { id, userId, sealedCredentials, demo };
    });
  }

  /** The last day on which the key is good, when it is durable. */
  private async give(
    { id, userId, sealedCredentials }: Pick<Account, 'id' | 'userId' | 'sealedCredentials'>,
    apiKey: string,
    { by, why }: Grounds,
  ): Promise<IstDay> {
    const { engine, withApiKey } = this.parts;
    const sealed = withApiKey(userId, sealedCredentials, apiKey);
    await engine.submit({
      command: { type: 'RenewApiKey', account: id, sealedCredentials: sealed, by, why },
      origin: OPERATOR,
    });
    return engine.read((state) => lastKeyDay(accountOf(state, id)));
  }
}
