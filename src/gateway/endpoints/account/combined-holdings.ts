/**
 * The operation `/combinedHoldings`: shares and funds with their cost and present value, and their sums. Funds are not
 * kept here, so their list is empty. `holdings-details.ts` has the quantities of shares one by one.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import type { Tick } from '../../../base/ids.ts';
import { addPaise, amountOf, type Paise, type Quantity, subtractPaise, ZERO_PAISE } from '../../../base/money.ts';
import { type HoldingFigures, holdingsOf } from '../../../core/query.ts';
import { accountOf } from '../../../core/state.ts';
import { lastPrice } from '../../../views/quote.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, exchangeWord, listOf, plain } from '../../fields/answers.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { rupeesNumber } from '../../fields/numbers.ts';
import { type Caller, operation, success } from '../../operation.ts';

const TOTALS = {
  investedValue: Type.Number({ description: 'rupees' }),
  currentValue: Type.Number({ description: 'rupees, at last prices' }),
  pnl: Type.Number({ description: 'rupees' }),
  pnlPercent: Type.Number({ description: 'of the invested value; 0 when nothing was invested' }),
};
const ROW = Type.Object({
  exchange: exchangeWord,
  tradingSymbol: anyText(),
  isin: plain('^[A-Z0-9]*$'),
  quantity: Type.Number({ description: 'settled and unsettled, pledged ones among them' }),
  averagePrice: Type.Number({ description: 'rupees' }),
  lastTradedPrice: Type.Number({ description: 'rupees' }),
  ...TOTALS,
});
const LIST = Type.Object({ holdings: listOf(ROW), ...TOTALS });
const answer = success(
  'Holdings fetched successfully',
  Type.Object({ mutualFunds: LIST, stocks: LIST, combinedHoldings: Type.Object(TOTALS) }),
);

/** A new price of a share may cost a good part of a millisecond. */
const ROWS_AT_A_TIME = 20;

/** The cost, and the value now. */
interface Worth {
  readonly invested: Paise;
  readonly current: Paise;
}
interface Row extends Worth {
  readonly row: Static<typeof ROW>;
}
const NOTHING: Worth = { invested: ZERO_PAISE, current: ZERO_PAISE };

/** Source: contract section 4, market-rules R5.18 to R5.24. */
export const combinedHoldings = operation({
  path: '/combinedHoldings',
  summary: 'Shares and funds held, with cost, value and sums',
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: (deps, _fields, caller): Promise<Answer> => combined(deps, caller),
});

/** Prices are asked for in turns of the account, all at the second in which the holdings were read. */
async function combined(parts: GatewayParts, { account }: Caller): Promise<Answer> {
  const tick = parts.market.tickAt(parts.engine.now());
  const held = await parts.engine.read((state) => {
    const all = holdingsOf(accountOf(state, account), parts.instruments);
    return all.filter(({ settled, unsettled }) => settled + unsettled > 0);
  });
  const rows: Row[] = [];
  for (let from = 0; from < held.length; from += ROWS_AT_A_TIME) {
    const some = held.slice(from, from + ROWS_AT_A_TIME);
    rows.push(...(await parts.turns.run(account, () => rowsOf(parts, some, tick))));
  }
  const stocks = sumOf(rows);
  return answer.write({
    mutualFunds: { holdings: [], ...totals(NOTHING) },
    stocks: { holdings: rows.map(({ row }) => row), ...totals(stocks) },
    combinedHoldings: totals(stocks),
  });
}

function rowsOf(parts: GatewayParts, held: readonly HoldingFigures[], tick: Tick): Row[] | Promise<Row[]> {
  return parts.engine.read((_state, views) =>
    held.map((holding) => {
      const instrument = must(parts.instruments.get(holding.instrument), 'a holding is in a listed share');
      const last = lastPrice(views, parts.market, instrument.id, tick);
      const units = (holding.settled + holding.unsettled) as Quantity;
      const worth = { invested: holding.cost, current: amountOf(last, units) };
      const row = {
        exchange: instrument.exchange,
        tradingSymbol: instrument.tradingSymbol,
        isin: holding.isin,
        quantity: units,
        averagePrice: rupeesNumber(holding.averagePrice),
        lastTradedPrice: rupeesNumber(last),
        ...totals(worth),
      };
      return { ...worth, row };
    }),
  );
}

function sumOf(rows: readonly Worth[]): Worth {
  let sum = NOTHING;
  for (const { invested, current } of rows) {
    sum = { invested: addPaise(sum.invested, invested), current: addPaise(sum.current, current) };
  }
  return sum;
}

function totals({ invested, current }: Worth) {
  const gain = subtractPaise(current, invested);
  return {
    investedValue: rupeesNumber(invested),
    currentValue: rupeesNumber(current),
    pnl: rupeesNumber(gain),
    pnlPercent: invested > 0 ? Math.round((gain / invested) * 10_000) / 100 : 0,
  };
}
