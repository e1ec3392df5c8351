import Type from 'typebox';
import { accountOf } from '../../../core/state.ts';
import { anyText } from '../../fields/answers.ts';
import { operation, success } from '../../operation.ts';

const answer = success('Demo users', Type.Array(Type.Object({ userId: anyText(), name: anyText() })));

/**
 * The users whom `demoLogin` lets in; an empty list where it lets nobody in, so that a page can ask before anybody is
 * logged in. Source: docs/rules/wire-own.md.
 */
export const demoUsers = operation({
  path: '/demoUsers',
  summary: 'The demo users who log in without credentials',
  request: Type.Object({}),
  rate: 'other',
  forStrangers: true,
  answer,
  handle: (deps, _fields, { from }) => {
    if (deps.demoLogins === undefined || from.isForeignPage) return answer.write([]);
    return deps.engine.read((state) => {
      const demo = Array.from(state.demoAccounts, (id) => accountOf(state, id));
      return answer.write(demo.map(({ userId, name }) => ({ userId, name })));
    });
  },
});
