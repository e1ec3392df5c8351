import { assert } from '../../base/assert.ts';
import { exchangeOf } from '../../base/ids.ts';
import { tradeClassOf } from '../charges/charge-rates.ts';
import { contractNote, type ExecutedOrder, noteTotals } from '../charges/contract-note.ts';
import type { ChargesPosted } from '../event.ts';
import type { Order } from '../order.ts';
import type { Desk } from '../ports.ts';
import { type Account, orderOf, type State } from '../state.ts';

/** The contract note of every account that traded, or had something that expired. Source: market-rules section 6, R7.5 (6). */
export function decideCharges(state: State, { charges }: Desk): ChargesPosted[] {
  if (charges === undefined) return [];
  const rates = charges.on(state.day);
  const events: ChargesPosted[] = [];
  for (const account of state.accounts) {
    const { exercises, physicalDeliveries: deliveries } = account;
    const note = contractNote(rates, { orders: executedOrders(state, account), exercises, deliveries });
    if (noteTotals(note).total > 0) events.push({ type: 'ChargesPosted', account: account.id, note });
  }
  return events;
}

function executedOrders(state: State, account: Account): ExecutedOrder[] {
  const executed: ExecutedOrder[] = [];
  for (const number of account.orders) {
    const order = orderOf(state, number);
    if (order.filled > 0) executed.push(executedOrder(order));
  }
  return executed;
}

function executedOrder({
  instrument,
  kind,
  product,
  side,
  filled,
  filledAmount,
  isin,
  gross,
  squareOff,
}: Order): ExecutedOrder {
  assert(kind !== 'index', 'an index does not trade');
  return {
    exchange: exchangeOf(instrument),
    tradeClass: tradeClassOf(kind, product),
    side,
    amount: filledAmount,
    quantity: filled,
    isin,
    gross,
    squaredOff: squareOff,
  };
}
