/**
 * The frames of the channel `queue`: the places of one user's resting orders in an instrument. They are made for that
 * user alone.
 */

import type { AccountId } from '../../base/ids.ts';
import { QueuePlaces } from '../../core/exchange/book/queue-place.ts';
import type { State } from '../../core/state.ts';
import type { GatewayParts } from '../deps.ts';
import { OpenOrders, readOpenOrders } from '../endpoints/orders/open-orders.ts';
import { isInQueue, queueText } from '../endpoints/orders/queue-rows.ts';
import type { Sight } from '../sockets/market-watch.ts';
import { frame, type MakeFrames } from './market-frames.ts';

/** The most rows of a frame. An account with more orders in an instrument has the oldest ones there. */
const MOST_ROWS = 100;

/** Orders that are read at once: those since the frame before. */
const FEW_ORDERS = 1_000;

/** The feed of the channel. */
export const QUEUE_FEED = 'queue';

/** Makes the frames of an account. Give each socket its own, since it remembers the open orders of the account. */
export function queueFrames(parts: Pick<GatewayParts, 'engine' | 'turns'>, account: AccountId): MakeFrames {
  const { engine } = parts;
  const open = new OpenOrders(account);
  const framesOf = (sight: Sight): ReturnType<MakeFrames> =>
    engine.read((state) => ({ newest: frame('queue', sight, `[${rowsOf(state, open, sight)}]`) }));
  return (sight) => {
    const isRead = engine.glance((state) => open.readOn(state, FEW_ORDERS));
    return isRead ? framesOf(sight) : readOpenOrders(parts, open).then(() => framesOf(sight));
  };
}

function rowsOf(state: State, open: OpenOrders, { instrument }: Sight): string {
  const book = state.books.get(instrument.id);
  if (book === undefined) return '';
  const places = new QueuePlaces(book);
  const rows: string[] = [];
  for (const order of open.of(state, instrument.id)) {
    if (!isInQueue(state, order)) continue;
    rows.push(queueText(instrument, order, places));
    if (rows.length === MOST_ROWS) break;
  }
  return rows.join(',');
}
