import { createHash, randomBytes } from 'node:crypto';
import { createDurably, exposure, readIfPresent } from '../../os/durable-file.ts';

const KEY_BYTES = 32;
const VERSION = 1;

/** The two secrets that stand between a stolen journal and a login. They live in one file that only its owner reads. */
export interface CredentialKeys {
  /** The AES-256 key over every user's credentials. */
  readonly sealing: Uint8Array;
  /** The key of the HMAC that comes before the password hash. Source: reliability §4. */
  readonly pepper: Uint8Array;
  /** Names the pair without revealing it, so that a start with another key file is noticed. */
  readonly fingerprint: string;
}

/** The key file holds no keys that this build can use. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** Fresh keys from the system's source of chance. */
export function newKeys(): CredentialKeys {
  return keysOf(randomBytes(KEY_BYTES), randomBytes(KEY_BYTES));
}

/**
 * Reads the keys; `undefined` when there is no such file. Throws `KeyFileError` for a file that is damaged, or that
 * others than its owner may use.
 */
export function readKeyFile(path: string): CredentialKeys | undefined {
  const text = readIfPresent(path);
  if (text === undefined) return undefined;
  const exposed = exposure(path);
  if (exposed !== undefined) throw new KeyFileError(exposed);
  const match = /^sauda-keys (\d+) ([0-9a-f]{64}) ([0-9a-f]{64})\n$/.exec(text);
  if (!match || Number(match[1]) !== VERSION) throw new KeyFileError(`${path} is damaged or of another version`);
  return keysOf(Buffer.from(match[2] ?? '', 'hex'), Buffer.from(match[3] ?? '', 'hex'));
}

/**
 * Writes keys durably to a file that does not exist yet, readable by its owner only. False when it exists by now; then
 * the keys in it are the ones that count.
 */
export function createKeyFile(path: string, keys: CredentialKeys): boolean {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  return createDurably(path, `sauda-keys ${VERSION} ${hex(keys.sealing)} ${hex(keys.pepper)}\n`);
}

function keysOf(sealing: Uint8Array, pepper: Uint8Array): CredentialKeys {
  const fingerprint = createHash('sha256').update('sauda key fingerprint').update(sealing).update(pepper);
  return { sealing, pepper, fingerprint: fingerprint.digest('hex').slice(0, 16) };
}
