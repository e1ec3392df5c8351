import type { IncomingMessage } from 'node:http';
import { badRequest, type Failure, HEAD_TOO_LARGE } from '../fields/envelope.ts';

/** A host with an optional port, as RFC 9110 has it; may be empty. */
export const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

const ONE_HOST = badRequest('request', 'a request has one valid Host header');
const ONE_TYPE = badRequest('request', 'a request has one Content-Type header at most');
const ONLY_CHUNKED = badRequest('request', 'the one Transfer-Encoding is chunked, of HTTP/1.1');

/**
 * The reason why a head is ambiguous, so that a proxy could read it differently from this service, although Node's
 * parser takes it; `undefined` when it is not.
 */
export function faultOfHead({ rawHeaders, httpVersion }: IncomingMessage, mostHeaders: number): Failure | undefined {
  if (rawHeaders.length > 2 * mostHeaders) return HEAD_TOO_LARGE;
  let hosts = 0;
  let types = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    if (name === 'host') {
      hosts += 1;
      if (!HOST.test(value)) return ONE_HOST;
    } else if (name === 'content-type') types += 1;
    else if (name === 'transfer-encoding' && (value.toLowerCase() !== 'chunked' || httpVersion !== '1.1')) {
      return ONLY_CHUNKED;
    }
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return ONE_HOST;
  return types > 1 ? ONE_TYPE : undefined;
}
