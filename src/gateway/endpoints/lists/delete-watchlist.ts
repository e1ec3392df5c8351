import Type from 'typebox';
import type { Answer } from '../../answer.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { operation, originOf } from '../../operation.ts';
import { watchlistAnswer, watchlistName, writeChange } from './watchlist-name.ts';

const answer = watchlistAnswer('Watchlist deleted');

/** Deletes a list. A name that no list has is an error. Source: docs/rules/wire-lists.md. */
export const deleteWatchlist = operation({
  path: '/deleteWatchlist',
  summary: 'Delete a watchlist',
  request: Type.Object({ ...SIGNED_IN, name: watchlistName() }),
  rate: 'other',
  answer,
  handle: async (deps, { userId, name }, caller): Promise<Answer> => {
    const command = { type: 'DeleteWatchlist', account: caller.account, name } as const;
    const reply = await deps.engine.submit({ command, origin: originOf(caller) });
    return writeChange(answer, name, reply, userId);
  },
});
