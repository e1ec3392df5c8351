/**
 * The help for each error name of the wire: when it comes, and what the client does then. The type holds the table to
 * the names of the envelope, so none can be forgotten; the failures with their words come from the envelope itself.
 */

import * as envelope from '../fields/envelope.ts';

type ErrorName = envelope.ErrorName;
type Failure = envelope.Failure;

interface ErrorHelp {
  readonly status: envelope.FailureStatus;
  readonly when: string;
  readonly whatToDo: string;
  /** Whether the same request may succeed when it is sent again. */
  readonly again: 'yes' | 'no' | 'after a correction' | 'after a new login';
}

export const ERROR_HELP: Readonly<Record<ErrorName, ErrorHelp>> = {
  MISSING_FIELD: {
    status: 400,
    when: 'A required field of login, getExpiry or timePriceSeries is absent or empty. Other operations say BAD_REQUEST.',
    whatToDo: 'Add the field that error.field names. The reference lists the fields of each operation.',
    again: 'after a correction',
  },
  BAD_REQUEST: {
    status: 400,
    when:
      'A field is missing, has a wrong shape or contradicts another; the instrument or the order is not known; or a ' +
      'change of an order is refused. A new order that the risk desk or the exchange refuses is not an error: it has a ' +
      'number, and the status REJECTED in the order book with its reason.',
    whatToDo: 'Read error.field and error.message, correct the request, and send it again. Nothing was done.',
    again: 'after a correction',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    when: 'Login was refused: the password, the one-time code, the vendor code or the API key is wrong. Which one is not said.',
    whatToDo:
      'Check that the password is sent as SHA-256 in hexadecimal, and that the clock of your machine is right: a ' +
      'one-time code counts once, for its 30 seconds. Do not try in a loop: after some failures each login waits.',
    again: 'after a correction',
  },
  INVALID_JKEY: {
    status: 401,
    when:
      'The jKey is missing, was never handed out, or its session has ended: by logout, at 06:00 IST, after ' +
      'twelve idle hours, by the operator, or as the oldest of more than 20 sessions.',
    whatToDo:
      'Log in again and send the request with the new jKey. Orders and positions are untouched. A program should log ' +
      'in once for each of these answers, not for each request.',
    again: 'after a new login',
  },
  INVALID_USERID: {
    status: 401,
    when: 'The userId is missing, or it is not the one that the jKey belongs to.',
    whatToDo: 'Send the userId that was used at login, in the same spelling.',
    again: 'after a correction',
  },
  FORBIDDEN: {
    status: 403,
    when: 'Orders of this account come from its registered addresses alone, and this one came from another address.',
    whatToDo:
      'Send orders from a registered address, or ask the operator to register this one. Reads are not concerned.',
    again: 'after a correction',
  },
  NOT_FOUND: {
    status: 404,
    when: 'There is nothing at this path. Paths are exact: letter case counts, and dots and doubled slashes do too.',
    whatToDo: 'Compare the path with the reference. Operations begin with /V1/.',
    again: 'after a correction',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: 'The path is there, but not for this method. Operations are POST, documents and symbol files GET.',
    whatToDo: 'Use the method that the Allow header names.',
    again: 'after a correction',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    when: 'The body is larger than 64 KiB, or the head of the request is larger than 16 KiB or has more than 100 headers.',
    whatToDo: 'Send less at a time: getMultiQuotes takes 100 instruments a request.',
    again: 'after a correction',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    when: 'The body is not declared as application/json, or it is compressed.',
    whatToDo: 'Send Content-Type: application/json and the body as it is, in UTF-8.',
    again: 'after a correction',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    when: 'The account sent more requests of this kind than its rate allows, or logins failed too often.',
    whatToDo: 'Wait for the seconds of the Retry-After header, then go on more slowly. Nothing was done.',
    again: 'yes',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    when: 'The service itself failed. It ends then, and starts again from its journal.',
    whatToDo:
      'For a read: send it again. For an order: the answer is lost, not always the order. Send it again under the same ' +
      'Idempotency-Key, or look into the order book first.',
    again: 'yes',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when:
      'The service takes no commands now: it starts or ends, its disk does not answer, or more requests come than can ' +
      'be answered. Nothing was done where the message says so.',
    whatToDo: 'Wait for the seconds of the Retry-After header and send the request again.',
    again: 'yes',
  },
};

/** The names of all errors. */
export const ERROR_NAMES = Object.keys(ERROR_HELP) as ErrorName[];

/** Failures that are made for a request; these are examples of them. */
const MADE: readonly Failure[] = [
  envelope.missingField('quantity'),
  envelope.methodNotAllowed('POST'),
  envelope.tooMany(1),
];

/** The failures of the envelope by that name, each with its words. */
export function failuresNamed(name: ErrorName): readonly Failure[] {
  const fixed = Object.values(envelope).filter(isFailure);
  return [...fixed, ...MADE].filter((failure) => failure.name === name);
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'status' in value && 'name' in value;
}
