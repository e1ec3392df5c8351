import { hash } from 'node:crypto';
import { lastKeyDay } from '../../core/access/api-key.ts';
import type { OpenSession } from '../../core/command.ts';
import { accountOf, type State } from '../../core/state.ts';
import type { EnginePort, Origin } from '../../engine/port.ts';
import type { LoginAttempt } from '../logins.ts';
import type { LoginAccount, LoginAccounts } from './credential-logins.ts';

/** An API key is named by this number of digits of its digest. They cannot be used as the key. */
const KEY_DIGITS = 8;

/** The accounts of the running engine, as a login needs them. */
export function engineAccounts(engine: EnginePort): LoginAccounts {
  return {
    find(userId: string): LoginAccount | undefined | Promise<LoginAccount | undefined> {
      return engine.read((state) => {
        const id = state.accountByUser.get(userId);
        const account = id === undefined ? undefined : state.accounts.at(id);
        if (!account) return undefined;
        const { lastTotpStep, access, card } = account;
        const { sealedCredentials } = state.cards.read(card);
        const addresses = access?.registered?.addresses ?? [];
        return { account: account.id, sealedCredentials, lastTotpStep, lastKeyDay: lastKeyDay(account), addresses };
      });
    },

    async openSession(
      { account, sealedCredentials }: LoginAccount,
      tokenDigest: string,
      totpStep: number | undefined,
      attempt: LoginAttempt,
    ): Promise<boolean> {
      const step = totpStep === undefined ? {} : { totpStep };
      const command = { type: 'OpenSession', account, tokenDigest, ...step } as const;
      // The check of a password takes long: the credentials may have been reset or renewed since they were read.
      const made = (state: State): OpenSession | undefined => {
        const { card } = accountOf(state, account);
        return state.cards.read(card).sealedCredentials === sealedCredentials ? command : undefined;
      };
      const reply = await engine.submit({ command, origin: originOf(attempt), made });
      return reply.type !== 'Refused' && (await engine.read((state) => state.sessions.has(tokenDigest)));
    },
  };
}

function originOf({ address, vendorCode, apiKey }: LoginAttempt): Origin {
  return { type: 'Login', address, vendorCode, keyName: hash('sha256', apiKey).slice(0, KEY_DIGITS) };
}
