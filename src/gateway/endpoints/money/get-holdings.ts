/**
 * The operation `/getHoldings`: the shares of an account with their cost, their value, the change of the day and their
 * part as collateral, and the sums. `account/holdings-details.ts` has the quantities as the family's clients read them.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { formatRupees } from '../../../base/decimal.ts';
import { addPaise, amountOf, type Paise, subtractPaise, ZERO_PAISE } from '../../../base/money.ts';
import { heldUnits } from '../../../core/account.ts';
import { type HoldingFigures, holdingsOf } from '../../../core/query.ts';
import { accountOf } from '../../../core/state.ts';
import { lastPrice } from '../../../views/quote.ts';
import type { Views } from '../../../views/views.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, exchangeWord, integer, listOf, plain, rupees, t1 } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { objectAnswer, type Piece } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';

const SUMS = { invested: rupees, value: rupees, result: rupees, dayChange: rupees, collateral: rupees };

const ROW = Type.Object({
  exchange: exchangeWord,
  tradingSymbol: anyText(),
  token: integer,
  isin: plain('^[A-Z0-9]*$'),
  quantity: integer,
  unsettled: integer,
  pledged: integer,
  used: integer,
  salable: integer,
  averagePrice: rupees,
  lastTradedPrice: rupees,
  previousClose: rupees,
  ...SUMS,
});
const writeRow = compileWriter(ROW);

const REST = Type.Object({ ...SUMS, requestTime: t1 });
const writeRest = compileWriter(REST);

const answer = success('Holdings', Type.Object({ rows: listOf(ROW), ...REST.properties }));

/** A new price of a share may cost a good part of a millisecond. */
const ROWS_AT_A_TIME = 20;
const ROW_BYTES = 640;

/** Source: docs/rules/wire-own.md, market-rules R5.18 to R5.24. */
export const getHoldings = operation({
  path: '/getHoldings',
  summary: 'Shares held, with value, change of the day, collateral and sums',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: async (deps, _fields, caller): Promise<Answer> => {
    const held = await deps.engine.read((state) =>
      holdingsOf(accountOf(state, caller.account), deps.instruments).filter((holding) => heldUnits(holding) > 0),
    );
    const made = new HoldingsAnswer(deps);
    return objectAnswer(deps, caller, {
      answer,
      list: 'rows',
      mostBytes: (held.length + 1) * ROW_BYTES,
      pieces: made.pieces(held),
      rest: () => made.rest(),
    });
  },
});

type Sums = Record<keyof typeof SUMS, Paise>;

class HoldingsAnswer {
  private readonly parts: GatewayParts;
  private readonly sums: Sums = {
    invested: ZERO_PAISE,
    value: ZERO_PAISE,
    result: ZERO_PAISE,
    dayChange: ZERO_PAISE,
    collateral: ZERO_PAISE,
  };

  constructor(parts: GatewayParts) {
    this.parts = parts;
  }

  *pieces(held: readonly HoldingFigures[]): Generator<Piece> {
    for (let from = 0; from < held.length; from += ROWS_AT_A_TIME) {
      const some = held.slice(from, from + ROWS_AT_A_TIME);
      yield () =>
        this.parts.engine.read((_state, views) =>
          some.map((holding) => writeRow(this.rowOf(views, holding))).join(','),
        );
    }
  }

  rest(): string {
    return writeRest({ ...textsOf(this.sums), requestTime: formatT1(this.parts.engine.now()) });
  }

  private rowOf(views: Views, holding: HoldingFigures): Static<typeof ROW> {
    const { instruments, market, engine } = this.parts;
    const instrument = must(instruments.get(holding.instrument), 'a holding is in a listed share');
    const tick = market.tickAt(engine.now());
    const last = lastPrice(views, market, instrument.id, tick);
    const close = market.previousClose(instrument.id, tick);
    const units = heldUnits(holding);
    const value = amountOf(last, units);
    const own: Sums = {
      invested: holding.cost,
      value,
      result: subtractPaise(value, holding.cost),
      dayChange: subtractPaise(value, amountOf(close, units)),
      collateral: holding.collateral,
    };
    for (const name of Object.keys(own) as (keyof Sums)[]) this.sums[name] = addPaise(this.sums[name], own[name]);
    return {
      exchange: instrument.exchange,
      tradingSymbol: instrument.tradingSymbol,
      token: String(instrument.token),
      isin: holding.isin,
      quantity: String(units),
      unsettled: String(holding.unsettled),
      pledged: String(holding.pledged),
      used: String(holding.used),
      salable: String(holding.salable),
      averagePrice: formatRupees(holding.averagePrice),
      lastTradedPrice: formatRupees(last),
      previousClose: formatRupees(close),
      ...textsOf(own),
    };
  }
}

function textsOf({ invested, value, result, dayChange, collateral }: Sums): Record<keyof Sums, string> {
  return {
    invested: formatRupees(invested),
    value: formatRupees(value),
    result: formatRupees(result),
    dayChange: formatRupees(dayChange),
    collateral: formatRupees(collateral),
  };
}
