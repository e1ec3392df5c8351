import { type Coding, type PageFile, smallest } from './page-files.ts';
import { PAGE_HEADERS } from './page-policy.ts';

/** `Cache-Control` of a file whose address changes with its content. */
export const KEPT_FOR_A_YEAR = 'public, max-age=31536000, immutable';

/** A file of the page as a port sends it to one client. */
export interface PageAnswer {
  readonly type: string;
  readonly bytes: Buffer;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** How long stores may keep it, in the words of `Cache-Control`; nowhere when absent. */
  readonly cache?: string;
}

/** A file for a client that reads these codings: as small as it can be, and HTML under the policy of the page. */
export function pageAnswer(file: PageFile, accepts: (coding: Coding) => boolean): PageAnswer {
  const { bytes, coding } = smallest(file, accepts);
  const packed = coding === undefined ? [] : ['content-encoding', coding];
  const guarded = file.type.startsWith('text/html') ? PAGE_HEADERS : [];
  const headers = [...packed, 'vary', 'accept-encoding', ...guarded];
  return { type: file.type, bytes, headers, ...(file.isHashed && { cache: KEPT_FOR_A_YEAR }) };
}
