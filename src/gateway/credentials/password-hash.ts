/**
 * The hashes of passwords: argon2id behind a keyed hash, as PHC strings that name their own cost.
 * The work runs on the threads of libuv's pool.
 */

import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** The cost of argon2id. A string of it names its own cost. */
export interface HashCost {
  readonly memoryKib: number;
  readonly passes: number;
}

/** Source: reliability §4. */
export const HASH_COST: HashCost = { memoryKib: 19_456, passes: 2 };
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,43})\$([A-Za-z0-9+/]{43})$/;

/**
 * Hashes what a client sends for its password, the SHA-256 of it in hex, as a PHC string. That digest is as good as the
 * password to whoever steals it, so it passes a keyed hash first: without the pepper the string cannot even be guessed
 * at. Tests whose subject is not the cost give a lower one.
 */
export async function hashPassword(
  pepper: Uint8Array,
  passwordDigest: string,
  { memoryKib, passes }: HashCost = HASH_COST,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await argon2id(pepper, passwordDigest, salt, memoryKib, passes, LANES);
  const parameters = `m=${memoryKib},t=${passes},p=${LANES}`;
  return `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(hash)}`;
}

/**
 * True when the digest is the one that the PHC string was made of. Throws when the text is not an argon2id PHC string.
 */
export async function verifyPassword(pepper: Uint8Array, passwordDigest: string, phc: string): Promise<boolean> {
  const match = PHC.exec(phc);
  if (!match) throw new Error('not an argon2id PHC string');
  const [, memory, passes, lanes, salt = '', expected = ''] = match;
  const nonce = Buffer.from(salt, 'base64');
  const hash = await argon2id(pepper, passwordDigest, nonce, Number(memory), Number(passes), Number(lanes));
  return timingSafeEqual(hash, Buffer.from(expected, 'base64'));
}

async function argon2id(
  pepper: Uint8Array,
  passwordDigest: string,
  nonce: Uint8Array,
  memory: number,
  passes: number,
  parallelism: number,
): Promise<Buffer> {
  const message = createHmac('sha256', pepper).update(passwordDigest.toLowerCase()).digest();
  return derive('argon2id', { message, nonce, memory, passes, parallelism, tagLength: HASH_BYTES });
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}
