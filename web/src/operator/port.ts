/** Asks the operator's port with the token. A refusal comes back in the words of the service. */
import { lock, token } from './token.ts';

/** Longer than any answer takes but that of a step of the clock; the page asks again then. */
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
  return request(path, { method: 'GET', ...(signal && { signal }) }, LONGEST_MS);
}

export function act<Answer>(path: string, body: object, longestMs = LONGEST_MS): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return request(path, { method: 'POST', headers, body: JSON.stringify(body) }, longestMs);
}

async function request<Answer>(path: string, init: RequestInit, longestMs: number): Promise<Answer> {
  const headers = { ...init.headers, authorization: `Bearer ${token.value ?? ''}` };
  const ends = AbortSignal.timeout(longestMs);
  let response: Response;
  let text: string;
  try {
    const signal = init.signal ? AbortSignal.any([init.signal, ends]) : ends;
    response = await fetch(path, { ...init, headers, signal, cache: 'no-store' });
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
