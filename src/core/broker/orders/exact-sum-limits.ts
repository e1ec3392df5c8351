/**
 * The largest amounts that enter from outside: pay-ins, credited shares, bonuses, splits and dividends. Sums of paise
 * and units stay within the whole numbers that are counted exactly. These are not limits of risk.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import type { Paise, Price } from '../../../base/money.ts';
import type { AnnounceCorporateAction, CreditHolding } from '../../command.ts';
import { accountsWithin } from '../../portions/portion.ts';
import type { DecisionPorts } from '../../ports.ts';
import { netQuantity } from '../../position.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { State } from '../../state.ts';

/** Ten thousand crore rupees: sums of orders that are worth less stay exact. */
export const MOST_COUNTED = 10_000_000_000_000 as Paise;
/** Forty lakh crore rupees: sums of all money stay exact, with room for the money that trades move. */
const MOST_MONEY = 4_000_000_000_000_000;
/** A tenth of it: the value of all shares stays exact while prices rise tenfold. */
const MOST_WORTH = 400_000_000_000_000;
/** A hundred thousand million units of a share, counted as they are once every announced action is in effect. */
const MOST_UNITS = 100_000_000_000;
/** At least this number of units of a share counts as held, because they may be bought before the ex-date. */
const UNITS_FORESEEN = 100_000;

/** Refuses `amount` from outside when, with it, the money of all accounts could no longer be counted exactly. */
export function refuseMoney({ house }: State, amount: number): Refusal | undefined {
  return amount - house.bank > MOST_MONEY ? { rule: 'TooMuchMoney' } : undefined;
}

/**
 * Refuses a credit when, with it, the units of the share, or the cost or value of all accounts' shares, could no longer
 * be counted exactly.
 */
export function refuseCredit(
  state: State,
  ports: DecisionPorts,
  isin: string,
  { instrument, quantity, cost }: Pick<CreditHolding, 'instrument' | 'quantity' | 'cost'>,
): Refusal | undefined {
  const closeOf = closes(ports);
  const paid = cost + state.heldShares.cost;
  let worth = quantity * closeOf(instrument);
  for (const [listing, units] of state.heldShares.listings()) worth += units * closeOf(listing);
  const units = (quantity + unitsHeld(state, isin)) * pendingFactor(state, isin);
  const tooMany = units > MOST_UNITS || paid > MOST_WORTH || worth > MOST_WORTH;
  return tooMany ? { rule: 'TooManyShares' } : undefined;
}

/** Refuses a bonus or a split that would make more units of a share and of its contracts than are counted exactly. */
export function refuseFactor(
  state: State,
  isin: string,
  { listings, before, after }: AnnounceCorporateAction,
): Refusal | undefined {
  let units = unitsHeld(state, isin);
  for (const { positions } of accountsWithin(state)) {
    for (const row of positions.values()) if (listings.includes(row.group)) units += Math.abs(netQuantity(row));
  }
  const least = (Math.max(units, UNITS_FORESEEN) * after) / before;
  return least * pendingFactor(state, isin) > MOST_UNITS ? { rule: 'TooManyShares' } : undefined;
}

/** Refuses a dividend that, with those announced before, would pay more than the money of all accounts may come to. */
export function refuseDividend(state: State, isin: string, dividend: Price): Refusal | undefined {
  let sum = paidFor(state, isin, dividend);
  for (const action of pendingActions(state)) sum += paidFor(state, action.isin, action.dividend);
  return refuseMoney(state, sum);
}

/** The units that one unit of a share becomes by the actions that are announced and not yet in effect. */
function pendingFactor(state: State, isin: string): number {
  const own = pendingActions(state).filter((action) => action.isin === isin);
  return own.reduce((factor, { before, after }) => (factor * after) / before, 1);
}

function pendingActions({ corporateActions, day }: State) {
  return corporateActions.filter(({ exDay }) => exDay > day);
}

/** The dividend in paise for the units held now, counted as they are once every announced action is in effect. */
function paidFor(state: State, isin: string, dividend: Price): number {
  return dividend * unitsHeld(state, isin) * pendingFactor(state, isin);
}

/** The units of a share in all accounts. */
function unitsHeld({ heldShares }: State, isin: string): number {
  return heldShares.unitsOf(isin);
}

/** Previous closes, each asked for once. */
function closes({ market, tick }: DecisionPorts): (id: InstrumentId) => number {
  const known = new Map<InstrumentId, number>();
  return (id) => {
    const close = known.get(id) ?? market.previousClose(id, tick);
    known.set(id, close);
    return close;
  };
}
