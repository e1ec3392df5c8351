import type { OrderNumber } from '../../../src/base/ids.ts';
import type { Reply } from '../../../src/gateway/http/respond.ts';
import { OPERATIONS } from '../../../src/gateway/operations.ts';
import { canonical } from '../../kit/wire/canonical.ts';
import { type FuzzUser, type FuzzWorld, sha256 } from './fuzz-world.ts';
import type { FuzzRequest } from './requests.ts';
import { successFault } from './success-checker.ts';

/** The operations that may change the books. All others only read. */
const WRITES: ReadonlySet<string> = new Set([
  '/login',
  '/logout',
  '/placeOrder',
  '/modifyOrder',
  '/cancelOrder',
  '/productConversion',
  '/placeGttOrder',
  '/modifyGttOrder',
  '/cancelGttOrder',
  '/saveWatchlist',
  '/deleteWatchlist',
  '/placeAlert',
  '/cancelAlert',
  '/basketOrder',
  '/placeAMO',
  '/placeAfterMarketOrder',
  '/modifyAMO',
  '/modifyAfterMarketOrder',
  '/cancelAllOrders',
  '/exitAllPositions',
]);

const NAMES: Readonly<Record<number, readonly string[]>> = {
  400: ['BAD_REQUEST', 'MISSING_FIELD'],
  401: ['INVALID_CREDENTIALS', 'INVALID_JKEY', 'INVALID_USERID'],
  403: ['FORBIDDEN'],
  429: ['RATE_LIMIT_EXCEEDED'],
};
const LONGEST_MESSAGE = 200;
/** Escapes that some clients cannot read. Source: contract R9. */
const BAD_ESCAPE = /(?<!\\)(?:\\\\)*\\(?:\/|u[dD][89a-fA-F])/;
const ORDER_NUMBER = /"orderNumber":"(\d{16})"/g;
/** Secrets are longer than nearly every word of an answer. */
const SHORTEST_SECRET = 20;
/** Longer bodies are lists of rows that a shorter one has shown to be written well. */
const MOST_REWRITTEN = 8_192;

/** The fields that a failure may name: those of the requests, and what stands for a part of the request itself. */
const FIELDS: ReadonlySet<string> = new Set([
  ...OPERATIONS.flatMap(({ request }) => Object.keys(request.properties)),
  'body',
  'ip',
  'rate',
  'Idempotency-Key',
]);

/** One request and its answer, as the oracle saw them. */
export interface Seen {
  readonly request: FuzzRequest;
  readonly reply: Reply;
  /** Records that the journal got for the sake of the request. */
  readonly records: number;
}

/**
 * Holds answers to goal G7: bad input never gives a 5xx, never changes the state and always gets the envelope; and to
 * I37, I38, I40, I41 and I47: no session, no answer; nobody's data in another's answer; every field of its type; no
 * secret.
 */
export class Oracle {
  private readonly world: FuzzWorld;
  private readonly secrets = new Set<string>();

  constructor(world: FuzzWorld) {
    this.world = world;
    for (const secret of world.secrets()) this.keepSecret(secret);
  }

  /** Another text that no answer may hold. */
  keepSecret(secret: string): void {
    for (const word of longWords(secret)) this.secrets.add(word);
  }

  /** The fault of an answer; `undefined` when it has none. */
  faultOf(seen: Seen): string | undefined {
    const { reply, request } = seen;
    if (this.world.failures.length > 0) return `a failure of our own: ${String(this.world.failures[0])}`;
    if (reply.status >= 500) return `status ${reply.status}`;
    if (!reply.type.startsWith('application/json')) return `type ${reply.type}`;
    if (BAD_ESCAPE.test(reply.body)) return 'an escape that clients cannot read';
    const body: unknown = JSON.parse(reply.body);
    if (reply.body.length < MOST_REWRITTEN && JSON.stringify(body) !== canonical(reply.body))
      return 'the body is not compact';
    const record = body as Readonly<Record<string, unknown>>;
    const wrong =
      reply.status === 200 ? successFault(request.operation.path, record) : failureFault(reply.status, record);
    return (
      wrong ??
      this.accessFault(seen) ??
      standingFault(seen, record) ??
      recordsFault(seen) ??
      this.leakOf(request, reply)
    );
  }

