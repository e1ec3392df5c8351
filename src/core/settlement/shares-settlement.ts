import { type Quantity, scaleHalfUp } from '../../base/money.ts';
import type { SharesSettled } from '../event.ts';
import { type Desk, daysOf } from '../ports.ts';
import { netQuantity, openAmount } from '../position.ts';
import type { Account, State } from '../state.ts';

type Delivered = SharesSettled['delivered'][number];
type Received = SharesSettled['received'][number];

/**
 * Settles shares: those bought on the trading day before are in the depository account, those sold today have left it, and those bought
 * today are on their way until the next day's end; on a settlement holiday what is on its way stays so. Source: market-rules R2.22, R5.18, R5.21,
 * R7.5 (5).
 */
export function decideSharesSettlement(state: State, desk: Desk): SharesSettled[] {
  const events: SharesSettled[] = [];
  const isHoliday = daysOf(desk).settles?.(state.day) === false;
  for (const account of state.accounts) {
    const waiting = [...account.holdings.values()].some(({ unsettled }) => unsettled > 0);
    if ((!waiting || isHoliday) && account.deliveries.size === 0) continue;
    const moves = movesOf(account);
    events.push({
      type: 'SharesSettled',
      account: account.id,
      ...(isHoliday ? { settlementHoliday: true } : {}),
      ...moves,
    });
  }
  return events;
}

function movesOf(account: Account): Pick<SharesSettled, 'delivered' | 'received'> {
  const delivered: Delivered[] = [];
  const received: Received[] = [];
  for (const [isin, rows] of account.deliveries) {
    const holding = account.holdings.get(isin);
    let held = holding === undefined ? 0 : holding.settled + holding.unsettled;
    let owed = 0;
    for (const row of rows) {
      const sold = -netQuantity(row);
      if (sold <= 0) continue;
      const units = Math.min(sold, held) as Quantity;
      if (units > 0) delivered.push({ isin, instrument: row.instrument, units });
      held -= units;
      owed += sold - units;
    }
    for (const row of rows) {
      const bought = netQuantity(row);
      if (bought <= 0) continue;
      const kept = Math.max(0, bought - owed) as Quantity;
      owed -= bought - kept;
      if (kept > 0)
        received.push({
          isin,
          instrument: row.instrument,
          units: kept,
          cost: scaleHalfUp(openAmount(row), kept, bought),
        });
    }
  }
  return { delivered, received };
}
