import { assert, must } from '../../../base/assert.ts';
import { addPaise, type Paise, type Quantity } from '../../../base/money.ts';
import { heldUnits, type Position, positionKey } from '../../account.ts';
import { netQuantity, settlementWay } from '../../position.ts';
import { accountOf, type State } from '../../state.ts';
import { dropRow, fileRow } from '../account/rows.ts';
import { tradeWithMarket } from '../account/trade-with-market.ts';
import type { DividendPaid, HoldingAdjusted, PositionAdjusted } from './corporate-action-events.ts';

/** For `apply` alone. */
export function applyDividend(state: State, { account: id, amount }: DividendPaid): void {
  const account = accountOf(state, id);
  account.paidIn = addPaise(account.paidIn, amount);
}

/** Sets the shares after an action; their cost stays. For `apply` alone. */
export function applyHoldingAdjusted(state: State, event: HoldingAdjusted): void {
  const { isin, issued, settled, unsettled, pledged, cash } = event;
  const account = accountOf(state, event.account);
  const holding = must(account.holdings.get(isin), 'adjusted shares are held');
  assert(heldUnits(event) === heldUnits(holding) + issued, 'the shares are those that were issued');
  assert(settled >= pledged && unsettled >= 0, 'shares that are pledged are settled');
  state.heldShares.count(holding, -1);
  holding.settled = settled;
  holding.unsettled = unsettled;
  holding.pledged = pledged;
  state.heldShares.count(holding, 1);
  account.paidIn = addPaise(account.paidIn, cash);
  state.credited.set(isin, ((state.credited.get(isin) ?? 0) + issued) as Quantity);
}

/**
 * A position leaves the old contract and goes on in the new one; the market's side of it goes with it. For `apply`
 * alone.
 */
export function applyPositionAdjusted(state: State, event: PositionAdjusted): void {
  const { instrument, kind, group, isin, product, cash } = event;
  const account = accountOf(state, event.account);
  const old = must(account.positions.get(positionKey(event.from, product)), 'an adjusted position is there');
  assert(old.dayBuyQuantity === 0 && old.daySellQuantity === 0, 'positions are adjusted before the day trades');
  dropRow(account, old);
  const { carriedBuyQuantity, carriedBuyAmount, carriedSellQuantity, carriedSellAmount, carriedCost } = event;
  const amounts = { carriedBuyQuantity, carriedBuyAmount, carriedSellQuantity, carriedSellAmount, carriedCost };
  const row: Position = { ...old, instrument, kind, group, isin, ...amounts };
  if (netQuantity(row) !== 0) fileRow(account, row);
  tradeWithMarket(state, { instrument: old.instrument, isin: old.isin }, -netQuantity(old), 0);
  tradeWithMarket(state, row, netQuantity(row), openWorth(row) - openWorth(old) - cash);
}

/** The cost of the open quantity, below 0 when it was sold; only for rows whose result alone is paid. */
function openWorth(row: Position): Paise {
  if (settlementWay(row.kind, row.product) !== 'result') return 0 as Paise;
  return (row.carriedBuyAmount - row.carriedSellAmount) as Paise;
}
