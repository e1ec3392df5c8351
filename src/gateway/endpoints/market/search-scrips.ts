import Type from 'typebox';
import type { GatewayParts } from '../../deps.ts';
import { anyText, exchangeWord, integer, listOf, plain } from '../../fields/answers.ts';
import { SIGNED_IN, text } from '../../fields/fields.ts';
import { categoryName, searchCompanyName } from '../../fields/names.ts';
import { RECORDED_DAYS, recordedDaysOf } from '../../fields/recorded-days.ts';
import { operation, success } from '../../operation.ts';

/** Source: contract W12. */
const LIMIT = 100;

const INVALID = 'stext must be text of at most 64 characters, none of them a control character';

const answer = success(
  'Search symbols',
  listOf(
    Type.Object({
      token: integer,
      exchange: exchangeWord,
      companyName: anyText('the issuer; Monthly or Weekly for contracts'),
      representationName: anyText('short display name'),
      instrumentName: plain('^(Equity|Options|Futures|Index)$'),
      tradingSymbol: anyText('the symbol for later calls'),
      recordedDays: RECORDED_DAYS,
    }),
  ),
);

/** Source: interface §searchScrips, contract 3.3, W12. */
export const searchScrips = operation({
  path: '/searchScrips',
  summary: 'Search instruments by text',
  request: Type.Object({
    ...SIGNED_IN,
    stext: text(64, { 'x-missing': 'stext is required', 'x-invalid': INVALID }),
  }),
  rate: 'other',
  answer,
  handle: (deps, { stext }, { account }) => {
    const listing = deps.contractLists.ready(deps.engine.now());
    if (listing === undefined) return found(deps, stext);
    // All who waited go on in one turn of the loop, so each takes a turn of its own again.
    return listing.then(() => deps.turns.run(account, () => found(deps, stext)));
  },
});

function found(deps: GatewayParts, stext: string): string {
  const instruments = deps.instruments.search(stext, LIMIT, deps.engine.now());
  return answer.write(
    instruments.map((instrument) => ({
      token: String(instrument.token),
      exchange: instrument.exchange,
      companyName: searchCompanyName(instrument),
      representationName: deps.representationName(instrument),
      instrumentName: categoryName(instrument),
      tradingSymbol: instrument.tradingSymbol,
      ...recordedDaysOf(deps.market, instrument.id),
    })),
  );
}