  /** Only orders of who fixed their addresses are kept out by where they come from. Source: market-rules R9.4. */
  private accessFault({ request: { operation, user, standing }, reply: { status } }: Seen): string | undefined {
    if (status !== 403) return undefined;
    const isFixed = this.world.live.state.accounts.at(user.account)?.access?.fixed === true;
    const isOrder = operation.rate === 'order' || operation.rate === 'amend';
    return isFixed && isOrder && standing === 'own' ? undefined : `${status} of ${operation.path}`;
  }

  /** Nothing of another user, and no secret; a login's own new token apart. */
  private leakOf(request: FuzzRequest, { body, status }: Reply): string | undefined {
    const signed = request.standing === 'own' || (request.standing === 'login' && status === 200);
    for (const user of this.world.users) {
      if (user === request.user && signed) continue;
      if (body.includes(user.marker)) return `what belongs to ${user.plain.userId}`;
      if (body.includes(user.plain.userId)) return `the user id ${user.plain.userId}`;
    }
    for (const word of longWords(body)) {
      if (this.secrets.has(word) || this.secrets.has(sha256(word))) return `a secret: ${word}`;
    }
    const { orders } = this.world.live.state;
    for (const [, number] of body.matchAll(ORDER_NUMBER)) {
      const owner = orders.get(Number(number) as OrderNumber)?.account;
      if (owner !== undefined && owner !== request.user.account) return `the order ${number} of another user`;
    }
    return undefined;
  }
}

/** The envelope of a failure, whole. Source: contract R10, R11, reliability I40. */
function failureFault(status: number, body: Readonly<Record<string, unknown>>): string | undefined {
  if (Object.keys(body).join() !== 'status,code,name,error') return `the envelope has ${Object.keys(body)}`;
  if (body.status !== 'failed' || body.code !== String(status)) return `status ${body.status}, code ${body.code}`;
  if (!NAMES[status]?.includes(String(body.name))) return `the name ${body.name} with status ${status}`;
  const { error } = body;
  if (typeof error !== 'object' || error === null || Object.keys(error).join() !== 'field,message') return 'no error';
  const { field, message } = error as Record<string, unknown>;
  if (typeof field !== 'string' || !FIELDS.has(field)) return `the field ${field}`;
  const told = typeof message === 'string' && message.length > 0 && message.length <= LONGEST_MESSAGE;
  return told ? undefined : `the message ${message}`;
}

/** Only who has a session of one's own gets beyond the door. Source: reliability I37. */
function standingFault({ request, reply }: Seen, body: Readonly<Record<string, unknown>>): string | undefined {
  const { standing, text } = request;
  const { status } = reply;
  const field = (body.error as { field?: string } | undefined)?.field;
  if (standing === 'noBody') return status === 400 && field === 'body' ? undefined : `${status} for no object`;
  if (standing === 'login') return status === 200 && !hasFactors(request.user, text) ? 'a login' : undefined;
  if (standing === 'own') return status === 401 ? '401 for a session that lives' : undefined;
  return status === 401 ? undefined : `${status} without a session`;
}

/** Source: reliability I39: what was refused, and what only reads, leaves no record. */
function recordsFault({ request, reply, records }: Seen): string | undefined {
  if (records === 0 || (reply.status === 200 && WRITES.has(request.operation.path))) return undefined;
  return `${records} records of ${request.operation.path} with status ${reply.status}`;
}

/** True when a body has all that its user's login needs. */
function hasFactors({ plain }: FuzzUser, text: string): boolean {
  return [sha256(plain.password), plain.apiKey, plain.vendorCode].every((factor) => text.includes(factor));
}

/** The words of a text that are long enough for a secret: letters, digits, `_` and `-`. */
function longWords(text: string): string[] {
  const words: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (isWordCharacter(text.charCodeAt(at))) continue;
    if (at - start >= SHORTEST_SECRET) words.push(text.slice(start, at));
    start = at + 1;
  }
  return words;
}

/** False beyond the end of the text, where there is no code. */
function isWordCharacter(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true;
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || code === 0x5f || code === 0x2d;
}
