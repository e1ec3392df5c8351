/** The part of the market that a request means: all of it, an exchange, or an instrument of one. */

import { type Exchange, exchangeOf } from '../../../base/ids.ts';
import type { Order } from '../../../core/order.ts';
import type { GatewayDeps } from '../../deps.ts';
import type { Failure } from '../../fields/envelope.ts';
import { findInstrument } from '../../fields/symbols.ts';

/** The fields of a request by which it names a part. A trading symbol comes with its exchange. */
interface PlaceFields {
  readonly exchange?: Exchange;
  readonly tradingSymbol?: string;
}

export interface MeantPlace {
  has(order: Pick<Order, 'instrument'>): boolean;
}

/** The part that the fields name, or the failure for an unknown instrument. */
export function meantPlace(deps: GatewayDeps, { exchange, tradingSymbol }: PlaceFields): MeantPlace | Failure {
  if (exchange === undefined) return { has: () => true };
  if (tradingSymbol === undefined) return { has: ({ instrument }) => exchangeOf(instrument) === exchange };
  const named = findInstrument(deps.instruments, exchange, tradingSymbol, deps.engine.now());
  if ('status' in named) return named;
  const { id } = named.instrument;
  return { has: ({ instrument }) => instrument === id };
}
