/**
 * The warnings of a preview: facts that refuse nothing and that whoever places an order should know. They are words for
 * people; programs read the figures beside them.
 */

import { formatRupees } from '../../../base/decimal.ts';
import type { Tick } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import { formatIsoDay } from '../../../base/time.ts';
import type { MarketData } from '../../../core/market.ts';
import { refusalText } from '../../../core/refusals/refusal-text.ts';
import { lastPrice } from '../../../views/quote.ts';
import type { Views } from '../../../views/views.ts';
import { isMarketType, isStopType } from '../../fields/order-terms.ts';
import type { Judged } from './preview-judgement.ts';

/** From this part of the last price on, a limit is far from it, in percent. Options move more than the others. */
const FAR_PERCENT = { option: 30, other: 10 } as const;

interface Moment {
  readonly views: Views;
  readonly market: MarketData;
  readonly tick: Tick;
  readonly userId: string;
}

/** The warnings of one order; none for one that is refused, but for its limit. */
export function warningsOf(judged: Judged, moment: Moment): string[] {
  const far = farFromLast(judged, moment);
  if (judged.refusal !== undefined) return [...far];
  return [...sliced(judged), ...waiting(judged, moment.userId), ...protectedBy(judged), ...partly(judged), ...far];
}

function sliced({ slices, instrument }: Judged): readonly string[] {
  if (slices === 1) return [];
  return [
    `The quantity is above the freeze quantity of ${instrument.freeze}: placeOrder sends ${slices} orders, a basket none.`,
  ];
}

function waiting({ waitsFor, warning, instrument: { kind } }: Judged, userId: string): readonly string[] {
  if (waitsFor === undefined) return [];
  const waits = `The market is closed: the order waits for the session of ${formatIsoDay(waitsFor)}.`;
  if (warning === undefined) return [waits];
  return [waits, `With the funds of now it would be refused then: ${refusalText(warning, { userId, kind })}`];
}

function protectedBy({ price, placement: { side, terms } }: Judged): readonly string[] {
  const { priceType } = terms;
  if (!isMarketType(priceType) || price === 0) return [];
  const bound = side === 'B' ? 'buys at no more than' : 'sells at no less than';
  const when = isStopType(priceType) ? 'Once triggered, the order' : 'The order';
  return [`${when} ${bound} ${formatRupees(price)}, its protected price.`];
}

function partly({ filled, ended, price, placement }: Judged): readonly string[] {
  const { quantity, priceType } = placement.terms;
  const left = quantity - filled;
  if (left === 0 || (filled === 0 && ended === 0 && priceType !== 'MKT')) return [];
  const rest = ended > 0 ? 'the others end without a trade' : `the others rest at ${formatRupees(price)}`;
  return [`${filled} of ${quantity} units find a counterparty now; ${rest}.`];
}

function farFromLast({ placement, instrument }: Judged, { views, market, tick }: Moment): readonly string[] {
  const { priceType, price } = placement.terms;
  if (isMarketType(priceType)) return [];
  const last = lastPrice(views, market, instrument.id, tick);
  const most = FAR_PERCENT[instrument.kind === 'option' ? 'option' : 'other'];
  if (last === 0 || Math.abs(price - last) * 100 <= most * last) return [];
  return [`The price is ${awayFrom(price, last)} the last price of ${formatRupees(last)}.`];
}

function awayFrom(price: Price, last: Price): string {
  const percent = Math.round((Math.abs(price - last) * 100) / last);
  return `${percent} % ${price > last ? 'above' : 'below'}`;
}
