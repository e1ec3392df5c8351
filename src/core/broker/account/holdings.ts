/**
 * The shares that an account may sell: its holdings less the units that today's sales use or block. Their settlement at
 * the day's end is in `settlement/shares-settlement.ts`.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import type { Quantity } from '../../../base/money.ts';
import { type Account, heldUnits, type Position } from '../../account.ts';
import { type Equity, type Instruments, settlesGross } from '../../instrument.ts';
import type { Refusal } from '../../refusals/refusal.ts';

/** Units of a delivery row that sales took, or may still take, from shares that the account held before today. */
function takenBy(row: Position): number {
  return Math.max(0, onSale(row) - row.dayBuyQuantity);
}

/** Units of a delivery row that were sold today or are offered for sale. */
function onSale(row: Position): number {
  return row.daySellQuantity + row.openSellQuantity;
}

/**
 * Shares of an ISIN that today's delivery sales have used or blocked, over all of its listings. Purchases of today make
 * up for sales of the same listing, but not for those of a trade-for-trade share. Source: market-rules R1.4, R5.20.
 */
export function usedShares(instruments: Instruments, account: Account, isin: string): Quantity {
  let used = 0;
  for (const row of account.deliveries.get(isin) ?? []) used += takenOf(instruments, row);
  return used as Quantity;
}

function takenOf(instruments: Instruments, row: Position): number {
  return settlesGross(instruments.get(row.instrument)) ? onSale(row) : takenBy(row);
}

/**
 * Units that a new delivery sale of `equity` may use: the shares held and today's purchases of the same listing, less
 * the units that today's sales on any listing, each by its own settlement, used or blocked. Pledged shares cannot be
 * sold. Of a trade-for-trade share only settled units count. Source: R1.4, R5.20, R5.21, R5.23, R5.24.
 */
export function eligibleToSell(
  instruments: Instruments,
  account: Pick<Account, 'holdings' | 'deliveries'>,
  equity: Pick<Equity, 'id' | 'isin' | 'tradeForTrade'>,
): Quantity {
  const holding = account.holdings.get(equity.isin);
  let eligible =
    holding === undefined ? 0 : holding.settled - holding.pledged + (equity.tradeForTrade ? 0 : holding.unsettled);
  for (const row of account.deliveries.get(equity.isin) ?? []) {
    if (equity.tradeForTrade || row.instrument !== equity.id) eligible -= takenOf(instruments, row);
    else eligible += row.dayBuyQuantity - onSale(row);
  }
  return Math.max(0, eligible) as Quantity;
}

/** Refuses a delivery sale of `units` more than the account may sell beside the shares that a delivery will take. */
export function refuseWithoutShares(
  instruments: Instruments,
  account: Account,
  equity: Equity,
  units: number,
  bound: Quantity,
): Refusal | undefined {
  const eligible = Math.max(0, eligibleToSell(instruments, account, equity) - bound) as Quantity;
  if (units <= eligible) return undefined;
  if (eligible === 0 && !ownsAny(account, equity)) return { rule: 'NoHoldings' };
  return { rule: 'NotEnoughHoldings', eligible, quantity: units as Quantity };
}

function ownsAny(account: Account, equity: Equity): boolean {
  const holding = account.holdings.get(equity.isin);
  return (holding !== undefined && heldUnits(holding) > 0) || boughtToday(account, equity.id, equity.isin);
}

function boughtToday(account: Account, instrument: InstrumentId, isin: string): boolean {
  const rows = account.deliveries.get(isin) ?? [];
  return rows.some((row) => row.instrument === instrument && row.dayBuyQuantity > 0);
}
