import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 in lower-case hex; of a text as UTF-8. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Compares two texts. Its time does not show where they differ, nor how long they are. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(a), digest(b));
}
