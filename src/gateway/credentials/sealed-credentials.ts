import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Everything that a login of one user is checked against. Plain only in memory, and only for the time of a check. */
export interface Credentials {
  /** The argon2id PHC string of the password. */
  readonly passwordHash: string;
  /** The base32 secret of the one-time codes; absent when the user has none. */
  readonly totpSecret?: string;
  readonly vendorCode: string;
  /** SHA-256 of the API key in hex. */
  readonly apiKeyDigest: string;
}

/**
 * Encrypts credentials with AES-256-GCM for the journal. The user id is authenticated with them: credentials that were
 * sealed for one user do not open for another.
 */
export function sealCredentials(key: Uint8Array, userId: string, credentials: Credentials): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(userId, 'utf8'));
  const hidden = Buffer.concat([cipher.update(JSON.stringify(credentials), 'utf8'), cipher.final()]);
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')}`;
}

/** Opens what `sealCredentials` made with the same key for the same user; throws for anything else. */
export function openCredentials(key: Uint8Array, userId: string, sealed: string): Credentials {
  if (!sealed.startsWith(`${VERSION}.`)) throw new Error(`credentials of ${userId} are sealed in an unknown way`);
  const bytes = Buffer.from(sealed.slice(VERSION.length + 1), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(userId, 'utf8'));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(plain.toString('utf8')) as Credentials;
}
