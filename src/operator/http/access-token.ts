import { randomBytes } from 'node:crypto';
import { CommandFailed, EXIT_CONFIG } from '../../os/command-failed.ts';
import { sameText } from '../../os/digest.ts';
import { exposure, readIfPresent, writeDurably } from '../../os/durable-file.ts';

const TOKEN_BYTES = 32;

/**
 * The token that operator actions need; `undefined` where none was made. Throws `CommandFailed` for a file that others
 * than the owner of the data folder may use.
 */
export function readAccessToken(path: string): string | undefined {
  const text = readIfPresent(path);
  if (text === undefined) return undefined;
  const exposed = exposure(path);
  if (exposed !== undefined) {
    throw new CommandFailed(`${exposed}, or remove it: the next start makes another`, EXIT_CONFIG);
  }
  const token = text.trim();
  return /^[0-9a-f]{64}$/.test(token) ? token : undefined;
}

/** The token of the data folder; the first start, or one after the file was removed, makes it. Throws as above. */
export function ensureAccessToken(path: string): string {
  const known = readAccessToken(path);
  if (known !== undefined) return known;
  const token = randomBytes(TOKEN_BYTES).toString('hex');
  writeDurably(path, `${token}\n`);
  return token;
}

/** True when an `Authorization` header carries the token. Takes the same time wherever they differ. */
export function carriesToken(header: string | undefined, token: string): boolean {
  return sameText(header ?? '', `Bearer ${token}`);
}
