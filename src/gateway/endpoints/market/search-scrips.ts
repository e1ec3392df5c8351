import Type from 'typebox';
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
  handle: async (deps, { stext }) => {
    await deps.contractLists.ready(deps.engine.now());
    const found = deps.instruments.search(stext, LIMIT, deps.engine.now());
    return answer.write(
      found.map((instrument) => ({
        token: String(instrument.token),
        exchange: instrument.exchange,
        companyName: searchCompanyName(instrument),
        representationName: deps.representationName(instrument),
        instrumentName: categoryName(instrument),
        tradingSymbol: instrument.tradingSymbol,
        ...recordedDaysOf(deps.market, instrument.id),
      })),
    );
  },
});
