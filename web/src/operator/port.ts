/** Asks the operator's port with the token. A refusal comes back in the words of the service. */
import { lock, token } from './token.ts';

/** Longer than any answer takes; the page asks again then. */
const LONGEST_MS = 10_000;

/** A request that was refused or not answered; its message is for people. */
export class NotDone extends Error {
  /** False when no answer came: it is not known then whether an act was carried out. */
  readonly isAnswered: boolean;

  constructor(message: string, isAnswered: boolean) {
    super(message);
    this.isAnswered = isAnswered;
  }
}

export function ask<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return request(path, { method: 'GET' }, signal);
}

export function act<Answer>(path: string, body: object): Promise<Answer> {
  return request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function request<Answer>(path: string, init: RequestInit, signal?: AbortSignal): Promise<Answer> {
  const headers = { ...init.headers, authorization: `Bearer ${token.value ?? ''}` };
  const ends = AbortSignal.timeout(LONGEST_MS);
  let response: Response;
  let text: string;
  try {
    const either = signal === undefined ? ends : AbortSignal.any([signal, ends]);
    response = await fetch(path, { ...init, headers, signal: either, cache: 'no-store' });
    text = await response.text();
  } catch {
    throw new NotDone('the service does not answer', false);
  }
  const answer = jsonOf(text);
  if (response.status === 401) lock('the service does not accept this token');
  if (response.ok && answer !== undefined) return answer as Answer;
  const { error } = (answer ?? {}) as { readonly error?: unknown };
  throw new NotDone(typeof error === 'string' ? error : `the service answered ${response.status}`, true);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
