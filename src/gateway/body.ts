import type { IncomingMessage } from 'node:http';

/** Source: contract W1, W14. */
const BODY_LIMIT = 65_536;

/** True when a request says that its body is JSON, in any letter case and with any parameters. */
export function hasJsonType({ headers }: IncomingMessage): boolean {
  const type = headers['content-type'];
  if (type === 'application/json') return true;
  if (type === undefined) return false;
  const end = type.indexOf(';');
  const media = end < 0 ? type : type.slice(0, end);
  return media.trim().toLowerCase() === 'application/json';
}

/**
 * Reads the body of a request and hands over what it says: the parsed value, `undefined` when it is no JSON, or that it is too large,
 * which is told without reading on. Nothing is handed over when the client goes away.
 */
export function readJson(request: IncomingMessage, take: (body: unknown | 'too large') => void): void {
  if (Number(request.headers['content-length']) > BODY_LIMIT) {
    take('too large');
    return;
  }
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > BODY_LIMIT) {
      // What still comes is let go, unread.
      if (length - chunk.length <= BODY_LIMIT) take('too large');
    } else if (first === undefined) first = chunk;
    else if (rest === undefined) rest = [first, chunk];
    else rest.push(chunk);
  });
  request.on('end', () => {
    if (length <= BODY_LIMIT) take(parsed(rest === undefined ? first : Buffer.concat(rest)));
  });
}

function parsed(bytes: Buffer | undefined): unknown {
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
