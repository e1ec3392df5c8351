import type { InstrumentId } from '../../../base/ids.ts';
import type { Paise, Price } from '../../../base/money.ts';
import { heldUnits } from '../../account.ts';
import type { AnnounceCorporateAction, CreditHolding } from '../../command.ts';
import type { DecisionPorts } from '../../ports.ts';
import { netQuantity } from '../../position.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { State } from '../../state.ts';

/** Ten thousand crore rupees: no sum of orders that are worth less leaves the whole numbers. */
export const MOST_COUNTED = 10_000_000_000_000 as Paise;
/** Forty lakh crore rupees: sums of all money stay whole numbers, with room for what trades move. */
const MOST_MONEY = 4_000_000_000_000_000;
/** A tenth of it: the worth of all shares stays a whole number while prices rise tenfold. */
const MOST_WORTH = 400_000_000_000_000;
/** A hundred thousand million units of a share, counted as they are once every announced action is in effect. */
const MOST_UNITS = 100_000_000_000;
/** So many units of a share count as held: they may be bought before the ex-date. */
const UNITS_FORESEEN = 100_000;

/** Refuses `amount` more from outside when the money of all accounts could not be counted exactly any more. */
export function refuseMoney({ house }: State, amount: number): Refusal | undefined {
  return amount - house.bank > MOST_MONEY ? { rule: 'TooMuchMoney' } : undefined;
}

/**
 * Refuses a credit with which the units of the share, or what the shares of all accounts cost or are worth, could not
 * be counted exactly.
 */
export function refuseCredit(
  state: State,
  ports: DecisionPorts,
  isin: string,
  { instrument, quantity, cost }: Pick<CreditHolding, 'instrument' | 'quantity' | 'cost'>,
): Refusal | undefined {
  const closeOf = closes(ports);
  let [paid, worth] = [cost as number, quantity * closeOf(instrument)];
  for (const { holdings } of state.accounts) {
    for (const held of holdings.values()) {
      paid += held.cost;
      worth += heldUnits(held) * closeOf(held.instrument);
    }
  }
  const units = (quantity + unitsHeld(state, isin)) * pendingFactor(state, isin);
  const tooMany = units > MOST_UNITS || paid > MOST_WORTH || worth > MOST_WORTH;
  return tooMany ? { rule: 'TooManyShares' } : undefined;
}

/** Refuses a bonus or a split that would make more units of a share, and of its contracts, than are counted exactly. */
export function refuseFactor(
  state: State,
  isin: string,
  { listings, before, after }: AnnounceCorporateAction,
): Refusal | undefined {
  let units = unitsHeld(state, isin);
  for (const { positions } of state.accounts) {
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

/** What one unit of a share becomes by the actions that are announced and not in effect. */
function pendingFactor(state: State, isin: string): number {
  const own = pendingActions(state).filter((action) => action.isin === isin);
  return own.reduce((factor, { before, after }) => (factor * after) / before, 1);
}

function pendingActions({ corporateActions, day }: State) {
  return corporateActions.filter(({ exDay }) => exDay > day);
}

/** Paise, for the units that are held now as they will be once every announced action is in effect. */
function paidFor(state: State, isin: string, dividend: Price): number {
  return dividend * unitsHeld(state, isin) * pendingFactor(state, isin);
}

/** What all accounts hold of a share. */
function unitsHeld({ accounts }: State, isin: string): number {
  let units = 0;
  for (const { holdings } of accounts) {
    const held = holdings.get(isin);
    if (held !== undefined) units += heldUnits(held);
  }
  return units;
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
