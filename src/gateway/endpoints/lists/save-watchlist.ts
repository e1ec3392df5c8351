import Type from 'typebox';
import { MOST_WATCHED } from '../../../core/lists/watchlist.ts';
import type { Answer } from '../../answer.ts';
import { exchange, SIGNED_IN, tradingSymbol } from '../../fields/fields.ts';
import { operation, originOf } from '../../operation.ts';
import { findAll } from '../market/quote-list.ts';
import { watchlistAnswer, watchlistName, writeChange } from './watchlist-name.ts';

const answer = watchlistAnswer('Watchlist saved');

/**
 * Keeps a list under a name, in the place of one that has the name already. An instrument that stands in it twice is
 * kept once. Source: docs/rules/wire-lists.md.
 */
export const saveWatchlist = operation({
  path: '/saveWatchlist',
  summary: 'Create a watchlist, or replace the one of that name',
  request: Type.Object({
    ...SIGNED_IN,
    name: watchlistName(),
    instruments: Type.Array(Type.Object({ exchange: exchange(), tradingSymbol: tradingSymbol() }), {
      maxItems: MOST_WATCHED,
      'x-part': 'instrument',
      'x-blank': true,
      'x-invalid': `instruments must be an array of at most ${MOST_WATCHED} objects with exchange and tradingSymbol`,
    }),
  }),
  rate: 'other',
  answer,
  handle: async (deps, { userId, name, instruments }, caller): Promise<Answer> => {
    const found = findAll(deps, instruments, 'instrument');
    if ('status' in found) return found;
    const ids = [...new Set(found.map(({ instrument }) => instrument.id))];
    const command = { type: 'SaveWatchlist', account: caller.account, name, instruments: ids } as const;
    const reply = await deps.engine.submit({ command, origin: originOf(caller) });
    return writeChange(answer, name, reply, userId);
  },
});
