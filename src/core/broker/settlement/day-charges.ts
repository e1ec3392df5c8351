import type { ChargesPosted } from '../../charges/charge-events.ts';
import { contractNote, noteTotals } from '../../charges/contract-note.ts';
import { type AccountRange, accountsWithin } from '../../portions/portion.ts';
import type { DecisionPorts } from '../../ports.ts';
import type { State } from '../../state.ts';
import { chargedOrders } from './converted-charges.ts';

/**
 * The contract note of every account that traded, or had something that expired. The note includes the charges of the
 * day's conversions, which are paid already. Source: market-rules section 6, R7.5 (6).
 */
export function decideCharges(state: State, { charges }: DecisionPorts, range: AccountRange): ChargesPosted[] {
  const rates = charges.on(state.day);
  if (rates === undefined) return [];
  const events: ChargesPosted[] = [];
  for (const account of accountsWithin(state, range)) {
    const { exercises, physicalDeliveries: deliveries, converted } = account;
    const note = contractNote(rates, { orders: chargedOrders(state, account), exercises, deliveries });
    const paid = converted && { brokerage: converted.brokerage, levies: converted.levies };
    if (noteTotals(note).total === 0 && paid === undefined) continue;
    events.push({ type: 'ChargesPosted', account: account.id, note, ...(paid && { paid }) });
  }
  return events;
}
