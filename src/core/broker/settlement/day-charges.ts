import { type Paise, subtractPaise, ZERO_PAISE } from '../../../base/money.ts';
import type { Account } from '../../account.ts';
import type { ChargesPosted } from '../../charges/charge-events.ts';
import type { ChargeRates } from '../../charges/charge-rates.ts';
import { type ContractNote, contractNote, noteTotals, type PhysicalDelivery } from '../../charges/contract-note.ts';
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
    const { converted } = account;
    const note = noteOfDay(state, rates, account);
    const paid = converted && { brokerage: converted.brokerage, levies: converted.levies };
    if (noteTotals(note).total === 0 && paid === undefined) continue;
    events.push({ type: 'ChargesPosted', account: account.id, note, ...(paid && { paid }) });
  }
  return events;
}

/**
 * The charges of the day that its end will take from an account: of all that it has traded, less those of conversions,
 * which are paid already. Those of the `expected` deliveries of contracts are among them. In paise; 0 once the day's
 * charges are posted. Source: market-rules section 6.
 */
export function chargesDue(
  state: State,
  { charges }: DecisionPorts,
  account: Account,
  expected: readonly PhysicalDelivery[] = [],
): Paise {
  const rates = charges.on(state.day);
  if (rates === undefined || state.dayEnd === 'Charges') return ZERO_PAISE;
  const { total } = noteTotals(noteOfDay(state, rates, account, expected));
  const { brokerage = ZERO_PAISE, levies = ZERO_PAISE } = account.converted ?? {};
  return subtractPaise(subtractPaise(total, brokerage), levies);
}

function noteOfDay(
  state: State,
  rates: ChargeRates,
  account: Account,
  expected: readonly PhysicalDelivery[] = [],
): ContractNote {
  const { exercises, physicalDeliveries } = account;
  const deliveries = expected.length === 0 ? physicalDeliveries : [...physicalDeliveries, ...expected];
  return contractNote(rates, { orders: chargedOrders(state, account), exercises, deliveries });
}
