/**
 * The settlement of shares at the day's end: units enter and leave the depository account. The money of deliveries
 * moves in `ledger/postings.ts`.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import { type Paise, type Quantity, scaleHalfUp } from '../../../base/money.ts';
import type { Account, Position } from '../../account.ts';
import { settlesGross } from '../../instrument.ts';
import { type AccountRange, accountsWithin } from '../../portions/portion.ts';
import type { DecisionPorts } from '../../ports.ts';
import { netQuantity, openAmount } from '../../position.ts';
import type { State } from '../../state.ts';
import type { SharesSettled } from './settlement-events.ts';

type Delivered = SharesSettled['delivered'][number];
type Received = SharesSettled['received'][number];

/**
 * Settles shares. Shares bought on the trading day before are in the depository account, shares sold today have left
 * it, and shares bought today are on their way until the next day's end. On a settlement holiday the shares on their
 * way stay so. Source: market-rules R1.4, R2.22, R5.18, R5.21, R7.5 (5).
 */
export function decideSharesSettlement(state: State, ports: DecisionPorts, range: AccountRange): SharesSettled[] {
  const events: SharesSettled[] = [];
  const isHoliday = ports.days.settles?.(state.day) === false;
  for (const account of accountsWithin(state, range)) {
    const waiting = [...account.holdings.values()].some(({ unsettled }) => unsettled > 0);
    if ((!waiting || isHoliday) && account.deliveries.size === 0) continue;
    const moves = movesOf(ports, account);
    events.push({
      type: 'SharesSettled',
      account: account.id,
      ...(isHoliday ? { settlementHoliday: true } : {}),
      ...moves,
    });
  }
  return events;
}

function movesOf({ instruments }: DecisionPorts, account: Account): Pick<SharesSettled, 'delivered' | 'received'> {
  const delivered: Delivered[] = [];
  const received: Received[] = [];
  for (const [isin, rows] of account.deliveries) {
    const holding = account.holdings.get(isin);
    let held = holding === undefined ? 0 : holding.settled - holding.pledged + holding.unsettled;
    let owed = 0;
    const moved = rows.map((row) => moveOf(row, settlesGross(instruments.get(row.instrument))));
    for (const { instrument, sold } of moved) {
      const units = Math.min(sold, held) as Quantity;
      if (units > 0) delivered.push({ isin, instrument, units });
      held -= units;
      owed += sold - units;
    }
    for (const { instrument, bought, paid } of moved) {
      const kept = Math.max(0, bought - owed) as Quantity;
      owed -= bought - kept;
      if (kept > 0) received.push({ isin, instrument, units: kept, cost: scaleHalfUp(paid, kept, bought) });
    }
  }
  return { delivered, received };
}

/** The units that the trades of a delivery row take out of the holdings and add to them. */
interface Move {
  readonly instrument: InstrumentId;
  readonly sold: number;
  readonly bought: number;
  /** For what was bought. */
  readonly paid: Paise;
}

/**
 * Purchases and sales of a day net off, except in a trade-for-trade share: there the purchased shares come a day after
 * the sold shares have left.
 */
function moveOf(row: Position, gross: boolean): Move {
  const { instrument, daySellQuantity, dayBuyQuantity, dayBuyAmount } = row;
  if (gross) return { instrument, sold: daySellQuantity, bought: dayBuyQuantity, paid: dayBuyAmount };
  const net = netQuantity(row);
  return { instrument, sold: Math.max(0, -net), bought: Math.max(0, net), paid: openAmount(row) };
}
