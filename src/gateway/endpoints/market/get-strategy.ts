/**
 * The operation `/getStrategy`: the result of legs on one underlying by its price, with breakevens, bounds and greeks.
 * It places nothing and asks for no margin; `previewOrders` does.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { formatRupees, parseQuantity } from '../../../base/decimal.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import type { Paise } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import { marginGroup } from '../../../core/instrument.ts';
import { lastPrice } from '../../../views/quote.ts';
import {
  farAbove,
  type MeasuredLeg,
  type StrategyFigures,
  type StrategyLeg,
  strategyFigures,
} from '../../../views/strategy/strategy.ts';
import type { Views } from '../../../views/views.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import {
  anyText,
  exchangeWord,
  integer,
  listOf,
  plain,
  rupees,
  rupeesOrBlank,
  sideWord,
  t1,
} from '../../fields/answers.ts';
import { badRequest, type Failure } from '../../fields/envelope.ts';
import { exchange, optional, price, quantity, SIGNED_IN, side, tradingSymbol } from '../../fields/fields.ts';
import { priceOf } from '../../fields/order-terms.ts';
import { findInstrument, NOT_TRADED } from '../../fields/symbols.ts';
import { formatExpiry, formatT1 } from '../../fields/times.ts';
import { firstLooks } from '../../instrument-lists/first-looks.ts';
import { type Caller, operation, success } from '../../operation.ts';
import { GREEK_FIELDS, greekTexts, volatilityText } from './option-greeks.ts';

const MOST_LEGS = 50;
const TOO_LARGE = badRequest('quantity', 'the value of the strategy is too large');
const SEVERAL = badRequest('legs', 'all legs must be on one underlying');

const request = Type.Object({
  ...SIGNED_IN,
  legs: Type.Array(
    Type.Object({
      exchange: exchange(),
      tradingSymbol: tradingSymbol(),
      transactionType: side(),
      quantity: quantity(),
      price: optional(price({ description: 'at which it is entered; the last price when absent' })),
    }),
    { maxItems: MOST_LEGS, 'x-invalid': `legs must be an array of 1 to ${MOST_LEGS} legs` },
  ),
});
type Fields = Static<typeof request>;

const answer = success(
  'Strategy computed',
  Type.Object({
    underlying: anyText(),
    spot: rupees,
    nearestExpiry: plain('^([0-9]{2}[A-Z]{3}[0-9]{4})?$', 'DDMONYYYY; blank when no leg expires'),
    points: listOf(Type.Object({ price: rupees, atExpiry: rupees, today: rupees })),
    breakevens: listOf(rupees),
    greatestProfit: rupeesOrBlank,
    greatestLoss: rupeesOrBlank,
    netPremium: rupees,
    ...GREEK_FIELDS,
    legs: listOf(
      Type.Object({
        exchange: exchangeWord,
        tradingSymbol: anyText(),
        transactionType: sideWord,
        quantity: integer,
        price: rupees,
        impliedVolatility: plain('^([0-9]+\\.[0-9]{2})?$', 'percent; blank for a share and a future'),
        ...GREEK_FIELDS,
      }),
    ),
    requestTime: t1,
  }),
);

/** An operation of our own. Source: market-rules R8.1, R8.5, R8.10. */
export const getStrategy = operation({
  path: '/getStrategy',
  summary: 'Payoff, breakevens and greeks of legs on one underlying',
  request,
  rate: 'other',
  answer,
  handle: (deps, fields, caller): Promise<Answer> => strategy(deps, fields, caller),
});

