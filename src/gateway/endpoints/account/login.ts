/**
 * The operation `/login`: takes the fields of a login and answers with the token of a new session. The credentials are
 * checked by `credentials/`, not here.
 */

import Type from 'typebox';
import type { State } from '../../../core/state.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayDeps } from '../../deps.ts';
import { anyText, plain } from '../../fields/answers.ts';
import { type Failure, INVALID_CREDENTIALS, tooMany, UNAVAILABLE } from '../../fields/envelope.ts';
import { optional, text } from '../../fields/fields.ts';
import type { LoginResult } from '../../logins.ts';
import { operation, success } from '../../operation.ts';

/** The answer of every operation that opens a session. */
export const loggedIn = success(
  'Login successful',
  Type.Object({
    actid: anyText('account id'),
    userName: anyText(),
    susertoken: plain('^[0-9a-f]{64}$', 'the session token, sent back as jKey'),
    email: anyText(),
  }),
);

/** Source: interface §login, contract 3.1. */
export const login = operation({
  path: '/login',
  summary: 'Log in and receive a session token',
  request: Type.Object({
    userId: text(64),
    password: text(128, { description: 'SHA-256 of the password in hex; the password itself is never sent' }),
    TOTP: optional(
      text(16, { 'x-number': true, 'x-digits': 6, description: 'one-time code; not for accounts without TOTP' }),
    ),
    vendorCode: text(128),
    apiKey: text(128),
  }),
  missing: 'MISSING_FIELD',
  needs: ({ userId, TOTP }, { engine }) =>
    TOTP === undefined ? engine.read((state) => (needsCode(state, userId) ? ['TOTP'] : [])) : [],
  rate: 'other',
  forStrangers: true,
  answer: loggedIn,
  handle: async (deps, fields, caller): Promise<Answer> => {
    const { userId, password, TOTP, vendorCode, apiKey } = fields;
    const attempt = {
      userId,
      passwordDigest: password,
      totp: TOTP ?? '',
      vendorCode,
      apiKey,
      address: caller.from.address,
    };
    return loginAnswer(deps, await deps.logins.login(attempt));
  },
});

/** A user that does not exist is asked for a code too: the answer must not show which users exist. */
function needsCode(state: State, userId: unknown): boolean {
  const account = typeof userId === 'string' ? state.accountByUser.get(userId) : undefined;
  return account === undefined || state.accounts.at(account)?.usesTotp !== false;
}

/** Answers a try to log in with the token of its session, or with its refusal. */
export async function loginAnswer(deps: GatewayDeps, result: LoginResult): Promise<Answer> {
  if (!result.ok) return refusalOf(result);
  return deps.engine.read((state) => {
    const owner = state.accounts.at(result.account);
    if (!owner) return INVALID_CREDENTIALS;
    return loggedIn.write({
      actid: owner.userId,
      userName: owner.name,
      susertoken: result.token,
      email: state.cards.read(owner.card).email,
    });
  });
}

function refusalOf(result: Extract<LoginResult, { ok: false }>): Failure {
  switch (result.why) {
    case 'InvalidCredentials':
      return INVALID_CREDENTIALS;
    case 'Throttled':
      return tooMany(result.retryAfterSeconds ?? 1);
    case 'Busy':
      return UNAVAILABLE;
  }
}
