/** One sending of one call: the request, the wait for its answer, and the error when there is none. */

import { type FailureFacts, inDoubt, requestErrorOf, TransportError, type TransportReason } from './errors.ts';

/** A request as it is sent. */
export interface Post {
  /** The path under the version segment. */
  readonly operation: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key?: string;
}

interface Sender {
  readonly base: string;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Errors of Node's `fetch` after which no byte of the request can have left. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Sends a request and gives the `data` of its success.
 * @throws RequestError for a failure of the service, `ambiguous` for a 500; TransportError when there is no answer.
 */
export async function postOnce(
  sender: Sender,
  post: Post,
  { signal, timeoutMs = sender.timeoutMs }: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
): Promise<unknown> {
  const stop = new AbortController();
  let why: TransportReason | undefined;
  const end = (reason: TransportReason): void => {
    why ??= reason;
    stop.abort();
  };
  if (signal?.aborted) throw new TransportError('aborted', `${post.operation} was aborted`, signal.reason);
  const aborted = (): void => end('aborted');
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  signal?.addEventListener('abort', aborted);
  try {
    return understood(post, await exchanged(sender, post, stop.signal));
  } catch (error) {
    throw error instanceof TypeError || stop.signal.aborted ? noAnswer(post, why, error, signal) : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
  }
}

async function exchanged({ base, fetch }: Sender, post: Post, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(`${base}/${post.operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(post.key === undefined ? {} : { 'idempotency-key': post.key }) },
    body: JSON.stringify(post.body),
    redirect: 'error',
    signal,
  });
  return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') };
}

function understood(post: Post, { status, text, retryAfter }: Answer): unknown {
  const body = parsed(text);
  if (status === 200 && body?.status === 'success') return body.data;
  const facts = body?.status === 'failed' ? factsOf(status, body, retryAfter) : undefined;
  if (facts === undefined) {
    const error = new TransportError('not understood', `${post.operation} was answered ${status} by another service`);
    throw inDoubt(error, { ambiguous: true });
  }
  const error = requestErrorOf(facts);
  throw inDoubt(error, { ambiguous: status >= 500 && status !== 503 });
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function factsOf(status: number, body: Readonly<Record<string, unknown>>, retryAfter: string | null): FailureFacts {
  const { field, message } = (body.error ?? {}) as { readonly field?: unknown; readonly message?: unknown };
  const facts = { status, code: String(body.name), field: String(field), message: String(message) };
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isNaN(seconds) ? facts : { ...facts, retryAfterMs: seconds * 1000 };
}

/** The error for a request whose answer did not come. */
function noAnswer({ operation }: Post, why: TransportReason | undefined, error: unknown, signal?: AbortSignal) {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  const reason = why ?? (NOT_SENT.has(String(cause?.code)) ? 'not sent' : 'lost');
  const beneath = reason === 'aborted' ? signal?.reason : error;
  const detail = reason === 'lost' || reason === 'not sent' ? `: ${String(cause?.code ?? error)}` : '';
  const failed = new TransportError(reason, `${operation} has no answer (${reason})${detail}`, beneath);
  return inDoubt(failed, { ambiguous: reason !== 'not sent' });
}
