import { sha256Hex } from '../../os/digest.ts';
import type { CredentialKeys } from './key-file.ts';
import { type HashCost, hashPassword } from './password-hash.ts';
import { type Credentials, openCredentials, sealCredentials } from './sealed-credentials.ts';

/** The credentials that a user is given to log in with, in plain text. */
export interface PlainCredentials {
  readonly userId: string;
  readonly password: string;
  readonly totpSecret?: string;
  readonly vendorCode: string;
  readonly apiKey: string;
}

/**
 * Makes the one opaque text that `RegisterUser` carries. Nothing in it can be read without the key file. `cost`: as of
 * `hashPassword`.
 */
export async function enrol(keys: CredentialKeys, plain: PlainCredentials, cost?: HashCost): Promise<string> {
  const credentials: Credentials = {
    passwordHash: await hashPassword(keys.pepper, sha256Hex(plain.password), cost),
    ...(plain.totpSecret === undefined ? {} : { totpSecret: plain.totpSecret }),
    vendorCode: plain.vendorCode,
    apiKeyDigest: sha256Hex(plain.apiKey),
  };
  return sealCredentials(keys.sealing, plain.userId, credentials);
}

/** The same credentials with another API key. Throws when they were not sealed with these keys for that user. */
export function withApiKey(keys: CredentialKeys, userId: string, sealed: string, apiKey: string): string {
  const credentials = openCredentials(keys.sealing, userId, sealed);
  return sealCredentials(keys.sealing, userId, { ...credentials, apiKeyDigest: sha256Hex(apiKey) });
}
