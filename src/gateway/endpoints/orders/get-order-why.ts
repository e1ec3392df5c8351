/**
 * The operation `/getOrderWhy`: how the placement and each modification of one of the caller's own orders were judged,
 * check by check, with the figures of that moment. They are those of `sauda why`.
 */

import Type from 'typebox';
import type { OrderNumber } from '../../../base/ids.ts';
import type { WhyReport } from '../../../engine/why/why-report.ts';
import type { Answer } from '../../answer.ts';
import {
  anyText,
  exchangeWord,
  integer,
  integerOrBlank,
  listOf,
  orderNumberText,
  plain,
  priceTypeWord,
  productWord,
  retentionWord,
  rupees,
  rupeesOrBlank,
  sideWord,
} from '../../fields/answers.ts';
import { badRequest } from '../../fields/envelope.ts';
import { orderNumber, SIGNED_IN } from '../../fields/fields.ts';
import { operation, success } from '../../operation.ts';
import { UNKNOWN_ORDER } from './earlier-orders.ts';

/** An order that was modified more often is not explained: its answer would have no bound. */
const MOST_MODIFICATIONS = 100;
const MODIFIED_TOO_OFTEN = badRequest(
  'orderNumber',
  `an order is explained that was modified at most ${MOST_MODIFICATIONS} times`,
);

const MOMENT = '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{8,12}$';

const answer = success(
  'Order explained',
  Type.Object({
    orderNumber: orderNumberText,
    userId: anyText(),
    exchange: exchangeWord,
    tradingSymbol: anyText(),
    transactionType: sideWord,
    product: productWord,
    steps: listOf(
      Type.Object({
        step: plain('^(placement|modification)$'),
        at: plain(MOMENT, 'IST'),
        record: integer,
        priceType: priceTypeWord,
        retention: retentionWord,
        quantity: integerOrBlank,
        price: rupees,
        triggerPrice: rupeesOrBlank,
        outcome: plain('^(admitted|refused)$'),
        reason: anyText('the words that the client was given; blank when it was admitted'),
        checks: listOf(
          Type.Object({
            check: anyText('the condition that holds when the check passes'),
            rule: anyText(),
            outcome: plain('^(passed|refused|unasked)$'),
            figures: listOf(Type.Object({ name: anyText(), value: anyText() })),
          }),
        ),
      }),
    ),
    outcomes: Type.Optional(
      listOf(
        Type.Object({
          at: plain(MOMENT, 'IST'),
          record: integer,
          outcome: anyText('the outcome that was asked for, or that happened on demand'),
        }),
      ),
    ),
  }),
);

/** An operation of our own. Source: market-rules R3.5, contract W22, W23. */
export const getOrderWhy = operation({
  path: '/getOrderWhy',
  summary: 'How an order and its modifications were judged, check by check',
  request: Type.Object({ ...SIGNED_IN, orderNumber: orderNumber() }),
  rate: 'other',
  answer,
  handle: async (deps, fields, { account }): Promise<Answer> => {
    const order = Number(fields.orderNumber) as OrderNumber;
    const steps = await deps.engine.read((_state, { history }) => {
      return history.accountOf(order) === account ? history.steps(order) : undefined;
    });
    if (steps === undefined) return UNKNOWN_ORDER;
    if (steps.modifications > MOST_MODIFICATIONS) return MODIFIED_TOO_OFTEN;
    return (await deps.whyQuestions.ask(account, order, steps.newest, written)) ?? UNKNOWN_ORDER;
  },
});

function written(report: WhyReport): string {
  const { order, userId, exchange, tradingSymbol, transactionType, product, steps, outcomes } = report;
  return answer.write({
    orderNumber: String(order),
    userId,
    exchange,
    tradingSymbol,
    transactionType,
    product,
    steps: steps.map(({ step, at, record, terms, outcome, reason = '', checks }) => {
      const { priceType = '', retention = '', quantity = '', price = '', trigger: triggerPrice = '' } = terms;
      const asked = checks.map(({ figures, ...check }) => {
        return { ...check, figures: Object.entries(figures).map(([name, value]) => ({ name, value })) };
      });
      const words = { priceType, retention, quantity, price, triggerPrice };
      return { step, at, record: String(record), ...words, outcome, reason, checks: asked };
    }),
    ...(outcomes && { outcomes: outcomes.map((one) => ({ ...one, record: String(one.record) })) }),
  });
}
