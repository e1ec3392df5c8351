/**
 * How operators renew API keys and reset credentials, and how a start reports keys that have ended.
 * Sealing credentials is the gateway's work.
 */
import type { AccountId } from '../../base/ids.ts';
import { MOST_NAMED, nameList } from '../../base/name-list.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { formatIsoDay, type IstDay, istDay, type WallMs } from '../../base/time.ts';
import { lastKeyDay } from '../../core/access/api-key.ts';
import type { UserCard } from '../../core/access/card-file.ts';
import type { Account } from '../../core/account.ts';
import { accountOf } from '../../core/state.ts';
import { type EnginePort, OPERATOR } from '../../engine/port.ts';
import { accountsInSlices } from './in-slices.ts';
import { freshApiKey, type IssuedCredentials, issueCredentials } from './issued-credentials.ts';
import type { Grounds } from './switch-operations.ts';

export interface KeyDeskParts {
  readonly engine: EnginePort;
  /** Puts another API key into a user's sealed credentials. */
  readonly withApiKey: (userId: string, sealed: string, apiKey: string) => string;
  /** Seals credentials for the journal. */
  readonly enrol: (credentials: IssuedCredentials) => Promise<string>;
  /** Whether the secrets of the demo users are there, so that a start can renew their keys. */
  readonly startRenewsDemo: () => boolean;
  readonly now: () => WallMs;
  /** Reports every key that is renewed, and the keys that have ended. */
  readonly log: (message: string) => void;
}

type KeyOwner = Pick<Account, 'id' | 'userId' | 'demo' | 'usesTotp'> & Pick<UserCard, 'sealedCredentials'>;

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

  /**
   * Gives a user fresh credentials and ends the sessions that the ones before opened. A message for a user who is
   * nobody, and for a demo user whose credentials the data folder has.
   */
  async reset(userId: string, grounds: Grounds): Promise<Result<IssuedCredentials, string>> {
    const account = await this.find(userId);
    if (account === undefined) return fail(`there is no user ${userId}`);
    if (account.demo && this.parts.startRenewsDemo())
      return fail(`${userId} is a demo user: the data folder has the credentials, and a start prints them`);
    const issued = issueCredentials(userId, account.usesTotp);
    await this.seal(account.id, await this.parts.enrol(issued), grounds);
    await this.endSessions(account.id);
    this.parts.log(`${userId} has other credentials, and no session, by ${grounds.by}: ${grounds.why}`);
    return ok(issued);
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
    const today = istDay(now());
    const named: string[] = [];
    let count = 0;
    await accountsInSlices(engine, (account) => {
      if (lastKeyDay(account) >= today) return true;
      count += 1;
      if (count <= MOST_NAMED) named.push(account.userId);
      return true;
    });
    if (count === 0) return;
    log(`API keys have ended: ${nameList(named, count)}; sauda user key renews one, a start those of demo users`);
  }

  private async find(userId: string): Promise<KeyOwner | undefined> {
    return this.parts.engine.read((state) => {
      const id = state.accountByUser.get(userId);
      if (id === undefined) return undefined;
      const { card, demo, usesTotp } = accountOf(state, id);
      const { sealedCredentials } = state.cards.read(card);
      return { id, userId, sealedCredentials, demo, usesTotp };
    });
  }

  /** The last day on which the key is good, when it is durable. */
  private async give({ id, userId, sealedCredentials }: KeyOwner, apiKey: string, grounds: Grounds): Promise<IstDay> {
    await this.seal(id, this.parts.withApiKey(userId, sealedCredentials, apiKey), grounds);
    return this.parts.engine.read((state) => lastKeyDay(accountOf(state, id)));
  }

  /** Puts sealed credentials in the place of those before; the API key among them is as of today. */
  private async seal(account: AccountId, sealedCredentials: string, { by, why }: Grounds): Promise<void> {
    const command = { type: 'RenewApiKey', account, sealedCredentials, by, why } as const;
    await this.parts.engine.submit({ command, origin: OPERATOR });
  }

  private async endSessions(account: AccountId): Promise<void> {
    const { engine } = this.parts;
    const digests = await engine.read((state) => accountOf(state, account).sessions);
    for (const tokenDigest of digests) {
      await engine.submit({ command: { type: 'CloseSession', tokenDigest }, origin: OPERATOR });
    }
  }
}
