/** The reason why a login failed, in words, and the field of the form to look at. */
import { RateLimited, RequestError, TransportError, Unavailable } from '../../../client/src/errors.ts';
import { failureWords } from '../orders/words.ts';

export interface LoginFailure {
  /** The field of the form to correct; undefined when none of them is at fault. */
  readonly field: 'userId' | 'password' | 'totp' | 'apiKey' | 'vendorCode' | undefined;
  readonly text: string;
}

const FIELDS: Readonly<Record<string, LoginFailure['field']>> = {
  userId: 'userId',
  password: 'password',
  TOTP: 'totp',
  vendorCode: 'vendorCode',
  apiKey: 'apiKey',
};

/** The words for a failed login. The service does not say which of the factors is wrong, so neither does this. */
export function failureOf(error: unknown, hadCode: boolean): LoginFailure {
  if (error instanceof RateLimited) {
    const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1_000);
    const wait = seconds > 0 ? `Try again in ${seconds} s.` : 'Try again later.';
    return { field: undefined, text: `Too many logins failed. ${wait}` };
  }
  if (error instanceof Unavailable) {
    return { field: undefined, text: 'The service takes no logins at this moment. Try again in a few seconds.' };
  }
  if (error instanceof TransportError) {
    return { field: undefined, text: 'The service does not answer. Is it running? Try again.' };
  }
  if (!(error instanceof RequestError)) return { field: undefined, text: failureWords(error) };
  if (error.code === 'MISSING_FIELD' && error.field === 'TOTP') {
    return { field: 'totp', text: 'This user needs a one-time code.' };
  }
  if (error.code === 'INVALID_CREDENTIALS') {
    const factors = hadCode
      ? 'The user, the password, the code or the API key'
      : 'The user, the password or the API key';
    const hint = hadCode ? ' A code counts once: the next one comes within 30 seconds.' : '';
    return { field: hadCode ? 'totp' : 'password', text: `${factors} is wrong.${hint}` };
  }
  return { field: FIELDS[error.field], text: failureWords(error) };
}

/** The digits of a code that was typed or pasted, at most six. */
export function codeIn(text: string): string {
  return text.replaceAll(/\D/g, '').slice(0, 6);
}
