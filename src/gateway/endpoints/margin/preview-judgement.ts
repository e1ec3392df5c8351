/**
 * The judgement of one order of a preview: an order above the freeze quantity goes in slices, as `placeOrder` sends
 * them, and each slice is judged by itself.
 */

import { addPaise, type Paise, type Price, ZERO_PAISE } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import { MOST_COUNTED } from '../../../core/broker/orders/exact-sum-limits.ts';
import type { OrderPreview, PreviewedOrder } from '../../../core/broker/trials/order-preview.ts';
import { tradeClassOf } from '../../../core/charges/charge-rates.ts';
import type { ChargedTrade } from '../../../core/charges/order-charges.ts';
import type { PlaceOrder } from '../../../core/command.ts';
import type { Instrument } from '../../../core/instrument.ts';
import type { Refusal } from '../../../core/refusals/refusal.ts';
import { type RefusalContext, refusalText } from '../../../core/refusals/refusal-text.ts';
import type { GatewayDeps } from '../../deps.ts';
import { slicesOf } from '../orders/slices.ts';

/** An order of a preview. */
export interface AskedOrder {
  readonly placement: PlaceOrder;
  readonly instrument: Instrument;
}

/** The judgement of an order with all its slices. */
export interface Judged extends AskedOrder {
  readonly slices: number;
  /** The words of the first refusal; absent when every slice is admitted. */
  readonly refusal: ((context: RefusalContext) => string) | undefined;
  readonly check: { readonly name: string; readonly source: string } | undefined;
  /** The limit, with that of a market order; 0 when there is none. */
  readonly price: Price;
  /** Units that trade at once, their value, and units that end without a trade. */
  readonly filled: number;
  readonly filledAmount: Paise;
  readonly ended: number;
  readonly waitsFor: IstDay | undefined;
  readonly warning: Refusal | undefined;
}

const TOO_MANY_SLICES = 'quantity needs more than 10 slices';
const NOTHING_FILLED = { filled: 0, filledAmount: ZERO_PAISE, ended: 0, waitsFor: undefined, warning: undefined };

/** Judges orders one after the other. Yields after each slice. */
export function* judgeInSlices(
  slicing: GatewayDeps['slicing'],
  preview: OrderPreview,
  orders: readonly AskedOrder[],
): Generator<undefined, readonly Judged[]> {
  const judged: Judged[] = [];
  for (const order of orders) {
    const { placement, instrument } = order;
    const { terms } = placement;
    const slices = slicing === 'on' ? slicesOf(terms.quantity, instrument) : [terms.quantity];
    if (slices === undefined) {
      judged.push(tooLarge(order));
      continue;
    }
    const parts: PreviewedOrder[] = [];
    for (const quantity of slices) {
      parts.push(preview.place({ ...placement, terms: { ...terms, quantity } }));
      yield;
    }
    judged.push(together(order, parts));
  }
  return judged;
}

function tooLarge(order: AskedOrder): Judged {
  const check = { name: 'the quantity is within the freeze quantity', source: 'R1.29' };
  const { price } = order.placement.terms;
  return { ...order, slices: 1, refusal: () => TOO_MANY_SLICES, check, price, ...NOTHING_FILLED };
}

function together(order: AskedOrder, parts: readonly PreviewedOrder[]): Judged {
  const [first] = parts as [PreviewedOrder];
  const refused = parts.find(({ refusal }) => refusal !== undefined);
  const refusal = refused?.refusal;
  return {
    ...order,
    slices: parts.length,
    refusal: refusal && ((context) => refusalText(refusal, context)),
    check: refused?.check,
    price: first.terms.price,
    filled: parts.reduce((sum, { filled }) => sum + filled, 0),
    filledAmount: parts.reduce((sum, { filledAmount }) => addPaise(sum, filledAmount), ZERO_PAISE),
    ended: parts.reduce((sum, { ended }) => sum + ended, 0),
    waitsFor: first.waitsFor,
    warning: parts.find(({ warning }) => warning !== undefined)?.warning,
  };
}

/**
 * The trade that an order is charged for: its fills, and what rests at its limit. `undefined` for an index, and for
 * nothing. A value beyond the largest exact amount counts as that amount.
 */
export function chargedTrade({ placement, instrument, ...judged }: Judged): ChargedTrade | undefined {
  const { side, product, terms } = placement;
  const { exchange, kind } = instrument;
  const { price, filled, filledAmount, ended } = judged;
  const amount = Math.min(filledAmount + price * (terms.quantity - filled - ended), MOST_COUNTED) as Paise;
  if (kind === 'index' || amount === 0) return undefined;
  return { exchange, tradeClass: tradeClassOf(kind, product), side, amount };
}
