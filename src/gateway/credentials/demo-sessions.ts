/**
 * Logins of demo users without credentials: the session is opened as behind the factors of `credential-logins.ts`, is
 * counted among the user's sessions and stands in the journal and in the audit trail.
 */

import { randomBytes } from 'node:crypto';
import type { AccountId } from '../../base/ids.ts';
import type { WallMs } from '../../base/time.ts';
import type { EnginePort } from '../../engine/port.ts';
import { sha256Hex } from '../../os/digest.ts';
import type { DemoLogins, LoginResult } from '../logins.ts';
import { TokenBuckets } from '../rate.ts';

/** Each login is a record of the journal, and costs its sender nothing: the service takes no more than these. */
const LOGINS_PER_SECOND = 5;
const ALL = '';
const TOKEN_BYTES = 32;

export class DemoSessions implements DemoLogins {
  private readonly engine: EnginePort;
  private readonly wall: () => WallMs;
  private readonly logins = new TokenBuckets();

  constructor(engine: EnginePort, wall: () => WallMs) {
    this.engine = engine;
    this.wall = wall;
  }

  async enter(userId: string, address: string): Promise<LoginResult> {
    const account = await this.find(userId);
    if (account === undefined) return { ok: false, why: 'InvalidCredentials' };
    const wait = this.logins.take(ALL, LOGINS_PER_SECOND, this.wall());
    if (wait > 0) return { ok: false, why: 'Throttled', retryAfterSeconds: wait };
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    const command = { type: 'OpenSession', account, tokenDigest: sha256Hex(token) } as const;
    await this.engine.submit({ command, origin: { type: 'DemoLogin', address } });
    return { ok: true, account, token };
  }

  private async find(userId: string): Promise<AccountId | undefined> {
    return this.engine.read((state) => {
      const id = state.accountByUser.get(userId);
      return id !== undefined && state.accounts.at(id)?.demo ? id : undefined;
    });
  }
}
