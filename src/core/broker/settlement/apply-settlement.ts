/**
 * Applies the events of square-offs and of the end of a trading day to the state. It decides nothing; the decisions are
 * in the other files of this folder.
 */

import { assert, must } from '../../../base/assert.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import { addPaise, amountOf, type Quantity, scaleHalfUp, subtractPaise, ZERO_PAISE } from '../../../base/money.ts';
import {
  type Account,
  emptyHolding,
  type Holding,
  heldUnits,
  NO_ENTRIES,
  ownTable,
  positionKey,
} from '../../account.ts';
import { addFill } from '../../position.ts';
import { accountOf, type State } from '../../state.ts';
import { dropRow, rowOf } from '../account/rows.ts';
import { tradeWithMarket } from '../account/trade-with-market.ts';
import { stepAfter } from './day-end-steps.ts';
import type {
  ClosingPricesSet,
  DayEndReached,
  DeliveryUnfunded,
  ExpiryNoted,
  LossesReached,
  PositionMarked,
  PositionSettled,
  SegmentSquaredOff,
  SharesSettled,
} from './settlement-events.ts';

/** Notes that a segment is squared off for the day. Throws the second time. */
export function applySegmentSquaredOff(state: State, { segment }: SegmentSquaredOff): void {
  assert(!state.squaredOff.has(segment), 'a segment is squared off once a day');
  state.squaredOff.add(segment);
}

/** Notes the stage that the losses of an account have reached. */
export function applyLossesReached(state: State, { account: id, stage }: LossesReached): void {
  accountOf(state, id).lossStage = stage;
}

/** Notes that an account cannot pay for the delivery of a group, and lets it be watched. */
export function applyDeliveryUnfunded(state: State, { account: id, group }: DeliveryUnfunded): void {
  const account = accountOf(state, id);
  account.unfunded = [...account.unfunded, group];
  state.watched.add(id);
}

/** Takes the next step of the end of a day. Throws for a step or a day that is out of turn. */
export function applyDayEndReached(state: State, { day, step }: DayEndReached): void {
  assert(day === state.day && step === stepAfter(state.dayEnd), 'the steps of a day follow each other');
  state.dayEnd = step;
  state.portion = undefined;
}

/** Sets closing prices, in paise: in the place of those of the day before, or as further ones of the same day. */
export function applyClosingPrices(state: State, { prices, added }: ClosingPricesSet): void {
  if (added === undefined) state.closing.clear();
  for (const [instrument, price] of prices) state.closing.set(instrument, price);
}

/** Books a fill that no order made, with the market on its other side. */
export function applyPositionSettled(state: State, event: PositionSettled): void {
  const { side, quantity } = event;
  const row = rowOf(accountOf(state, event.account), event, event.product);
  const amount = amountOf(event.price, quantity);
  addFill(row, side, quantity, amount);
  if (side === 'B') tradeWithMarket(state, event, quantity, amount);
  else tradeWithMarket(state, event, -quantity, -amount);
}

/** Adds the exercises and the physical deliveries of an expiry to those of an account. */
export function applyExpiryNoted(state: State, { account: id, exercises, deliveries }: ExpiryNoted): void {
  const account = accountOf(state, id);
  account.exercises = [...account.exercises, ...exercises];
  account.physicalDeliveries = [...account.physicalDeliveries, ...deliveries];
}

/** Marks a carried position to the closing price, in paise. Throws for a second mark on one day. */
export function applyPositionMarked(state: State, event: PositionMarked): void {
  const { positions } = accountOf(state, event.account);
  const row = must(positions.get(positionKey(event.instrument, event.product)), 'a marked position is there');
  assert(row.mark === 0, 'a position is marked once a day');
  row.mark = event.price;
}

/**
 * Shares go into the holdings and out of them; the day's delivery rows are done with. Source: market-rules R5.18,
 * R5.21.
 */
export function applySharesSettled(state: State, event: SharesSettled): void {
  const account = accountOf(state, event.account);
  for (const holding of account.holdings.values()) state.heldShares.count(holding, -1);
  for (const holding of event.settlementHoliday === true ? [] : account.holdings.values()) {
    holding.settled = (holding.settled + holding.unsettled) as Quantity;
    holding.unsettled = 0 as Quantity;
  }
  for (const { isin, instrument, units } of event.delivered) takeOut(holdingOf(account, isin, instrument), units);
  for (const { isin, instrument, units, cost } of event.received) {
    const holding = holdingOf(account, isin, instrument);
    holding.unsettled = (holding.unsettled + units) as Quantity;
    holding.cost = addPaise(holding.cost, cost);
  }
  for (const [isin, holding] of account.holdings) {
    assert(holding.settled >= 0 && holding.unsettled >= 0, 'shares that are not there are not delivered');
    if (heldUnits(holding) === 0) ownTable(account, 'holdings').delete(isin);
    else state.heldShares.count(holding, 1);
  }
  clearDeliveries(account);
}

/**
 * Shares leave at the average cost of all of them: first those in the depository account that are not pledged, then
 * those on their way.
 */
function takeOut(holding: Holding, units: Quantity): void {
  const all = heldUnits(holding);
  const cost = all === 0 ? ZERO_PAISE : scaleHalfUp(holding.cost, units, all);
  holding.cost = subtractPaise(holding.cost, cost);
  const onTheWay = Math.min(holding.unsettled, Math.max(0, units - (holding.settled - holding.pledged)));
  holding.unsettled = (holding.unsettled - onTheWay) as Quantity;
  holding.settled = (holding.settled - (units - onTheWay)) as Quantity;
}

function holdingOf(account: Account, isin: string, instrument: InstrumentId): Holding {
  const known = account.holdings.get(isin);
  if (known !== undefined) return known;
  const holding = emptyHolding(isin, instrument);
  ownTable(account, 'holdings').set(isin, holding);
  return holding;
}

function clearDeliveries(account: Account): void {
  for (const rows of account.deliveries.values()) for (const row of rows) dropRow(account, row);
  account.deliveries = NO_ENTRIES;
}
