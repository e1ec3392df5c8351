/**
 * The operation `/demoLogin`: opens a session of a demo user without credentials, on a service that offers that. It is
 * for the page of the service itself: a page of another site cannot log anybody in.
 */

import Type from 'typebox';
import type { Answer } from '../../answer.ts';
import { badRequest, type Failure } from '../../fields/envelope.ts';
import { text } from '../../fields/fields.ts';
import { operation } from '../../operation.ts';
import { loggedIn, loginAnswer } from './login.ts';

const NOT_OFFERED: Failure = {
  status: 403,
  name: 'FORBIDDEN',
  field: 'demoLogin',
  message: 'this service lets nobody in without credentials: use login',
};
const FOREIGN_PAGE: Failure = {
  status: 403,
  name: 'FORBIDDEN',
  field: 'Origin',
  message: 'demo users are not for pages of other sites',
};
const NO_DEMO_USER = badRequest('userId', 'userId is not one of demoUsers');

/** Source: docs/rules/wire-own.md. */
export const demoLogin = operation({
  path: '/demoLogin',
  summary: 'Log a demo user in without credentials',
  request: Type.Object({ userId: text(64) }),
  missing: 'MISSING_FIELD',
  rate: 'other',
  forStrangers: true,
  answer: loggedIn,
  handle: async (deps, { userId }, { from }): Promise<Answer> => {
    if (deps.demoLogins === undefined) return NOT_OFFERED;
    if (from.isForeignPage) return FOREIGN_PAGE;
    const result = await deps.demoLogins.enter(userId, from.address);
    return !result.ok && result.why === 'InvalidCredentials' ? NO_DEMO_USER : loginAnswer(deps, result);
  },
});
