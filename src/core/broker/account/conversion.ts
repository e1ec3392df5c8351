/**
 * The conversion of a position to another product: the checks, the quantity that may be converted, and the change of
 * the two rows. The charges of a conversion are in `settlement/converted-charges.ts`.
 */

import {
  addPaise,
  negatePaise,
  type Paise,
  type Quantity,
  scaleHalfUp,
  subtractPaise,
  ZERO_PAISE,
} from '../../../base/money.ts';
import { type Account, type Position, positionKey } from '../../account.ts';
import type { ConvertPosition } from '../../command.ts';
import type { PositionConverted } from '../../event.ts';
import { type Instrument, type Instruments, isDerivative, settlesGross } from '../../instrument.ts';
import type { Side } from '../../order.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import {
  addCarried,
  addFill,
  carriedBuyCost,
  carriedSellProceeds,
  netQuantity,
  openAmount,
  positionFacts,
  realisedOf,
} from '../../position.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { State } from '../../state.ts';
import { isIntraday } from '../../trading-days.ts';
import { chargeOfConversion } from '../settlement/converted-charges.ts';
import { isSquaredOff, lastEntryOver } from '../settlement/intraday-ended.ts';
import { WhatIf } from '../trials/what-if.ts';
import { cashBound, marginBound, sharesBound } from './delivery-due.ts';
import { availableMargin, type ConversionMoves, cashFree, fillBook, writtenPremium } from './funds.ts';
import { eligibleToSell, refuseWithoutShares } from './holdings.ts';
import { refuseNotEnabled } from './risk-group.ts';

/** The part of a row that a conversion takes from: one side and one age. */
export type ConversionOrigin = Pick<ConvertPosition, 'from' | 'side' | 'age'>;

/**
 * Judges a conversion: the event, or the first refusal. The order of the checks: the position is there, the products
 * may become each other, the one wished for is enabled for the client, the quantity, the shares of a delivery sale, the
 * square-off of the day, cash, margin.
 * Source: market-rules R5.13 to R5.16, R3.5 (row 5).
 */
export function judgeConversion(
  state: State,
  ports: DecisionPorts,
  account: Account,
  wish: ConvertPosition,
): PositionConverted | Refusal {
  const instrument = instrumentOf(ports, wish.instrument);
  const row = account.positions.get(positionKey(wish.instrument, wish.from));
  const component = row === undefined ? undefined : componentOf(row, wish);
  if (row === undefined || component === undefined || component.quantity === 0) return { rule: 'InvalidPositionType' };
  const refusal =
    refuseByMatrix(instrument, wish) ??
    refuseNotEnabled(account, wish.to, instrument.exchange) ??
    refuseByQuantity(state, ports, account, instrument, row, wish) ??
    refuseWithoutCover(state, ports, account, instrument, wish) ??
    refuseAfterSquareOff(state, ports, account, instrument, row, wish);
  if (refusal !== undefined) return refusal;
  const event: PositionConverted = {
    type: 'PositionConverted',
    account: account.id,
    ...positionFacts(instrument),
    from: wish.from,
    to: wish.to,
    side: wish.side,
    age: wish.age,
    quantity: wish.quantity,
    amount: amountMoved(row, component, wish),
  };
  return refuseWithoutMargin(state, ports, account, event) ?? event;
}

/**
 * The value of the units of a part of a row at its average, in paise. When the part is the whole side, the value is the
 * open amount of the row less its open amount without these units: rounding it by itself can move the result of the row
 * by a paisa. Source: market-rules R5.4, R5.16.
 */
function amountMoved(row: Position, component: Component, { side, age, quantity }: ConvertPosition): Paise {
  const average = scaleHalfUp(component.amount, quantity, component.quantity);
  const carried = side === 'B' ? row.carriedBuyQuantity : row.carriedSellQuantity;
  if (age === 'carried' || carried > 0) return average;
  const rest = { ...row };
  addFill(rest, side, -quantity as Quantity, negatePaise(average));
  return subtractPaise(openAmount(row), openAmount(rest));
}

interface Component {
  readonly quantity: Quantity;
  readonly amount: Paise;
}

function componentOf(row: Position, { side, age }: ConversionOrigin): Component {
  if (age === 'day') {
    return side === 'B'
      ? { quantity: row.dayBuyQuantity, amount: row.dayBuyAmount }
      : { quantity: row.daySellQuantity, amount: row.daySellAmount };
  }
  return side === 'B'
    ? { quantity: row.carriedBuyQuantity, amount: row.carriedBuyAmount }
    : { quantity: row.carriedSellQuantity, amount: row.carriedSellAmount };
}

