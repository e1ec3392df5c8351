/**
 * Recognises a plain request by its bytes, and reads its head. It is not a parser of HTTP: a head that is out of the
 * ordinary, right or wrong, is left to Node's parser.
 */

import { HOST } from './request-head.ts';

/** A longer head is left to Node's own parser. */
const MOST_HEAD_BYTES = 8_192;
const END_OF_HEAD = '\r\n\r\n';
const REQUEST_LINE = /^POST (\/[\w/]*) HTTP\/1\.1\r\n/;
/**
 * One header as RFC 9110 has it, without the folding that is obsolete: name, value, end of line. Blanks belong to one
 * place only, in front of the value or behind it: if an empty value had blanks on both sides, a line of blanks would be
 * tried in as many ways as it is long.
 */
const HEADER =
  /([\w!#$%&'*+.^`|~-]+):[ \t]*(?:([\x21-\x7e\x80-\xff](?:[\t \x21-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)[ \t]*)?\r\n/y;
/** The values that a plain request may have in these headers; the service does not look at any other header. */
const MEANT: ReadonlyMap<string, RegExp> = new Map([
  ['content-type', /^application\/json(?:; ?charset=utf-8)?$/i],
  ['content-encoding', /^identity$/i],
  ['content-length', /^[1-9]\d{0,5}$/],
  ['connection', /^keep-alive$/i],
  ['host', HOST],
  ['idempotency-key', /^/],
  ['origin', /^/],
  ['x-forwarded-for', /^/],
]);
/** Headers that change how a request is read, or how it is to be answered: Node's own server knows their meaning. */
const NOT_PLAIN: ReadonlySet<string> = new Set(['transfer-encoding', 'expect', 'upgrade', 'trailer', 'http2-settings']);

/** The head of a request in the one shape in which nearly all of them come. */
export interface PlainRequestHead {
  readonly path: string;
  readonly host: string;
  /** Bytes of the body. */
  readonly length: number;
  readonly idempotencyKey: string | undefined;
  readonly origin: string | undefined;
  readonly forwardedFor: string | undefined;
}

/** Where the body of a request begins; -1 when these bytes do not hold a whole head of moderate size. */
export function startOfBody(bytes: Buffer): number {
  const end = bytes.indexOf(END_OF_HEAD, 0, 'latin1');
  return end < 0 || end > MOST_HEAD_BYTES ? -1 : end + END_OF_HEAD.length;
}

/**
 * Reads the head of a plain request: a POST of HTTP/1.1 to a path without query or encoding, with a JSON body of a
 * stated length, each header well-formed and none that asks for more. `undefined` for every other, right or wrong: that
 * is for Node's own parser to say.
 */
export function readPlainHead(head: string, mostHeaders: number): PlainRequestHead | undefined {
  const line = REQUEST_LINE.exec(head);
  if (line === null) return undefined;
  const headers = readHeaders(head, line[0].length, mostHeaders);
  if (headers === undefined || !headers.has('content-type') || !headers.has('host')) return undefined;
  const length = Number(headers.get('content-length') ?? 0);
  if (length === 0) return undefined;
  return {
    path: line[1] ?? '',
    host: headers.get('host') ?? '',
    length,
    idempotencyKey: headers.get('idempotency-key'),
    origin: headers.get('origin'),
    forwardedFor: headers.get('x-forwarded-for'),
  };
}

/**
 * The headers that mean something here, by name in small letters; `undefined` when one is not plain, or comes twice, or
 * there are too many.
 */
function readHeaders(head: string, start: number, most: number): Map<string, string> | undefined {
  let count = 0;
  const found = new Map<string, string>();
  const end = head.length - 2;
  for (HEADER.lastIndex = start; HEADER.lastIndex < end; ) {
    const header = HEADER.exec(head);
    count += 1;
    if (header === null || count > most) return undefined;
    const name = (header[1] ?? '').toLowerCase();
    const value = header[2] ?? '';
    if (NOT_PLAIN.has(name)) return undefined;
    const meant = MEANT.get(name);
    if (meant === undefined) continue;
    if (found.has(name) || !meant.test(value)) return undefined;
    found.set(name, value);
  }
  return found;
}
