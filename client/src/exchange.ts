/** One sending of one request: the wait for its answer, and the error when there is none. */

import { inDoubt, TransportError, type TransportReason } from './errors.ts';

/** A request that is about to be sent, once. */
export interface Sending {
  /** The name of the request in errors. */
  readonly name: string;
  /** The longest wait for the whole answer, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest wait until an answer begins, in milliseconds, where that is shorter. */
  readonly beginMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly send: (signal: AbortSignal) => Promise<Response>;
}

/** An answer as it came, whole. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
  /** The address of the machine that leads, where the one that answered does not. */
  readonly leader: string | null;
}

/** The longest time of a timer: 2^31 - 1 ms, 25 days. One of a longer time, or of Infinity, ends at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Errors of Node's `fetch` after which no byte of the request can have left. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The time of a timer for a wait that a program may make as long as it likes, in milliseconds. */
export function timerMs(ms: number): number {
  return Math.min(ms, LONGEST_TIMER_MS);
}

/**
 * Sends a request and gives its answer.
 * @throws TransportError when there is no answer, whatever `send` failed with; `ambiguous` unless the request was
 * certainly not sent.
 */
export async function answerTo({ name, timeoutMs, beginMs = timeoutMs, signal, send }: Sending): Promise<Answer> {
  const stop = new AbortController();
  let why: TransportReason | undefined;
  const end = (reason: TransportReason): void => {
    why ??= reason;
    stop.abort();
  };
  if (signal?.aborted) throw new TransportError('aborted', `${name} was aborted`, signal.reason);
  const aborted = (): void => end('aborted');
  const late = (): void => end('timeout');
  const timer = setTimeout(late, timerMs(timeoutMs));
  const begin = setTimeout(late, timerMs(Math.min(beginMs, timeoutMs)));
  signal?.addEventListener('abort', aborted);
  try {
    const response = await send(stop.signal);
    clearTimeout(begin);
    const { status, headers } = response;
    const text = await response.text();
    return { status, text, retryAfter: headers.get('retry-after'), leader: headers.get('sauda-leader') };
  } catch (error) {
    throw noAnswer(name, why, error, signal);
  } finally {
    clearTimeout(timer);
    clearTimeout(begin);
    signal?.removeEventListener('abort', aborted);
  }
}

/** The object that the text of an answer holds as JSON; nothing for any other text. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return isObject ? (body as Readonly<Record<string, unknown>>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The error for an answer that is not one of the service. */
export function notUnderstood(name: string, status: number): TransportError {
  const error = new TransportError('not understood', `${name} was answered ${status} by another service`);
  return inDoubt(error, { ambiguous: true });
}

/** The error for a request whose answer did not come. Errors of another `fetch` do not say that nothing was sent. */
function noAnswer(name: string, why: TransportReason | undefined, error: unknown, signal: AbortSignal | undefined) {
  const cause = error instanceof TypeError ? (error.cause as { readonly code?: unknown } | undefined) : undefined;
  const reason = why ?? (NOT_SENT.has(String(cause?.code)) ? 'not sent' : 'lost');
  const beneath = reason === 'aborted' ? signal?.reason : error;
  const detail = reason === 'lost' || reason === 'not sent' ? `: ${String(cause?.code ?? error)}` : '';
  const failed = new TransportError(reason, `${name} has no answer (${reason})${detail}`, beneath);
  return inDoubt(failed, { ambiguous: reason !== 'not sent' });
}
