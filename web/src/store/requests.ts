/** The requests that the page made last, without their secrets: for the developer panel and for times of answers. */
import { signal } from '@preact/signals';
import { noteFacts } from './service-facts.ts';

export interface MadeRequest {
  readonly number: number;
  /** The operation's path, as `placeOrder`. */
  readonly operation: string;
  /** The fields that were sent; secrets are blanked. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Milliseconds since the page was opened. */
  readonly at: number;
  /** Undefined until an answer came; 0 when none will. */
  readonly status: number | undefined;
  /** Milliseconds from the sending to the answer. */
  readonly took: number | undefined;
}

const MOST_KEPT = 50;
const SECRETS: ReadonlySet<string> = new Set(['jKey', 'password', 'TOTP', 'apiKey']);

/** Newest last. */
export const requests = signal<readonly MadeRequest[]>([]);
let made = 0;

/** A `fetch` that keeps account of what it sends. */
export const countedFetch: typeof fetch = async (input, init) => {
  const number = begin(String(input), init?.body);
  const from = performance.now();
  try {
    const answer = await fetch(input, init);
    noteFacts(answer.headers);
    end(number, answer.status, performance.now() - from);
    return answer;
  } catch (error) {
    end(number, 0, performance.now() - from);
    throw error;
  }
};

function begin(address: string, body: unknown): number {
  made += 1;
  const operation = address.replace(/^.*\/V1\//, '');
  const entry = { number: made, operation, fields: fieldsOf(body), at: performance.now() };
  requests.value = [...requests.value.slice(1 - MOST_KEPT), { ...entry, status: undefined, took: undefined }];
  return made;
}

function end(number: number, status: number, took: number): void {
  requests.value = requests.value.map((entry) => (entry.number === number ? { ...entry, status, took } : entry));
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== 'string') return {};
  const fields = JSON.parse(body) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, SECRETS.has(name) ? '...' : value]));
}
