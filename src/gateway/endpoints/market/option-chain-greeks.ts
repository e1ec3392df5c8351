import Type from 'typebox';
import type { Tick } from '../../../base/ids.ts';
import type { Option } from '../../../core/instrument.ts';
import type { MarketData } from '../../../core/market.ts';
import type { Views } from '../../../views/views.ts';
import type { Answer } from '../../answer.ts';
import { listOf } from '../../fields/answers.ts';
import { optional } from '../../fields/fields.ts';
import type { Picked } from '../../fields/request.ts';
import { compileWriter } from '../../fields/writer.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { ALL_STRIKES, CHAIN_FIELDS, centralStrike, count, optionsOf } from './chain-request.ts';
import { GREEKS_ROW, greeksRow } from './option-greeks.ts';

const request = Type.Object({
  ...CHAIN_FIELDS,
  count: count('^(ALL|[1-9][0-9]{0,8})$', 'strikes above and below the central one, at most 30, or ALL'),
  strikePrice: optional(centralStrike()),
});
const answer = success('Option chain with Greeks retrieved successfully', listOf(GREEKS_ROW));
const writeRow = compileWriter(GREEKS_ROW);

/** Source: contract section 4, market-rules R8.10. */
export const optionChainGreeks = operation({
  path: '/optionChainGreeks',
  summary: 'Calls and puts around a strike, or all of them, with their greeks',
  request,
  needs: ({ count }: Picked) => (count === ALL_STRIKES ? [] : ['strikePrice']),
  rate: 'quote',
  answer,
  handle: (deps, fields, caller): Answer | Promise<Answer> => {
    const options = optionsOf(deps, fields);
    if ('status' in options) return options;
    const tick = deps.market.tickAt(deps.engine.now());
    return listAnswer(deps, caller, {
      answer,
      rowsAtATime: 10,
      rowBytes: 1_024,
      sources: () => options,
      row: (option, _state, views) => greeksText(views, deps.market, option, tick),
    });
  },
});

/** The row of an option at a tick, as JSON. */
export function greeksText(views: Views, market: MarketData, option: Option, tick: Tick): string {
  return writeRow(greeksRow(views, market, option, tick));
}
