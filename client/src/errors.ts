/**
 * The errors of the client. A refusal by the service is a `RequestError` of one of four kinds; an answer that never
 * came is a `TransportError`. An order that the risk desk or the exchange refuses is a result and no error
 * (`OrderRefused` in `results.ts`).
 */

import type { OrderNumber } from './order-number.ts';

/** The facts of a failed call that do not depend on its kind. */
interface Doubt {
  /** True when the call may have been carried out although it failed. Always false for a call that changes nothing. */
  readonly ambiguous: boolean;
  /** The key of a placement. The same call with this key is the same placement, for the rest of the trading day. */
  readonly idempotencyKey?: string;
  /** The order that `placeAndWait` placed before its wait failed. */
  readonly orderNumber?: OrderNumber;
}

/** An error of a call. */
export abstract class SaudaError extends Error implements Doubt {
  readonly ambiguous: boolean = false;
  declare readonly idempotencyKey?: string;
  declare readonly orderNumber?: OrderNumber;
}

/** A failure as the service words it. */
export interface FailureFacts {
  /** The HTTP status. */
  readonly status: number;
  /** The error's name on the wire, as `BAD_REQUEST`. */
  readonly code: string;
  /** The field at fault. */
  readonly field: string;
  readonly message: string;
  /** The time after which to try again, where the service gives one. */
  readonly retryAfterMs?: number;
  /** The address of the machine that leads, where the one that answered follows it. */
  readonly leader?: string;
}

/**
 * The service answered with a failure. `InvalidRequest`, `AuthError`, `RateLimited` and `Unavailable` are its kinds.
 */
export class RequestError extends SaudaError implements FailureFacts {
  override readonly name: string = 'RequestError';
  readonly status: number;
  readonly code: string;
  readonly field: string;
  declare readonly retryAfterMs?: number;
  declare readonly leader?: string;

  constructor(facts: FailureFacts) {
    super(`${facts.code} (${facts.field}): ${facts.message}`);
    this.status = facts.status;
    this.code = facts.code;
    this.field = facts.field;
    if (facts.retryAfterMs !== undefined) this.retryAfterMs = facts.retryAfterMs;
    if (facts.leader !== undefined) this.leader = facts.leader;
  }
}

/** 401 and 403: wrong credentials, a session that ended, or an address from which this user may not trade. */
export class AuthError extends RequestError {
  override readonly name = 'AuthError';
}

/**
 * Every other 4xx: a field is missing or wrong, or an instrument or an order is unknown. The call changed nothing
 * unless it is `ambiguous`.
 */
export class InvalidRequest extends RequestError {
  override readonly name = 'InvalidRequest';
}

/** 429. `retryAfterMs` is the time to wait. The call changed nothing unless it is `ambiguous`. */
export class RateLimited extends RequestError {
  override readonly name = 'RateLimited';
}

/** 503: the service takes no calls now and did nothing. 500: the service failed; a change is then `ambiguous`. */
export class Unavailable extends RequestError {
  override readonly name = 'Unavailable';
}

/**
 * Why there is no answer. `not sent`: the service was not reached. `lost`: the connection ended before the answer.
 * `timeout`: no answer in time. `aborted`: the caller's signal. `not understood`: the answer is not one of this
 * service.
 */
export type TransportReason = 'not sent' | 'lost' | 'timeout' | 'aborted' | 'not understood';

/** There is no answer. `ambiguous` says whether the call may have been carried out. `cause` has the error beneath. */
export class TransportError extends SaudaError {
  override readonly name = 'TransportError';
  readonly reason: TransportReason;

  constructor(reason: TransportReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** The error for a failure of the service. */
export function requestErrorOf(facts: FailureFacts): RequestError {
  const { status } = facts;
  if (status === 401 || status === 403) return new AuthError(facts);
  if (status === 429) return new RateLimited(facts);
  return status >= 500 ? new Unavailable(facts) : new InvalidRequest(facts);
}

/** The error of a call or a stream without a session. */
export function notLoggedIn(message = 'not logged in: call login'): AuthError {
  return new AuthError({ status: 401, code: 'INVALID_JKEY', field: 'jKey', message });
}

/** The same error with what is known of the call's effect. */
export function inDoubt<E extends Error>(error: E, doubt: Doubt): E {
  return Object.assign(error, doubt);
}
