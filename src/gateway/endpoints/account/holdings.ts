import Type from 'typebox';
import { holdingsOf } from '../../../core/query.ts';
import { accountOf } from '../../../core/state.ts';
import { anyText, exchangeWord, listOf } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { operation, success } from '../../operation.ts';
import { listingsOf } from './listings.ts';

const answer = success('Fetched holdings', listOf(Type.Object({ exchange: exchangeWord, tradingSymbol: anyText() })));

/** One row for each listing of a share that is held. Source: interface §holdings, contract 3.18. */
export const holdings = operation({
  path: '/holdings',
  summary: 'Shares held',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps, _fields, caller) =>
    deps.engine.read((state) => {
      const at = deps.engine.now();
      const held = holdingsOf(accountOf(state, caller.account), deps.instruments);
      return answer.write(
        held
          .filter(({ settled, unsettled }) => settled + unsettled > 0)
          .flatMap(({ isin }) => listingsOf(deps.instruments, isin, at))
          .map(({ exchange, tradingSymbol }) => ({ exchange, tradingSymbol })),
      );
    }),
});
