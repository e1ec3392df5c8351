import { createHash } from 'node:crypto';
import type { CredentialKeys } from './key-file.ts';
import { hashPassword } from './password-hash.ts';
import { type Credentials, sealCredentials } from './sealed-credentials.ts';

/** What a user is given to log in with, in plain text. */
export interface PlainCredentials {
  readonly userId: string;
  readonly password: string;
  readonly totpSecret?: string;
  readonly vendorCode: string;
  readonly apiKey: string;
}

/** Makes the one opaque text that `RegisterUser` carries. Nothing in it can be read without the key file. */
export async function enrol(keys: CredentialKeys, plain: PlainCredentials): Promise<string> {
  const credentials: Credentials = {
    passwordHash: await hashPassword(keys.pepper, sha256(plain.password)),
    ...(plain.totpSecret === undefined ? {} : { totpSecret: plain.totpSecret }),
    vendorCode: plain.vendorCode,
    apiKeyDigest: sha256(plain.apiKey),
  };
  return sealCredentials(keys.sealing, plain.userId, credentials);
}

/** SHA-256 of a text in lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
