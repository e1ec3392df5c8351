/**
 * The questions of one member to another for imported files and for its audit trail. All members have one key file, so
 * a question carries a mark that only they can make. It holds for a minute; a copy of it gets the same answer once more
 * and nothing else.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CredentialKeys } from '../../../gateway/credentials/key-file.ts';
import { SHARED_FILES_PATH } from '../../../gateway/standby/shared-files.ts';

/** The wish for a list of files, or for a piece of one. */
export interface FileQuestion {
  /** `list` for the imported files, `trail` for those of the audit trail, the digest of a file, the day of a trail. */
  readonly want: string;
  /** The first byte of a piece, or the first day of a trail's files; 0 for the list. */
  readonly from: number;
}

/** Clocks of members are this far apart at most. In milliseconds. */
const MOST_APART_MS = 60_000;
const WANT = /^(?:list|trail|[0-9a-f]{64}|\d{4}-\d{2}-\d{2})$/;
const NUMBER = /^\d{1,15}$/;

/** The target of a question, such as `/cluster/files?want=list&from=0&at=...&mark=...`. `wall` in milliseconds. */
export function questionTarget({ want, from }: FileQuestion, keys: CredentialKeys, wall: number): string {
  const at = String(Math.trunc(wall));
  const query = new URLSearchParams({ want, from: String(from), at, mark: markOf(keys, want, String(from), at) });
  return `${SHARED_FILES_PATH}?${query}`;
}

/** The question of a target; `undefined` when no member asked it, or one asked it more than a minute ago. */
export function questionOf(target: string, keys: CredentialKeys, wall: number): FileQuestion | undefined {
  const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
  const [want = '', from = '', at = '', mark = ''] = ['want', 'from', 'at', 'mark'].map(
    (name) => query.get(name) ?? '',
  );
  if (!WANT.test(want) || !NUMBER.test(from) || !NUMBER.test(at)) return undefined;
  const expected = Buffer.from(markOf(keys, want, from, at));
  const given = Buffer.from(mark);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return Math.abs(wall - Number(at)) <= MOST_APART_MS ? { want, from: Number(from) } : undefined;
}

function markOf({ sealing }: CredentialKeys, want: string, from: string, at: string): string {
  const key = createHmac('sha256', sealing).update('sauda cluster files').digest();
  return createHmac('sha256', key).update(`${want}\n${from}\n${at}`).digest('hex');
}
