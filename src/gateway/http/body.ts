import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** The largest body in bytes. Source: contract W1, W14. */
export const BODY_LIMIT = 65_536;

/** True when a request says that its body is JSON, in any letter case and with any parameters. */
export function hasJsonType({ headers }: IncomingMessage): boolean {
  const type = headers['content-type'];
  if (type === 'application/json') return true;
  if (type === undefined) return false;
  const end = type.indexOf(';');
  const media = end < 0 ? type : type.slice(0, end);
  return media.trim().toLowerCase() === 'application/json';
}

/** True when a body is sent as it is: nothing but `identity` is named as its encoding. Source: RFC 9110 §8.4. */
export function isUncoded({ headers }: IncomingMessage): boolean {
  const codings = headers['content-encoding'];
  return codings === undefined || /^(?:identity|[ \t,])*$/i.test(codings);
}

/** The text of a body that begins at `start`; `undefined` when it is not UTF-8. */
export function textOf(bytes: Buffer, start: number): string | undefined {
  const text = bytes.toString('utf8', start);
  // Wrong bytes become this character; right ones may say it too.
  return text.includes('\ufffd') && !isUtf8(bytes.subarray(start)) ? undefined : text;
}

/**
 * Reads the body of a request and hands it over, or hands over `undefined` when it is too large, without reading on.
 * Nothing is handed over when the client goes away.
 */
export function readBody(request: IncomingMessage, take: (body: Buffer | undefined) => void): void {
  if (Number(request.headers['content-length']) > BODY_LIMIT) {
    take(undefined);
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    const before = length;
    length += chunk.length;
    if (length <= BODY_LIMIT) chunks.push(chunk);
    // The bytes that still come are dropped, unread.
    else if (before <= BODY_LIMIT) take(undefined);
  });
  request.on('end', () => {
    if (length <= BODY_LIMIT) take(Buffer.concat(chunks));
  });
}
