import type { RequestTrail } from '../../audit/port.ts';
import type { AccountId } from '../../base/ids.ts';
import { lastKeyDay } from '../../core/access/api-key.ts';
import type { EnginePort } from '../../engine/port.ts';
import type { LoginAttempt } from '../logins.ts';
import type { LoginAccount, LoginAccounts } from './credential-logins.ts';

/** The accounts of the running engine, as a login needs them. */
export function engineAccounts(engine: EnginePort, trail?: RequestTrail): LoginAccounts {
  return {
    find(userId: string): LoginAccount | undefined | Promise<LoginAccount | undefined> {
      return engine.read((state) => {
        const id = state.accountByUser.get(userId);
        const account = id === undefined ? undefined : state.accounts[id];
        if (!account) return undefined;
        const { sealedCredentials, lastTotpStep, access } = account;
        const addresses = access?.registered?.addresses ?? [];
        return { account: account.id, sealedCredentials, lastTotpStep, lastKeyDay: lastKeyDay(account), addresses };
      });
    },

    async openSession(
      account: AccountId,
      tokenDigest: string,
      totpStep: number | undefined,
      attempt: LoginAttempt,
    ): Promise<boolean> {
      const step = totpStep === undefined ? {} : { totpStep };
      trail?.beginLogin(attempt, attempt);
      const replying = engine.submit({ type: 'OpenSession', account, tokenDigest, ...step });
      trail?.end();
      const reply = await replying;
      return reply.type !== 'Refused' && (await engine.read((state) => state.sessions.has(tokenDigest)));
    },
  };
}