async function strategy(deps: GatewayParts, fields: Fields, { account, from }: Caller): Promise<Answer> {
  const { engine, market, instruments } = deps;
  const at = engine.now();
  const tick = market.tickAt(at);
  await deps.turns.runPieces(
    account,
    firstLooks(entriesOf(instruments, fields, at), (id) => market.lastPrint(id, tick)),
    from,
  );
  const asked = await engine.read((_state, views) => {
    const legs = legsOf(deps, views, fields, at);
    if ('status' in legs) return legs;
    const underlying = marginGroup(must(legs[0], 'a strategy has a leg').instrument);
    return { legs, underlying, spot: lastPrice(views, market, underlying, tick) };
  });
  if ('status' in asked) return asked;
  const { legs, underlying, spot } = asked;
  if (!isExact(legs, spot)) return TOO_LARGE;
  const figures = await deps.turns.runPieces(account, strategyFigures(legs, { market, tick, spot }), from);
  const { nearest } = figures;
  return answer.write({
    underlying: must(instruments.get(underlying), 'an underlying is listed').symbol,
    spot: formatRupees(spot),
    nearestExpiry: nearest === undefined ? '' : formatExpiry(nearest.expiryDay),
    ...figureTexts(figures),
    legs: figures.legs.map(legRow),
    requestTime: formatT1(at),
  });
}

/** The instruments of the legs that are entered at their last price. */
function* entriesOf(instruments: GatewayParts['instruments'], { legs }: Fields, at: EpochMs): Generator<InstrumentId> {
  for (const { exchange, tradingSymbol, price } of legs) {
    if (price !== undefined) continue;
    const named = findInstrument(instruments, exchange, tradingSymbol, at);
    if (!('status' in named)) yield named.instrument.id;
  }
}

function legsOf(
  { market, instruments }: GatewayParts,
  views: Views,
  { legs }: Fields,
  at: EpochMs,
): readonly StrategyLeg[] | Failure {
  const tick = market.tickAt(at);
  const found: StrategyLeg[] = [];
  for (const leg of legs) {
    const named = findInstrument(instruments, leg.exchange, leg.tradingSymbol, at);
    if ('status' in named) return named;
    const { instrument } = named;
    if (instrument.kind === 'index') return NOT_TRADED;
    const entry = leg.price === undefined ? lastPrice(views, market, instrument.id, tick) : priceOf('price', leg.price);
    if (typeof entry !== 'number') return entry;
    if (entry === 0) return badRequest('price', 'price must be greater than 0');
    const units = must(parseQuantity(leg.quantity), 'a quantity passed its grammar and is none');
    found.push({ instrument, units: leg.transactionType === 'B' ? units : -units, entry });
  }
  const groups = new Set(found.map(({ instrument }) => marginGroup(instrument)));
  return groups.size > 1 ? SEVERAL : found;
}

/** True when every sum of results stays a whole number of paise. */
function isExact(legs: readonly StrategyLeg[], spot: number): boolean {
  const units = legs.reduce((sum, leg) => sum + Math.abs(leg.units), 0);
  return units * 2 * farAbove(legs, spot) <= Number.MAX_SAFE_INTEGER;
}

function figureTexts({ points, payoff, netPremium, greeks }: StrategyFigures) {
  return {
    points: points.map(({ price, atExpiry, today }) => {
      return { price: amountText(price), atExpiry: amountText(atExpiry), today: amountText(today) };
    }),
    breakevens: payoff.breakevens.map(amountText),
    greatestProfit: payoff.greatest === undefined ? '' : amountText(payoff.greatest),
    greatestLoss: payoff.least === undefined ? '' : amountText(payoff.least),
    netPremium: amountText(netPremium),
    ...greekTexts(greeks),
  };
}

/** Values of the model are rounded half up to the paisa. */
function amountText(amount: number): string {
  return formatRupees((Math.round(amount) + 0) as Paise);
}

function legRow({ instrument, units, entry, volatility, greeks }: MeasuredLeg) {
  return {
    exchange: instrument.exchange,
    tradingSymbol: instrument.tradingSymbol,
    transactionType: units > 0 ? 'B' : 'S',
    quantity: String(Math.abs(units)),
    price: amountText(entry),
    impliedVolatility: volatility === undefined ? '' : volatilityText(volatility),
    ...greekTexts(greeks),
  };
}
