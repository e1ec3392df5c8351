import type { Operation } from '../operation.ts';
import { exampleBody } from './example-bodies.ts';

export const COLLECTION_NAME = 'Sauda V1';

/** The variables of both collections. The user fills in the credentials; `sauda demo credentials` prints some. */
export const VARIABLES: Readonly<Record<string, string>> = {
  baseUrl: 'http://127.0.0.1:8080',
  userId: '',
  passwordSha256: '',
  totp: '',
  vendorCode: '',
  apiKey: '',
  jKey: '',
};

/** The name of an operation's request: its path without the slash in front. */
export function requestName({ path }: Operation): string {
  return path.slice(1);
}

/** The example body as text, one field a line. */
export function exampleText(operation: Operation): string {
  return JSON.stringify(exampleBody(operation), undefined, 2);
}
