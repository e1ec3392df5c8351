/**
 * The settings of the server, from the environment: the service, the credentials of the user, and for the tools of the
 * clock the operator's port.
 */

import type { OperatorAccess } from '../../client/src/operator-port.ts';
import type { ClientVariable } from '../client-variables.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The two factors of a login, which the server makes itself. */
export interface LoginSettings {
  readonly password: string;
  readonly apiKey: string;
  readonly vendorCode: string | undefined;
  /** In base 32; absent for a user without codes. */
  readonly totpSecret: string | undefined;
}

export interface ServiceSettings {
  /** Scheme, host and port, without a slash at the end. */
  readonly origin: string;
  readonly userId: string;
  /** The token of a session that somebody else has opened. */
  readonly jKey: string | undefined;
  readonly login: LoginSettings | undefined;
  /** The token that agents must bring over HTTP. */
  readonly bearer: string | undefined;
  /** Absent without the operator's token. */
  readonly operator: OperatorAccess | undefined;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';
const OPERATOR_URL = 'http://127.0.0.1:8081';
/** Stands in the journal as the one who acts. */
const BY = 'sauda mcp';

/** A variable of the environment is missing or wrong. The message names it, never its value. */
export class EnvironmentFault extends Error {
  override readonly name = 'EnvironmentFault';
}

/** Throws `EnvironmentFault`. */
export function settingsOf(env: Environment): ServiceSettings {
  const userId = given(env, 'SAUDA_USER');
  if (userId === undefined) throw new EnvironmentFault('SAUDA_USER is not set');
  const jKey = given(env, 'SAUDA_JKEY');
  const login = loginOf(env);
  if (jKey === undefined && login === undefined) {
    throw new EnvironmentFault('set SAUDA_JKEY, or SAUDA_PASSWORD and SAUDA_API_KEY');
  }
  const origin = originOf(given(env, 'SAUDA_URL') ?? DEFAULT_URL);
  return { origin, userId, jKey, login, bearer: given(env, 'SAUDA_MCP_TOKEN'), operator: operatorOf(env, origin) };
}

function operatorOf(env: Environment, users: string): OperatorAccess | undefined {
  const token = given(env, 'SAUDA_OPERATOR_TOKEN');
  if (token === undefined) return undefined;
  if (!/^[0-9a-f]{64}$/.test(token)) {
    throw new EnvironmentFault('SAUDA_OPERATOR_TOKEN is not the content of operator.token');
  }
  const { origin, pathname } = addressOf('SAUDA_OPERATOR_URL', given(env, 'SAUDA_OPERATOR_URL') ?? OPERATOR_URL);
  if (pathname !== '/') throw new EnvironmentFault('SAUDA_OPERATOR_URL has a path');
  if (origin === users) throw new EnvironmentFault('SAUDA_OPERATOR_URL is the address of SAUDA_URL');
  return { url: origin, token, by: BY };
}

function loginOf(env: Environment): LoginSettings | undefined {
  const password = given(env, 'SAUDA_PASSWORD');
  const apiKey = given(env, 'SAUDA_API_KEY');
  if (password === undefined || apiKey === undefined) return undefined;
  const totpSecret = given(env, 'SAUDA_TOTP_SECRET');
  if (totpSecret !== undefined && !/^[A-Za-z2-7 =-]+$/.test(totpSecret)) {
    throw new EnvironmentFault('SAUDA_TOTP_SECRET is not in base 32');
  }
  return { password, apiKey, vendorCode: given(env, 'SAUDA_VENDOR_CODE'), totpSecret };
}

/** Blank counts as not set. */
function given(env: Environment, name: ClientVariable): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

/** `SAUDA_URL` may end with the version segment. */
function originOf(url: string): string {
  const { origin, pathname } = addressOf('SAUDA_URL', url);
  if (!/^\/(?:V1\/?)?$/.test(pathname)) throw new EnvironmentFault('SAUDA_URL has a path that is not /V1');
  return origin;
}

/** The address that a variable holds; it has no credentials, and none after `#`, where the operator's page has one. */
function addressOf(name: ClientVariable, url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new EnvironmentFault(`${name} is not an address of http or https`);
  }
  if (`${parsed.username}${parsed.password}${parsed.hash}` !== '') {
    throw new EnvironmentFault(`${name} must not hold credentials`);
  }
  return parsed;
}
