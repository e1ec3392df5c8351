import Type, { type Static } from 'typebox';
import type { Instrument } from '../../../core/instrument.ts';
import { listedOf, watchlistsOf } from '../../../core/lists/watchlists.ts';
import type { Answer } from '../../answer.ts';
import { anyText, exchangeWord, integer, listOf } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { compileWriter } from '../../fields/writer.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';

const INSTRUMENT = Type.Object({ exchange: exchangeWord, tradingSymbol: anyText(), token: integer });
const ROW = Type.Object({ name: anyText(), instruments: listOf(INSTRUMENT) });
const writeRow = compileWriter(ROW);
const answer = success('Watchlists', listOf(ROW));

/** The lists of the account with the instruments that are listed now. Source: docs/rules/wire-lists.md. */
export const getWatchlists = operation({
  path: '/getWatchlists',
  summary: 'The watchlists of the user, in the order in which they were created',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps, _fields, caller): Answer | Promise<Answer> => {
    const at = deps.engine.now();
    return listAnswer(deps, caller, {
      answer,
      rowsAtATime: 2,
      rowBytes: 65_536,
      sources: (state) => watchlistsOf(state, caller.account),
      row: (list, { day }) =>
        writeRow({ name: list.name, instruments: listedOf(deps.instruments, list, day, at).map(rowOf) }),
    });
  },
});

function rowOf({ exchange, tradingSymbol, token }: Instrument): Static<typeof INSTRUMENT> {
  return { exchange, tradingSymbol, token: String(token) };
}
