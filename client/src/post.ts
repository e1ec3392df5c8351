/** A call of the public interface, sent once: its request, and its answer by the envelope. */

import { type FailureFacts, inDoubt, requestErrorOf } from './errors.ts';
import { type Answer, answerTo, notUnderstood, objectIn, type Sending } from './exchange.ts';

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

/**
 * Sends a request and gives the `data` of its success.
 * @throws RequestError for a failure of the service, `ambiguous` for a 500; TransportError when there is no answer.
 */
export async function postOnce(
  { base, fetch, timeoutMs: usualMs }: Sender,
  post: Post,
  { signal, timeoutMs = usualMs, beginMs }: Partial<Pick<Sending, 'signal' | 'timeoutMs' | 'beginMs'>>,
): Promise<unknown> {
  const { operation, key, body } = post;
  const send = (stop: AbortSignal): Promise<Response> =>
    fetch(`${base}/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: stop,
    });
  return understood(post, await answerTo({ name: operation, timeoutMs, beginMs, signal, send }));
}

function understood({ operation }: Post, answer: Answer): unknown {
  const { status, text } = answer;
  const body = objectIn(text);
  if (status === 200 && body?.status === 'success') return body.data;
  const facts = body?.status === 'failed' ? factsOf(answer, body) : undefined;
  if (facts === undefined) throw notUnderstood(operation, status);
  const error = requestErrorOf(facts);
  throw inDoubt(error, { ambiguous: status >= 500 && status !== 503 });
}

function factsOf({ status, retryAfter, leader }: Answer, body: Readonly<Record<string, unknown>>): FailureFacts {
  const { field, message } = (body.error ?? {}) as { readonly field?: unknown; readonly message?: unknown };
  const words = { status, code: String(body.name), field: String(field), message: String(message) };
  const facts = leader === null ? words : { ...words, leader };
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isNaN(seconds) ? facts : { ...facts, retryAfterMs: seconds * 1000 };
}
