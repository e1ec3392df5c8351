import assert from 'node:assert/strict';
import { formatRupees } from '../../src/base/decimal.ts';
import { averagePriceHalfUp } from '../../src/base/money.ts';
import type { Traded, TradeSide } from '../../src/core/event.ts';
import type { BookLevel } from '../../src/core/exchange/book/book.ts';
import type { Product } from '../../src/core/order.ts';
import { holdingsOf, limitsOf, positionFigures, positionsOf } from '../../src/core/query.ts';
import { refusalText } from '../../src/core/refusals/refusal-text.ts';
import { orderOf } from '../../src/core/state.ts';
import { fullQuote, lastPrice } from '../../src/views/quote.ts';
import type { Stage } from './stage.ts';

const WAYS: Readonly<Record<Product, string>> = { C: 'delivery', M: 'carried', I: 'intraday' };

type Answer = (stage: Stage, subject: string) => string;

/** The questions of a story, by the form of the line; the one group names whom or what it asks of. */
const QUESTIONS: readonly (readonly [form: RegExp, answer: Answer])[] = [
  [/^trades$/, trades],
  [/^bids$/, (stage) => levels(quoteOf(stage).bids)],
  [/^asks$/, (stage) => levels(quoteOf(stage).asks)],
  [/^last$/, (stage) => formatRupees(lastPrice(stage.views, stage.market, stage.instrument(undefined), stage.tick))],
  [/^answer$/, ({ reply }) => (reply?.type === 'Refused' ? refusalText(reply.refusal, { userId: '' }) : 'done')],
  [/^text of (\w+)$/, textOf],
  [/^history of (\w+)$/, history],
  [/^in front of (\w+)$/, inFront],
  [/^position of (\w+)$/, position],
  [/^shares of (\w+)$/, shares],
  [/^trade book of (\w+)$/, tradeBook],
  [/^margin of (\w+)$/, (stage, user) => formatRupees(limitsOf(stage.account(user)).marginUsed)],
  [/^available of (\w+)$/, (stage, user) => formatRupees(limitsOf(stage.account(user)).availableMargin)],
  [/^cash of (\w+)$/, (stage, user) => formatRupees(limitsOf(stage.account(user)).cash)],
  [/^(\w+)$/, order],
];

/** The answer to a question of a story. Throws for a question that has no known form. */
export function ask(stage: Stage, question: string): string {
  for (const [form, answer] of QUESTIONS) {
    const match = form.exec(question);
    if (match !== null) return answer(stage, match[1] ?? '');
  }
  return assert.fail(`not a question: ${question}`);
}

function quoteOf(stage: Stage) {
  const { state, views, market, tick } = stage;
  return fullQuote(state, views, market, stage.instrument(undefined), tick);
}

function levels(side: readonly BookLevel[]): string {
  return listed(side.map(({ price, quantity }) => `${formatRupees(price)} x ${quantity}`));
}

/** The trades of the last action. */
function trades(stage: Stage): string {
  const made = stage.events.filter((event): event is Traded => event.type === 'Traded');
  const name = (side: TradeSide | undefined) => (side === undefined ? 'market' : stage.userOf(side.account));
  return listed(
    made.map(
      ({ quantity, price, buy, sell }) => `${quantity} at ${formatRupees(price)} ${name(buy)} from ${name(sell)}`,
    ),
  );
}

/** `open 4 of 10 at 100.05`: filled of all, and the average price of the fills. */
function order(stage: Stage, name: string): string {
  assert.ok(stage.isOrder(name), `there is no order ${name}`);
  const { status, filled, filledAmount, terms, reason } = stage.views.history.last(stage.orderNumber(name));
  const word = status === 'TriggerPending' ? 'waiting' : status.toLowerCase();
  const average = filled === 0 ? '' : ` at ${formatRupees(averagePriceHalfUp(filledAmount, filled))}`;
  const why = reason === undefined ? '' : `, ${typeof reason === 'string' ? reason : reason.rule}`;
  return `${word} ${filled} of ${terms.quantity}${average}${why}`;
}

/** The words of the wire to the client of a rejected order. */
function textOf(stage: Stage, name: string): string {
  const { account, instrument } = orderOf(stage.state, stage.orderNumber(name));
  const { reason } = stage.views.history.last(stage.orderNumber(name));
  assert.ok(reason !== undefined && typeof reason !== 'string', `${name} was not refused`);
  return refusalText(reason, { userId: stage.userOf(account), kind: stage.roleOf(instrument).instrument.kind });
}

function history(stage: Stage, name: string): string {
  const record = stage.views.history.find(stage.orderNumber(name));
  return listed(record?.entries.map(({ reportType }) => reportType) ?? []);
}

/** Units of the market that stand in front of a resting order. */
function inFront(stage: Stage, name: string): string {
  const number = stage.orderNumber(name);
  const book = stage.state.books.get(orderOf(stage.state, number).instrument);
  return book?.isResting(number) === true ? String(book.aheadOf(number)) : 'not resting';
}

function position(stage: Stage, user: string): string {
  const account = stage.account(user);
  const rows = positionsOf(account, stage.views.conversions.originsOf(account.id)).map((row) => {
    const last = lastPrice(stage.views, stage.market, row.instrument, stage.tick);
    const { netQuantity, netAveragePrice, totalMtm } = positionFigures(row, last);
    const what = stage.cast.length === 1 ? '' : `${stage.roleOf(row.instrument).name} `;
    const way = WAYS[row.product];
    return `${what}${way} ${netQuantity} at ${formatRupees(netAveragePrice)}, result ${formatRupees(totalMtm)}`;
  });
  return listed(rows);
}

function shares(stage: Stage, user: string): string {
  const [holding] = holdingsOf(stage.account(user), stage.instruments);
  if (holding === undefined) return 'none';
  return `${holding.settled + holding.unsettled}, ${holding.salable} free`;
}

function tradeBook(stage: Stage, user: string): string {
  const fills = stage.views.trades.fillsOf(stage.account(user).id);
  return listed(
    fills
      .slice(0, fills.length)
      .map(
        ({ order: number, quantity, price, filledSoFar }) =>
          `${stage.nameOf(number)} ${quantity} at ${formatRupees(price)} (${filledSoFar} so far)`,
      ),
  );
}

function listed(parts: readonly string[]): string {
  return parts.length === 0 ? 'none' : parts.join(', ');
}
