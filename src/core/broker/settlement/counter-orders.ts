/**
 * The orders of the risk desk that square positions off: one step for each position, and a new price for orders that
 * rest. The decision to square off is in `square-off.ts`.
 */

import type { OrderNumber } from '../../../base/ids.ts';
import { type Quantity, ZERO_PRICE } from '../../../base/money.ts';
import type { PlaceOrder, RepriceOrder } from '../../command.ts';
import { actionRefusal, termsRefusal } from '../../exchange/matching/doors.ts';
import type { Phase } from '../../exchange/phase.ts';
import type { Instrument } from '../../instrument.ts';
import type { OrderTerms } from '../../order.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import { accountOf, NOTHING_YET, type State } from '../../state.ts';
import { venueOf } from '../../venue-of.ts';
import { deskOrdersOf, unitsOnTheWay } from './closing-orders.ts';
import { isSquaredOff } from './intraday-ended.ts';
import { type OpenPosition, openPositionsOf } from './open-position.ts';

/** The most units of shares in one order of a square-off. Source: market-rules R2.24. */
const SHARES_IN_ORDER = 30_000;
/** The text that the client reads in his order book. */
const REMARKS = 'System square off';

/**
 * The commands of one look at the positions that are to be squared off: orders for units that no order closes yet, and
 * a new price for the orders that rested before it, each once. Each step has the commands of one position, which belong
 * together; many steps are empty. Others may trade between two steps, so `ports` must always give the present figures.
 * Source: market-rules R2.24.
 */
export function* closingSteps(state: State, ports: DecisionPorts): Iterable<readonly (PlaceOrder | RepriceOrder)[]> {
  const resting: OrderNumber[] = [];
  yield* restingOrders(state, ports, resting);
  yield* counterSteps(state, ports);
  for (const order of resting) yield [{ type: 'RepriceOrder', order }];
}

/** Adds the orders of the risk desk that rest, position by position, oldest first, with pauses as empty steps. */
function* restingOrders(state: State, ports: DecisionPorts, resting: OrderNumber[]): Iterable<readonly never[]> {
  for (const found of positionsToClose(state, ports)) {
    if (found === undefined) {
      yield NOTHING_YET;
      continue;
    }
    const { account, row, closing } = found.position;
    for (const { number } of deskOrdersOf(state, account, row, closing)) resting.push(number);
  }
}

/**
 * The orders that close positions without a counter order of their own: protected market orders in chunks, purchases
 * before sales. A client's own exits do not count: they give way. Each position is looked at when its turn comes, after
 * the orders before it, because one of these may have taken an exit. A later call gives the orders that are missing
 * then: those that were refused, or that a closed market kept back. Source: R2.24, R4.35, R7.4.
 */
function* counterSteps(state: State, ports: DecisionPorts): Iterable<readonly PlaceOrder[]> {
  for (const side of ['B', 'S'] as const) {
    for (const found of positionsToClose(state, ports)) {
      if (found === undefined) yield NOTHING_YET;
      else if (found.position.closing === side) yield closingOrders(state, ports, found.position, found.instrument);
    }
  }
}

function closingOrders(
  state: State,
  ports: DecisionPorts,
  position: OpenPosition,
  instrument: Instrument,
): PlaceOrder[] {
  const { stopped, phase } = venueOf(state, ports, instrument);
  return stopped || !takesMarketOrders(phase, instrument) ? [] : ordersFor(state, position, instrument);
}

/** How many accounts are looked at before there is a pause. */
const LOOKED_AT_ONCE = 500;

interface PositionToClose {
  readonly position: OpenPosition;
  readonly instrument: Instrument;
}

/** Every position that the risk desk closes today, account by account. `undefined` is a pause. */
function* positionsToClose(state: State, ports: DecisionPorts): Iterable<PositionToClose | undefined> {
  if (state.dayEnd !== undefined) return;
  let looked = 0;
  for (const id of state.watched) {
    looked += 1;
    if (looked % LOOKED_AT_ONCE === 0) yield;
    const account = accountOf(state, id);
    if (state.squaredOff.size === 0 && account.lossStage !== 'SquaredOff') continue;
    for (const position of openPositionsOf(account)) {
      const instrument = instrumentOf(ports, position.row.instrument);
      if (isSquaredOff(state, account, instrument, position.row.product)) yield { position, instrument };
    }
  }
}

function ordersFor(state: State, { account, row, units, closing }: OpenPosition, instrument: Instrument): PlaceOrder[] {
  const { lot } = instrument;
  let left = units - unitsOnTheWay(state, account, row, closing);
  left -= left % lot;
  if (left <= 0) return [];
  const most = largestOrder(instrument);
  const orders: PlaceOrder[] = [];
  for (; left > 0; left -= most) {
    orders.push({
      type: 'PlaceOrder',
      account: account.id,
      instrument: instrument.id,
      side: closing,
      product: row.product,
      terms: termsOf(Math.min(left, most) as Quantity),
      remarks: REMARKS,
      squareOff: true,
    });
  }
  return orders;
}

function termsOf(quantity: Quantity): OrderTerms {
  return { priceType: 'MKT', retention: 'DAY', quantity, price: ZERO_PRICE, trigger: ZERO_PRICE };
}

/**
 * True while the phase takes market orders at a price that is not known yet. After the close nothing is squared off any
 * more.
 */
function takesMarketOrders(phase: Phase, { exchange, lot }: Instrument): boolean {
  if (phase === 'PostClose' || actionRefusal(phase, 'place') !== undefined) return false;
  return termsRefusal(phase, termsOf(lot), exchange) === undefined;
}

/** A chunk in whole lots, at least one: a position cannot be closed in less. */
function largestOrder({ kind, freeze, lot }: Instrument): number {
  const allowed = freeze === 0 ? Number.MAX_SAFE_INTEGER : freeze;
  const most = kind === 'equity' ? Math.min(allowed, SHARES_IN_ORDER) : allowed;
  return Math.max(lot, most - (most % lot));
}
