import Type from 'typebox';
import { successWithoutData } from '../../fields/envelope.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { operation, originOf } from '../../operation.ts';

const MESSAGE = 'Successfully logged out';
const BODY = successWithoutData(MESSAGE);

/** Source: interface §logout, contract 3.2. */
export const logout = operation({
  path: '/logout',
  summary: 'End the session',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer: { message: MESSAGE },
  handle: async (deps, _fields, caller) => {
    const command = { type: 'CloseSession', tokenDigest: caller.tokenDigest } as const;
    await deps.engine.submit({ command, origin: originOf(caller) });
    return BODY;
  },
});
