/**
 * The operation `/holdingsDetails`: an account's shares with their quantities and their cost. `holdings.ts` only lists
 * which shares they are. The figures come from the core; this file writes them in the words of the wire.
 */

import Type, { type Static } from 'typebox';
import { formatRupees } from '../../../base/decimal.ts';
import { haircutOf } from '../../../core/broker/account/collateral.ts';
import type { Equity } from '../../../core/instrument.ts';
import { type HoldingFigures, holdingsOf } from '../../../core/query.ts';
import { accountOf } from '../../../core/state.ts';
import { anyText, exchangeWord, integer, listOf, plain, pricePrecision, rupees } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { PRICE_PRECISION } from '../../fields/names.ts';
import { compileWriter } from '../../fields/writer.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';
import { listingsOf } from './listings.ts';

const ROW = Type.Object({
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
  hairCut: plain('^[01]\\.[0-9]{2}$', 'the part of a pledge that does not count, 1.00 for all of it'),
  dpQuantity: integer,
  unPledgeQuantity: integer,
  uploadPrice: rupees,
  BTSTQuantity: integer,
  usedQuantity: integer,
  tradeQuantity: integer,
  brokerCollateralQuantity: integer,
  beneficiaryQuantity: integer,
  collateralQuantity: integer,
});
const writeRow = compileWriter(ROW);
const answer = success('Fetched holdings', listOf(ROW));

/** Source: contract section 4, market-rules R5.18 to R5.20, R5.23. */
export const holdingsDetails = operation({
  path: '/holdingsDetails',
  summary: 'Shares held, with quantities and cost',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps, _fields, caller) =>
    listAnswer(deps, caller, {
      answer,
      rowsAtATime: 50,
      rowBytes: 2_048,
      sources: (state) => holdingsOf(accountOf(state, caller.account), deps.instruments),
      row: (holding, _state, _views, ports) => {
        const at = deps.engine.now();
        const haircut = haircutOf(ports, holding.instrument);
        return writeRow(rowOf(holding, haircut, listingsOf(deps.instruments, holding.isin, at)));
      },
    }),
});

/**
 * Pledged shares leave `holdQuantity`, so that the fields add up to the shares that can be sold, and stand in
 * `brokerCollateralQuantity`, so that they add up to the shares that are owned; `collateralQuantity` shows them as
 * given by the client. Nothing is kept apart by beneficiary account, depository or release, so those are zero. Source:
 * market-rules R5.19.
 */
function rowOf(holding: HoldingFigures, haircut: number, listings: readonly Equity[]): Static<typeof ROW> {
  const pledged = String(holding.pledged);
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
    holdQuantity: String(holding.settled - holding.pledged),
    hairCut: partText(haircut),
    dpQuantity: '0',
    unPledgeQuantity: '0',
    uploadPrice: formatRupees(holding.averagePrice),
    BTSTQuantity: String(holding.unsettled),
    usedQuantity: String(holding.used),
    tradeQuantity: String(holding.sold),
    brokerCollateralQuantity: pledged,
    beneficiaryQuantity: '0',
    collateralQuantity: pledged,
  };
}

/** 1/10,000 as a part of one with two decimals, half up. Source: market-rules R0.3. */
function partText(tenThousandths: number): string {
  const hundredths = Math.floor((tenThousandths + 50) / 100);
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}
