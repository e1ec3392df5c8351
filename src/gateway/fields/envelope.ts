/**
 * The envelope of the wire: one form for success and one for failure, and every error that a client can get. Operations
 * choose the failure; this file words it.
 */

/** The error names of the wire. Source: interface §Errors, contract W1. */
export type ErrorName =
  | 'MISSING_FIELD'
  | 'BAD_REQUEST'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_JKEY'
  | 'INVALID_USERID'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'INTERNAL_SERVER_ERROR'
  | 'SERVICE_UNAVAILABLE';

/** The HTTP status of a failure. */
export type FailureStatus = 400 | 401 | 403 | 404 | 405 | 413 | 415 | 429 | 500 | 503;

/** A request that was not carried out, as the wire words it. A value: nothing of it is thrown. */
export interface Failure {
  readonly status: FailureStatus;
  readonly name: ErrorName;
  readonly field: string;
  readonly message: string;
  /** Whole seconds after which to try again. */
  readonly retryAfterSeconds?: number;
  /** The methods that the path knows, for a 405. */
  readonly allow?: string;
  /** True for a reply of the core to a command: the audit trail notes that by itself. */
  readonly isDecided?: true;
}

/** A failure that is the reply to a command. */
export function decided(failure: Failure): Failure {
  return { ...failure, isDecided: true };
}

export function badRequest(field: string, message: string): Failure {
  return { status: 400, name: 'BAD_REQUEST', field, message };
}

/**
 * The failure of one part of a request with several, which its place names, counted from 1: `leg 2: ...`. Where there
 * is no word for a part, no place is named.
 */
export function inPart(failure: Failure, part: string | undefined, place: number): Failure {
  if (part === undefined) return failure;
  return { ...failure, message: `${part} ${place}: ${failure.message}` };
}

/** A required field that is not there, in the words of operations that answer `BAD_REQUEST`. Source: contract W2. */
export function missingField(field: string): Failure {
  return badRequest(field, `required field is empty or missing: ${field}`);
}

export const NOT_FOUND: Failure = { status: 404, name: 'NOT_FOUND', field: 'path', message: 'unknown path' };
export const BODY_TOO_LARGE: Failure = {
  status: 413,
  name: 'PAYLOAD_TOO_LARGE',
  field: 'body',
  message: 'the body is larger than 64 KiB',
};
export const NOT_JSON_TYPE: Failure = {
  status: 415,
  name: 'UNSUPPORTED_MEDIA_TYPE',
  field: 'Content-Type',
  message: 'Content-Type must be application/json',
};
export const ENCODED_BODY: Failure = {
  ...NOT_JSON_TYPE,
  field: 'Content-Encoding',
  message: 'the body must be sent as it is, without a Content-Encoding',
};
export const MALFORMED_BODY = badRequest('body', 'the body must be a JSON object');
/** The most fields of a body, and of an object in it, unknown ones among them. */
export const MOST_FIELDS = 256;
export const TOO_MANY_FIELDS = badRequest('body', `the body has more than ${MOST_FIELDS} fields`);
export const NOT_UTF8 = badRequest('body', 'the body must be UTF-8');
export const MALFORMED_REQUEST = badRequest('request', 'malformed HTTP request');
export const FOREIGN_HOST = badRequest('Host', 'this service has no such name; the setting hosts gives it more names');
export const TOO_SLOW = badRequest('request', 'the request took too long to arrive');
export const HEAD_TOO_LARGE: Failure = {
  status: 413,
  name: 'PAYLOAD_TOO_LARGE',
  field: 'headers',
  message: 'the headers are too many or too large',
};
export const INTERNAL_ERROR: Failure = {
  status: 500,
  name: 'INTERNAL_SERVER_ERROR',
  field: 'server',
  message: 'internal server error',
};
export const UNAVAILABLE: Failure = {
  status: 503,
  name: 'SERVICE_UNAVAILABLE',
  field: 'server',
  message: 'the service takes no commands now; nothing was done',
  retryAfterSeconds: 1,
};
export const OVERLOADED: Failure = {
  ...UNAVAILABLE,
  message: 'more requests come than can be answered; nothing was done',
};
export const NO_ROOM: Failure = {
  ...UNAVAILABLE,
  message: 'more answers are made and read than there is room for; nothing was done',
};
/** The answer of a client that closed its connection, or its side of it, while a long answer was made. */
export const CLIENT_GONE: Failure = {
  ...UNAVAILABLE,
  message: 'the client closed its side of the connection while a long answer was made; nothing was done',
};
/** A date has no number left for an order or a GTT. Source: market-rules R0.8. */
export const NUMBERS_USED_UP: Failure = { ...UNAVAILABLE, message: 'no number is left for today; nothing was done' };
export const TOO_MANY_DOWNLOADS: Failure = { ...UNAVAILABLE, message: 'too many downloads at the same time' };
export const TOO_MANY_CONNECTIONS: Failure = { ...UNAVAILABLE, message: 'too many connections' };
export const USER_ID_MISSING: Failure = {
  status: 401,
  name: 'INVALID_USERID',
  field: 'userId',
  message: 'User ID is required',
};
export const USER_ID_INVALID: Failure = {
  status: 401,
  name: 'INVALID_USERID',
  field: 'userId',
  message: 'userId parameter is invalid',
};
export const JKEY_INVALID: Failure = {
  status: 401,
  name: 'INVALID_JKEY',
  field: 'jKey',
  message: 'jKey parameter is invalid',
};
/** One field and one text whichever factor was wrong. Source: contract W5. */
export const INVALID_CREDENTIALS: Failure = {
  status: 401,
  name: 'INVALID_CREDENTIALS',
  field: 'password',
  message: 'Invalid credentials',
};

/** Source: market-rules R9.4, contract 3.1. */
export const ADDRESS_NOT_REGISTERED: Failure = {
  status: 403,
  name: 'FORBIDDEN',
  field: 'ip',
  message: 'Invalid IP Address',
};

export function methodNotAllowed(allow: string): Failure {
  return { status: 405, name: 'METHOD_NOT_ALLOWED', field: 'method', message: `use ${allow}`, allow };
}

export function tooMany(retryAfterSeconds: number): Failure {
  return {
    status: 429,
    name: 'RATE_LIMIT_EXCEEDED',
    field: 'rate',
    message: 'rate limit exceeded',
    retryAfterSeconds,
  };
}

/** The failure envelope, keys in their order. Source: contract R10, R11. */
export function failureBody(failure: Failure): string {
  const { status, name, field, message } = failure;
  return `{"status":"failed","code":"${status}","name":"${name}","error":{"field":${JSON.stringify(field)},"message":${JSON.stringify(message)}}}`;
}

/** The beginning of a success envelope, up to the value of `data`; `}` closes it. */
export function successHead(message: string): string {
  return `{"status":"success","message":${JSON.stringify(message)},"data":`;
}

/** The success envelope of an operation that answers no data (logout). */
export function successWithoutData(message: string): string {
  return `{"status":"success","message":${JSON.stringify(message)}}`;
}
