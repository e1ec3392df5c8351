import { equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimited, requestErrorOf, TransportError } from '../../../client/src/errors.ts';
import { codeIn, failureOf } from './login-failure.ts';

const refusal = (status: number, code: string, field: string) =>
  requestErrorOf({ status, code, field, message: 'as the service says' });

test('a user who needs a code is asked for it', () => {
  const { field, text } = failureOf(refusal(400, 'MISSING_FIELD', 'TOTP'), false);
  equal(field, 'totp');
  equal(text, 'This user needs a one-time code.');
});

test('wrong factors are named together, because the service does not say which one is wrong', () => {
  const without = failureOf(refusal(401, 'INVALID_CREDENTIALS', 'password'), false);
  equal(without.text, 'The user, the password or the API key is wrong.');
  equal(without.field, 'password');
  const withCode = failureOf(refusal(401, 'INVALID_CREDENTIALS', 'password'), true);
  equal(withCode.field, 'totp');
  match(withCode.text, /A code counts once/);
});

test('another refusal is shown in the words of the service, at its field', () => {
  const { field, text } = failureOf(refusal(400, 'BAD_REQUEST', 'vendorCode'), false);
  equal(field, 'vendorCode');
  equal(text, 'as the service says');
});

test('too many logins, a service that stops and one that is away each have their words', () => {
  const limited = new RateLimited({ status: 429, code: 'X', field: '', message: '', retryAfterMs: 29_500 });
  equal(failureOf(limited, false).text, 'Too many logins failed. Try again in 30 s.');
  match(failureOf(refusal(503, 'UNAVAILABLE', ''), false).text, /takes no logins at this moment/);
  match(failureOf(new TransportError('lost', 'gone'), false).text, /does not answer/);
});

test('a pasted code may have blanks and words around it', () => {
  equal(codeIn(' 123 456 '), '123456');
  equal(codeIn('code: 0012349'), '001234');
});
