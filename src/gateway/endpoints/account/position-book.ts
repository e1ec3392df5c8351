/**
 * The operation `/positionBook`: an account's positions with their quantities, averages and profit or loss. The core
 * works out the figures; this file writes them in the words of the wire.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { formatRupees } from '../../../base/decimal.ts';
import type { AccountId } from '../../../base/ids.ts';
import type { Paise, Price, Quantity } from '../../../base/money.ts';
import { type EpochMs, istDay } from '../../../base/time.ts';
import type { Position } from '../../../core/account.ts';
import type { Instrument } from '../../../core/instrument.ts';
import { type PositionFigures, positionFigures, positionsOf } from '../../../core/query.ts';
import { accountOf } from '../../../core/state.ts';
import { lastPrice } from '../../../views/quote.ts';
import type { Views } from '../../../views/views.ts';
import type { GatewayParts } from '../../deps.ts';
import {
  anyText,
  exchangeWord,
  integer,
  integerOrBlank,
  listOf,
  productWord,
  rupees,
  rupeesOrBlank,
} from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { compileWriter } from '../../fields/writer.ts';
import { listAnswer } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';

const ROW = Type.Object({
  RealizedPNL: rupees,
  cfBuyAmt: rupeesOrBlank,
  cfBuyQty: integerOrBlank,
  cfSellAmt: rupeesOrBlank,
  cfSellQty: integerOrBlank,
  dayBuyAmount: rupees,
  dayBuyAveragePrice: rupees,
  dayBuyQuantity: integer,
  daySellAmount: rupees,
  daySellAveragePrice: rupees,
  daySellQuantity: integer,
  exchange: exchangeWord,
  lastTradedPrice: rupees,
  lotSize: integer,
  netAveragePrice: rupees,
  netQuantity: integer,
  netUploadPrice: rupees,
  product: productWord,
  tickSize: rupees,
  token: integer,
  totalMTM: rupees,
  totalPNL: rupees,
  tradingSymbol: anyText(),
  unrealizedMTOM: rupees,
  uploadPrice: rupees,
  userId: anyText(),
});
const answer = success('Positions retrieved successfully', listOf(ROW));
const writeRow = compileWriter(ROW);
type Row = Static<typeof ROW>;

/** Source: interface §positionBook, contract 3.17, W21, W27, market-rules R5.1 to R5.8. */
export const positionBook = operation({
  path: '/positionBook',
  summary: 'Positions of today and carried ones',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  jKeyMissing: 'jKey is required',
  answer,
  handle: (deps, { userId }, caller) => {
    const at = deps.engine.now();
    return listAnswer(deps, caller, {
      answer,
      rowsAtATime: 50,
      rowBytes: 1_536,
      sources: (state, views) => {
        const account = accountOf(state, caller.account);
        return positionsOf(account, views.conversions.originsOf(account.id));
      },
      frozen: (row) => ({ ...row }),
      row: (row, _state, views) => positionText(deps, views, { account: caller.account, userId }, row, at),
    });
  },
});

/** The parts that a position's row is made with. */
export type PositionParts = Pick<GatewayParts, 'instruments' | 'market' | 'avgModel' | 'positionTexts'>;

/** The row of a position at the prices of a moment, as JSON. */
export function positionText(
  parts: PositionParts,
  views: Views,
  { account, userId }: { readonly account: AccountId; readonly userId: string },
  row: Position,
  at: EpochMs,
): string {
  const open = openByModel(parts.avgModel, views, account, row);
  const last = lastPrice(views, parts.market, row.instrument, parts.market.tickAt(at));
  return parts.positionTexts.textOf(row, open, last, istDay(at), (shown, openAmount, price) => {
    const figures = positionFigures(shown, price, openAmount);
    return writeRow(rowOf(shown, figures, instrumentOf(parts, shown), price, userId));
  });
}

/**
 * The value of a position's open units by a model of averages; `undefined` where it follows from the position alone.
 * Source: market-rules R5.4, R5.6.
 */
export function openByModel(
  model: GatewayParts['avgModel'],
  views: Views,
  account: AccountId,
  row: Position,
): Paise | undefined {
  return model === 'running' ? views.lots.openAmountOf(account, row) : undefined;
}

function instrumentOf(deps: PositionParts, row: Position): Instrument {
  return must(deps.instruments.get(row.instrument), 'a position is in a listed instrument');
}

function rowOf(row: Position, figures: PositionFigures, instrument: Instrument, last: Price, userId: string): Row {
  return {
    RealizedPNL: formatRupees(figures.realised),
    cfBuyAmt: carriedAmount(row.carriedBuyAmount, row.carriedBuyQuantity),
    cfBuyQty: carriedQuantity(row.carriedBuyQuantity),
    cfSellAmt: carriedAmount(row.carriedSellAmount, row.carriedSellQuantity),
    cfSellQty: carriedQuantity(row.carriedSellQuantity),
    dayBuyAmount: formatRupees(row.dayBuyAmount),
    dayBuyAveragePrice: formatRupees(figures.dayBuyAveragePrice),
    dayBuyQuantity: String(row.dayBuyQuantity),
    daySellAmount: formatRupees(row.daySellAmount),
    daySellAveragePrice: formatRupees(figures.daySellAveragePrice),
    daySellQuantity: String(row.daySellQuantity),
    exchange: instrument.exchange,
    lastTradedPrice: formatRupees(last),
    lotSize: String(instrument.lot),
    netAveragePrice: formatRupees(figures.netAveragePrice),
    netQuantity: String(figures.netQuantity),
    netUploadPrice: formatRupees(figures.netUploadPrice),
    product: row.product,
    tickSize: formatRupees(instrument.tick),
    token: String(instrument.token),
    totalMTM: formatRupees(figures.totalMtm),
    totalPNL: formatRupees(figures.totalPnl),
    tradingSymbol: instrument.tradingSymbol,
    unrealizedMTOM: formatRupees(figures.unrealised),
    uploadPrice: formatRupees(figures.uploadPrice),
    userId,
  };
}

/** Blank when nothing was carried. Source: interface §Position. */
function carriedQuantity(quantity: Quantity): string {
  return quantity === 0 ? '' : String(quantity);
}

function carriedAmount(amount: Paise, quantity: Quantity): string {
  return quantity === 0 ? '' : formatRupees(amount);
}
