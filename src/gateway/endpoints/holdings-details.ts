import Type, { type Static } from 'typebox';
import { must } from '../../base/assert.ts';
import { formatRupees } from '../../base/decimal.ts';
import type { Equity } from '../../core/instrument.ts';
import { type HoldingFigures, holdingsOf } from '../../core/query.ts';
import { anyText, exchangeWord, integer, listOf, plain, pricePrecision, rupees } from '../answers.ts';
import { SIGNED_IN } from '../fields.ts';
import { listingsOf } from '../listings.ts';
import { PRICE_PRECISION } from '../names.ts';
import { operation, success } from '../operation.ts';

const answer = success(
  'Fetched holdings',
  listOf(
    Type.Object({
      exchangeTradingSymbol: listOf(
        Type.Object({
          exchange: exchangeWord,
          token: integer,
          tradingSymbol: anyText(),
          pricePrecision,
          tickSize: rupees,
          lotSize: integer,
        }),
      ),
      sellAmount: plain('^[0-9]+\\.[0-9]{6}$'),
      holdQuantity: integer,
      hairCut: rupees,
      dpQuantity: integer,
      unPledgeQuantity: integer,
      uploadPrice: rupees,
      BTSTQuantity: integer,
      usedQuantity: integer,
      tradeQuantity: integer,
      brokerCollateralQuantity: integer,
      beneficiaryQuantity: integer,
      collateralQuantity: integer,
    }),
  ),
);

/** Source: contract section 4, market-rules R5.18 to R5.20. */
export const holdingsDetails = operation({
  path: '/holdingsDetails',
  summary: 'Shares held, with quantities and cost',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps, _fields, caller) =>
    deps.engine.read((state) => {
      const at = deps.clock();
      const held = holdingsOf(must(state.accounts[caller.account], 'a session has an account'));
      return answer.write(held.map((holding) => rowOf(holding, listingsOf(deps.instruments, holding.isin, at))));
    }),
});

/** Nothing is pledged, so what belongs to pledges is zero. */
function rowOf(holding: HoldingFigures, listings: readonly Equity[]): Static<typeof answer.data>[number] {
  return {
    exchangeTradingSymbol: listings.map((equity) => ({
      exchange: equity.exchange,
      token: String(equity.token),
      tradingSymbol: equity.tradingSymbol,
      pricePrecision: PRICE_PRECISION,
      tickSize: formatRupees(equity.tick),
      lotSize: String(equity.lot),
    })),
    sellAmount: `${formatRupees(holding.sellAmount)}0000`,
    holdQuantity: String(holding.settled),
    hairCut: '0.00',
    dpQuantity: '0',
    unPledgeQuantity: '0',
    uploadPrice: formatRupees(holding.averagePrice),
    BTSTQuantity: String(holding.unsettled),
    usedQuantity: String(holding.used),
    tradeQuantity: String(holding.sold),
    brokerCollateralQuantity: '0',
    beneficiaryQuantity: '0',
    collateralQuantity: '0',
  };
}
