import { type Quantity, ZERO_PRICE } from '../../base/money.ts';
import type { PlaceOrder } from '../command.ts';
import type { Instrument } from '../instrument.ts';
import { type Desk, instrumentOf } from '../ports.ts';
import type { State } from '../state.ts';
import { venueOf } from '../venue-of.ts';
import { unitsOnTheWay } from './closing-orders.ts';
import { isSquaredOff } from './intraday-ended.ts';
import { type OpenPosition, openPositionsOf } from './open-position.ts';

/** The most units of shares in one order of a square-off. Source: market-rules R2.24. */
const SHARES_IN_ORDER = 30_000;
/** What the client reads in his order book. */
const REMARKS = 'System square off';

/**
 * The orders that close what is to be squared off and is not on its way out already: protected market orders in chunks, purchases before
 * sales. A client's own exits count for nothing: they give way. Each position is looked at when its turn comes, as the orders before have
 * left it: one of these may have taken an exit. Asked again later, it gives what is missing then: what was refused, or what a closed market
 * kept back. Source: R2.24, R4.35, R7.4.
 */
export function* counterOrders(state: State, desk: Desk): Iterable<PlaceOrder> {
  if (state.dayEnd !== undefined) return;
  for (const side of ['B', 'S'] as const) {
    for (const account of state.accounts) {
      if (state.squaredOff.size === 0 && account.lossStage !== 'SquaredOff') continue;
      for (const position of openPositionsOf(account)) {
        if (position.closing !== side) continue;
        const instrument = instrumentOf(desk, position.row.instrument);
        if (!isSquaredOff(state, account, instrument, position.row.product)) continue;
        if (venueOf(state, desk, instrument).stopped) continue;
        yield* ordersFor(state, desk, position, instrument);
      }
    }
  }
}

function ordersFor(
  state: State,
  desk: Desk,
  { account, row, units, closing }: OpenPosition,
  instrument: Instrument,
): PlaceOrder[] {
  const { lot } = instrument;
  let left = units - unitsOnTheWay(state, account, row, closing);
  left -= left % lot;
  if (left <= 0 || !desk.market.isOpen(instrument.id, desk.tick)) return [];
  const most = largestOrder(instrument);
  const orders: PlaceOrder[] = [];
  for (; left > 0; left -= most) {
    orders.push({
      type: 'PlaceOrder',
      account: account.id,
      instrument: instrument.id,
      side: closing,
      product: row.product,
      terms: {
        priceType: 'MKT',
        retention: 'DAY',
        quantity: Math.min(left, most) as Quantity,
        price: ZERO_PRICE,
        trigger: ZERO_PRICE,
      },
      remarks: REMARKS,
      squareOff: true,
    });
  }
  return orders;
}

/** In whole lots, and one lot at least: no position can be closed in less. */
function largestOrder({ kind, freeze, lot }: Instrument): number {
  const allowed = freeze === 0 ? Number.MAX_SAFE_INTEGER : freeze;
  const most = kind === 'equity' ? Math.min(allowed, SHARES_IN_ORDER) : allowed;
  return Math.max(lot, most - (most % lot));
}
