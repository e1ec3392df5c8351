/**
 * The effects of a corporate action on the ex-date: dividends, adjusted holdings and adjusted positions of every
 * account, as events. `corporate-action-apply.ts` applies them.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import {
  addPaise,
  amountOf,
  negatePaise,
  type Paise,
  type Price,
  type Quantity,
  scaleHalfUp,
  subtractPaise,
  ZERO_PAISE,
  ZERO_QUANTITY,
} from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import { type Account, type Holding, heldUnits, type Position, positionKey } from '../../account.ts';
import type { Event } from '../../event.ts';
import { type Derivative, isDerivative } from '../../instrument.ts';
import { type AccountRange, accountsWithin } from '../../portions/portion.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import { netQuantity, positionFacts } from '../../position.ts';
import type { State } from '../../state.ts';
import type { CorporateAction } from './corporate-action.ts';
import type { DividendPaid, HoldingAdjusted, PositionAdjusted } from './corporate-action-events.ts';

/** The actions whose ex-date came when the day after `dayBefore` began, earliest first. */
export function actionsInEffect({ corporateActions, day }: State, dayBefore: IstDay): CorporateAction[] {
  return corporateActions.filter(({ exDay }) => exDay > dayBefore && exDay <= day).sort((a, b) => a.exDay - b.exDay);
}

/**
 * The events of an action on the accounts of a range once its ex-date has begun: dividends to the holders, settled or
 * not, shares by the factor with fractions in cash, and positions in the contracts that have come in the place of the
 * old ones. No order is open then, and shares traded the day before are holdings. Source: market-rules R7.6, R7.7.
 */
export function effectsOf(state: State, ports: DecisionPorts, action: CorporateAction, range: AccountRange): Event[] {
  const events: Event[] = [];
  for (const account of accountsWithin(state, range)) {
    const holding = account.holdings.get(action.isin);
    if (holding !== undefined && action.dividend > 0) events.push(dividendTo(account, holding, action));
    if (holding !== undefined && action.after !== action.before) events.push(adjusted(ports, account, holding, action));
    if (action.adjustsContracts) events.push(...adjustedPositions(ports, account, action));
  }
  return events;
}

function dividendTo({ id }: Account, holding: Holding, { isin, dividend }: CorporateAction): DividendPaid {
  const units = heldUnits(holding);
  const { instrument } = holding;
  const amount = amountOf(dividend, units);
  return { type: 'DividendPaid', account: id, isin, instrument, units, dividend, amount };
}

/**
 * Whole shares stay. A fraction of a share is paid for at its part of the close before, at which the old shares were
 * valued.
 */
function adjusted(ports: DecisionPorts, { id }: Account, holding: Holding, action: CorporateAction): HoldingAdjusted {
  const { isin, instrument } = holding;
  const { before, after } = action;
  const units = heldUnits(holding);
  const whole = times(units, action);
  const unsettled = times(holding.unsettled, action);
  const close = closeBefore(ports, instrument);
  return {
    type: 'HoldingAdjusted',
    account: id,
    isin,
    instrument,
    issued: whole - units,
    settled: (whole - unsettled) as Quantity,
    unsettled,
    pledged: times(holding.pledged, action),
    cash: scaleHalfUp(close as number as Paise, units * after - whole * before, after),
  };
}

function times(units: Quantity, { before, after }: CorporateAction): Quantity {
  return Math.floor((units * after) / before) as Quantity;
}

/** The last price before the day that begins, as it was traded. */
function closeBefore({ market, tick }: DecisionPorts, id: InstrumentId): Price {
  return market.previousClose(id, tick, true);
}

function adjustedPositions(ports: DecisionPorts, account: Account, action: CorporateAction): PositionAdjusted[] {
  const events: PositionAdjusted[] = [];
  const taken = new Set<number>();
  for (const row of account.positions.values()) {
    if (!action.listings.includes(row.group)) continue;
    const old = instrumentOf(ports, row.instrument);
    if (!isDerivative(old) || old.replacedBy?.from !== action.exDay) continue;
    const next = instrumentOf(ports, old.replacedBy.id);
    if (!isDerivative(next)) continue;
    const key = positionKey(next.id, row.product);
    events.push(adjustedRow(ports, account, row, old, next, taken.has(key), action));
    taken.add(key);
  }
  return events;
}

/**
 * A row in the new contract. Every lot stays a lot. The units that the factor gives beyond whole units of it are closed
 * at the old contract's last price. When two strikes have become one, the whole second position is closed in this way,
 * because a contract has one row.
 */
function adjustedRow(
  ports: DecisionPorts,
  { id }: Account,
  row: Position,
  old: Derivative,
  next: Derivative,
  isTaken: boolean,
  action: CorporateAction,
): PositionAdjusted {
  const net = netQuantity(row);
  const units = Math.abs(net);
  const kept = isTaken ? 0 : Math.floor((units * next.lot) / old.lot);
  const share = (amount: Paise): Paise => scaleHalfUp(amount, kept * action.before, units * action.after);
  const amount = addPaise(row.carriedBuyAmount, row.carriedSellAmount);
  const keptAmount = share(amount);
  const taken = row.kind === 'future' ? amountOf(action.dividend, kept as Quantity) : ZERO_PAISE;
  const carried = subtractPaise(keptAmount, taken);
  const cost = subtractPaise(share(row.carriedCost), net > 0 ? taken : negatePaise(taken));
  const close = closeBefore(ports, old.id) as number as Paise;
  const worth = scaleHalfUp(close, units * action.after - kept * action.before, action.after);
  const gain = row.kind === 'future' ? subtractPaise(worth, subtractPaise(amount, keptAmount)) : worth;
  return {
    ...positionFacts(next),
    type: 'PositionAdjusted',
    account: id,
    product: row.product,
    from: row.instrument,
    carriedBuyQuantity: net > 0 ? (kept as Quantity) : ZERO_QUANTITY,
    carriedBuyAmount: net > 0 ? carried : ZERO_PAISE,
    carriedSellQuantity: net < 0 ? (kept as Quantity) : ZERO_QUANTITY,
    carriedSellAmount: net < 0 ? carried : ZERO_PAISE,
    carriedCost: cost,
    cash: net > 0 ? gain : negatePaise(gain),
  };
}
