/**
 * The operator's port of a service: another address than that of the users, behind a token of its own. The token goes
 * there alone, in a header, and stands in no error and in no object that is printed.
 */

import { inDoubt, requestErrorOf, SaudaError } from './errors.ts';
import { type Answer, answerTo, notUnderstood, objectIn } from './exchange.ts';
import type { CallOptions } from './transport.ts';

/** Where the operator's port is, and who acts there. */
export interface OperatorAccess {
  /** The address of the operator's port, such as `http://127.0.0.1:8081`. The port answers its own machine alone. */
  readonly url: string;
  /** The content of `operator.token` in the data folder of the service. */
  readonly token: string;
  /** The one who acts, for the journal: 1 to 100 characters; `@sauda/client` when absent. */
  readonly by?: string;
}

interface PortSettings {
  /** The address of the users' interface, which must be another one. */
  readonly origin: string;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

/** The names of the port's refusals, which it gives no names itself. */
const CODES: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  503: 'SERVICE_UNAVAILABLE',
};

/** A client of the operator's port. */
export class OperatorPort {
  /** The one who acts, for the journal. */
  readonly by: string;
  private readonly timeoutMs: number;
  /** Holds the token in its closure, where no printed object shows it. */
  private readonly send: (path: string, init: RequestInit) => Promise<Response>;

  /**
   * @throws TypeError when the address is not one of HTTP, or is that of the users' interface, or when the token cannot
   * be one. The message does not have the token.
   */
  constructor({ url, token, by = '@sauda/client' }: OperatorAccess, { origin, timeoutMs, fetch }: PortSettings) {
    const base = portOf(url);
    if (base === origin) throw new TypeError(`operator.url is the address of the users' interface: ${base}`);
    if (!/^[!-~]{16,256}$/.test(token)) throw new TypeError('operator.token is not the content of operator.token');
    this.by = by;
    this.timeoutMs = timeoutMs;
    this.send = (path, init) =>
      fetch(`${base}${path}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}` },
        // No other address gets the token.
        redirect: 'error',
        cache: 'no-store',
      });
  }

  /** Reads. @throws SaudaError */
  async ask<T>(path: string, options: CallOptions): Promise<T> {
    try {
      return await this.answerOf<T>(path, { method: 'GET' }, options);
    } catch (error) {
      throw error instanceof SaudaError ? inDoubt(error, { ambiguous: false }) : error;
    }
  }

  /** Acts, once. @throws SaudaError, `ambiguous` when the act may have been carried out. */
  act<T>(path: string, body: object, options: CallOptions): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.answerOf<T>(path, { method: 'POST', headers, body: JSON.stringify(body) }, options);
  }

  private async answerOf<T>(path: string, init: RequestInit, options: CallOptions): Promise<T> {
    const { signal, timeoutMs = this.timeoutMs } = options;
    const send = (stop: AbortSignal): Promise<Response> => this.send(path, { ...init, signal: stop });
    const name = `${init.method} ${path} of the operator's port`;
    return understood(name, await answerTo({ name, timeoutMs, signal, send })) as T;
  }
}

function understood(name: string, { status, text }: Answer): unknown {
  const body = objectIn(text);
  if (status === 200 && body !== undefined && !('error' in body)) return body;
  if (status < 400 || typeof body?.error !== 'string') throw notUnderstood(name, status);
  const error = requestErrorOf({
    status,
    code: CODES[status] ?? 'INTERNAL_SERVER_ERROR',
    field: name,
    message: body.error,
  });
  throw inDoubt(error, { ambiguous: status >= 500 && status !== 503 });
}

/** The address without a slash at its end. */
function portOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError('operator.url is not an address of HTTP');
  }
  // The address of the operator's page carries the token, which is to stand in `token` alone.
  const { username, password, search, hash, href } = parsed;
  if (`${username}${password}${search}${hash}` !== '') {
    throw new TypeError('operator.url is scheme, host and port; a token stands in operator.token');
  }
  return href.replace(/\/+$/, '');
}