/**
 * The allowed changes of product: derivatives between I and M, shares between intraday (I, and M with it) and C.
 * Source: market-rules R5.14.
 */
function refuseByMatrix(instrument: Instrument, { from, to, side, age }: ConvertPosition): Refusal | undefined {
  const refused: Refusal = { rule: 'ConversionNotAllowed', from, to };
  if (age === 'carried' && to === 'I') return refused;
  if (isDerivative(instrument)) return from !== to && from !== 'C' && to !== 'C' ? undefined : refused;
  if (from === 'C') {
    if (to === 'C' || side === 'S' || age === 'carried') return refused;
    return settlesGross(instrument) ? { rule: 'IntradayNotAllowed', product: to } : undefined;
  }
  return to === 'C' ? undefined : refused;
}

/**
 * The most units of a row that may be converted: units of that side and age that are still open, and neither sold nor
 * on offer as a delivery. Where the client may only close, the units that his exits will close are left out too. 0 when
 * there are none. Source: market-rules R5.15, R5.20.
 */
export function convertibleUnits(
  instruments: Instruments,
  account: Account,
  instrument: Instrument,
  row: Position,
  origin: ConversionOrigin,
): Quantity {
  const open = openUnits(row, origin.side) - keptForExits(account, instrument, row, origin);
  const unsold =
    origin.from === 'C' && instrument.kind === 'equity' ? eligibleToSell(instruments, account, instrument) : open;
  return Math.max(0, Math.min(componentOf(row, origin).quantity, open, unsold)) as Quantity;
}

/**
 * Units that resting orders will close in a product that may only be closed, for its client or in a share that became
 * trade-for-trade. If they were converted, the orders would open a position there. Source: market-rules R1.4, R3.5 (row
 * 5), R5.16.
 */
function keptForExits(
  account: Account,
  instrument: Instrument,
  row: Position,
  { from, side }: ConversionOrigin,
): number {
  const isEntered = !settlesGross(instrument) && refuseNotEnabled(account, from, instrument.exchange) === undefined;
  return from === 'C' || isEntered ? 0 : exitUnits(row, side);
}

/** Units of the resting orders that close a position of a side. */
function exitUnits(row: Position, side: Side): number {
  return side === 'B' ? row.openSellQuantity : row.openBuyQuantity;
}

/** Units open on a side, not above 0 when there are none. */
function openUnits(row: Position, side: Side): number {
  return side === 'B' ? netQuantity(row) : -netQuantity(row);
}

function refuseByQuantity(
  state: State,
  ports: DecisionPorts,
  account: Account,
  instrument: Instrument,
  row: Position,
  wish: ConvertPosition,
): Refusal | undefined {
  if (openUnits(row, wish.side) <= 0) return { rule: 'InvalidPositionType' };
  const { quantity } = wish;
  const convertible = convertibleUnits(ports.instruments, account, instrument, row, wish);
  const held = wish.from === 'C' ? beyondDelivery(state, ports, account, instrument, convertible) : convertible;
  if (quantity > held) return { rule: 'ConversionAbovePosition', quantity, held };
  if (quantity % instrument.lot !== 0) return { rule: 'NotALotMultiple', quantity, lot: instrument.lot };
  return undefined;
}

/** The units of a share that leave enough for the deliveries of contracts that no longer trade. */
function beyondDelivery(
  state: State,
  ports: DecisionPorts,
  account: Account,
  instrument: Instrument,
  units: Quantity,
): Quantity {
  if (instrument.kind !== 'equity') return units;
  const bound = sharesBound(state, ports, account, instrument.isin);
  if (bound === 0) return units;
  return Math.max(0, Math.min(units, eligibleToSell(ports.instruments, account, instrument) - bound)) as Quantity;
}

/** A short intraday sale becomes a delivery sale only when the shares are held. */
function refuseWithoutCover(
  state: State,
  ports: DecisionPorts,
  account: Account,
  instrument: Instrument,
  wish: ConvertPosition,
): Refusal | undefined {
  if (instrument.kind !== 'equity' || wish.to !== 'C' || wish.side !== 'S') return undefined;
  const bound = sharesBound(state, ports, account, instrument.isin);
  return refuseWithoutShares(ports.instruments, account, instrument, wish.quantity, bound);
}

