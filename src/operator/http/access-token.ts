import { randomBytes } from 'node:crypto';
import { sameText } from '../../os/digest.ts';
import { readIfPresent, writeDurably } from '../../os/durable-file.ts';

const TOKEN_BYTES = 32;

/** The token that operator actions need. It lives in a file that only the owner of the data folder reads. */
export function readAccessToken(path: string): string | undefined {
  const token = readIfPresent(path)?.trim();
  return token !== undefined && /^[0-9a-f]{64}$/.test(token) ? token : undefined;
}

/** The token of the data folder; the first start, or one after the file was removed, makes it. */
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
