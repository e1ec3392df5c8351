/**
 * Failures of calls as a trader reads them, with the exit codes that scripts go by (docs/guides/command-line.md).
 */
import {
  AuthError,
  RateLimited,
  RequestError,
  SaudaError,
  TransportError,
  Unavailable,
} from '../../../client/src/errors.ts';
import { withoutControls } from '../../base/printable.ts';
import {
  CommandFailed,
  EXIT_FAILED,
  EXIT_IN_DOUBT,
  EXIT_NO_SESSION,
  EXIT_UNAVAILABLE,
} from '../../os/command-failed.ts';

/** The session that a command used. */
export interface Asked {
  readonly url: string;
  readonly userId: string;
}

/** As `failureOf`, for a login or a logout: whether it was carried out does not matter, it can be done again. */
export function sessionFailureOf(error: unknown, asked: Asked): unknown {
  return error instanceof TransportError ? unreached(error, asked) : failureOf(error, asked);
}

/** A failed call in words for a trader, with the exit code of the command. Errors of other kinds stay as they are. */
export function failureOf(error: unknown, asked: Asked): unknown {
  if (!(error instanceof SaudaError)) return error;
  if (error.ambiguous) {
    const words = `the answer was lost (${reasonOf(error)}), so it may have been done`;
    return new CommandFailed(`${words}: look with sauda orders or sauda gtt`, EXIT_IN_DOUBT);
  }
  if (error instanceof TransportError) return unreached(error, asked);
  if (error instanceof AuthError) return new CommandFailed(loginWords(error, asked), EXIT_NO_SESSION);
  if (error instanceof RateLimited) return new CommandFailed(`too many requests: ${waitWords(error)}`, EXIT_FAILED);
  if (error instanceof Unavailable) {
    return new CommandFailed(`the service takes no requests now: ${reasonOf(error)}`, EXIT_UNAVAILABLE);
  }
  return new CommandFailed(reasonOf(error), EXIT_FAILED);
}

function unreached(error: TransportError, { url }: Asked): CommandFailed {
  if (error.reason === 'not sent') {
    return new CommandFailed(`no service answers at ${url}: is it running?`, EXIT_UNAVAILABLE);
  }
  const words = { lost: 'the connection was lost', timeout: 'no answer came in time', aborted: 'the wait was ended' };
  const why = error.reason === 'not understood' ? 'something else answers there' : words[error.reason];
  return new CommandFailed(`${url}: ${why}`, EXIT_UNAVAILABLE);
}

function loginWords(error: AuthError, { url, userId }: Asked): string {
  if (error.code !== 'INVALID_JKEY') return reasonOf(error);
  return `the session of ${userId} at ${url} has ended: log in again with sauda login`;
}

function waitWords(error: RateLimited): string {
  const { retryAfterMs } = error;
  return retryAfterMs === undefined ? reasonOf(error) : `try again in ${Math.ceil(retryAfterMs / 1000)} s`;
}

/** The words of the service, without the names of the wire in front. */
function reasonOf(error: SaudaError): string {
  const { message } = error;
  const prefix = error instanceof RequestError ? `${error.code} (${error.field}): ` : '';
  return withoutControls(message.startsWith(prefix) ? message.slice(prefix.length) : message);
}