/**
 * Every conversion leaves or enters an intraday product, which the square-off ends; so it ends all products of
 * contracts whose delivery is not paid for. After the last entry into a contract that expires, a conversion may not
 * enter an intraday product, and may not leave an exit that would open one. Source: market-rules R2.24, R2.26, R2.27,
 * R5.15, R7.4.
 */
function refuseAfterSquareOff(
  state: State,
  ports: DecisionPorts,
  account: Account,
  instrument: Instrument,
  row: Position,
  { from, to, side, quantity }: ConvertPosition,
): Refusal | undefined {
  const enters = isIntraday(instrument.kind, to) || exitUnits(row, side) > openUnits(row, side) - quantity;
  const over = [from, to].some((product) => isSquaredOff(state, account, instrument, product));
  return over || (enters && lastEntryOver(state, ports, instrument)) ? { rule: 'ConversionAfterSquareOff' } : undefined;
}

/**
 * Shares that are taken into delivery use up the proceeds of today's sales too, so the check compares the available
 * cash. Collateral does not pay for them. The cash must also cover the charges of the conversion, and
 * the deliveries of contracts that no longer trade. Source: market-rules
 * R5.15, R4.25, R7.4, 6.1.
 */
function refuseWithoutMargin(
  state: State,
  ports: DecisionPorts,
  account: Account,
  event: PositionConverted,
): Refusal | undefined {
  const converted = new WhatIf(ports, account);
  converted.book(convertRows(converted.row(event, event.from), converted.row(event, event.to), event));
  const charged = chargeOfConversion(state, ports, event);
  if (charged !== undefined) converted.charge(addPaise(charged.brokerage, charged.levies));
  const bound = cashBound(state, ports, account);
  const [cashBefore, cash] = [subtractPaise(cashFree(account), bound), subtractPaise(cashFree(converted), bound)];
  if (account.books.collateral > 0 && event.to === 'C' && event.side === 'B' && cash < 0 && cash < cashBefore) {
    return { rule: 'CollateralNotAllowed', shortfall: negatePaise(cash) };
  }
  const before = availableMargin(account);
  const available = subtractPaise(before, marginBound(state, ports, account));
  const required = subtractPaise(before, converted.availableMargin());
  if (required <= 0 || required <= available) return undefined;
  return { rule: 'MarginShortfall', required, available };
}

/**
 * Moves the quantity and its share of the amount from one row to the other; the realised result stays. Units that
 * become a delivery count as a purchase or a sale of today, whatever their age. Returns the amounts that the conversion
 * moves in the books. Source: market-rules R5.16.
 */
export function convertRows(from: Position, to: Position, event: PositionConverted): ConversionMoves {
  const carried = event.age === 'carried';
  const cost = carried ? costShare(from, event) : ZERO_PAISE;
  const writtenPremium = negatePaise(writtenIn(from, to));
  const moves: ConversionMoves = { premium: ZERO_PAISE, delivery: ZERO_PAISE, realised: ZERO_PAISE, writtenPremium };
  move(moves, from, event.side, carried, -event.quantity, -event.amount, -cost);
  move(moves, to, event.side, carried && to.product !== 'C', event.quantity, event.amount, cost);
  moves.writtenPremium = addPaise(moves.writtenPremium, writtenIn(from, to));
  return moves;
}

function writtenIn(from: Position, to: Position): Paise {
  return addPaise(writtenPremium(from), writtenPremium(to));
}

/** The share of the carried cost that moves: positive for purchases, negative for sales. */
function costShare(row: Position, { side, quantity }: PositionConverted): Paise {
  if (side === 'B') return scaleHalfUp(carriedBuyCost(row), quantity, row.carriedBuyQuantity);
  return negatePaise(scaleHalfUp(carriedSellProceeds(row), quantity, row.carriedSellQuantity));
}

function move(
  moves: ConversionMoves,
  row: Position,
  side: Side,
  carried: boolean,
  units: number,
  amount: number,
  cost: number,
): void {
  const book = fillBook(row);
  const before = book === 'realised' ? realisedOf(row) : ZERO_PAISE;
  if (carried) {
    addCarried(row, side, units, amount);
    row.carriedCost = addPaise(row.carriedCost, cost as Paise);
  } else addFill(row, side, units as Quantity, amount as Paise);
  const brought = (side === 'S' ? amount : -amount) as Paise;
  if (book === 'delivery' || (book === 'premium' && !carried)) moves[book] = addPaise(moves[book], brought);
  if (book === 'realised') moves.realised = addPaise(moves.realised, subtractPaise(realisedOf(row), before));
}
