import { addPaise, negatePaise, type Paise, type Quantity, subtractPaise, ZERO_PAISE } from '../../base/money.ts';
import type { MarginParts } from '../event.ts';
import type { Side } from '../order.ts';
import { addFill, realisedOf, settlementWay } from '../position.ts';
import type { Account, Position } from '../state.ts';

/** The day's flows of an account that fills change. An `Account` has them. */
export interface Flows {
  flow: Paise;
  premiumPaid: Paise;
  deliveryPaid: Paise;
  realised: Paise;
}

/** What margin in use is made of. An `Account` has all of it. */
export interface FundsFigures extends Readonly<Flows> {
  readonly cash: Paise;
  readonly payin: Paise;
  readonly spanBlocked: Paise;
  readonly exposureBlocked: Paise;
  readonly premiumBlocked: Paise;
  readonly cashBlocked: Paise;
}

export const NO_MARGIN: MarginParts = Object.freeze({
  span: ZERO_PAISE,
  exposure: ZERO_PAISE,
  premium: ZERO_PAISE,
  cash: ZERO_PAISE,
});

export function sameParts(a: MarginParts, b: MarginParts): boolean {
  return a.span === b.span && a.exposure === b.exposure && a.premium === b.premium && a.cash === b.cash;
}

/** Books a fill: the row, the lifetime flow, and the flow of the day that its way of settlement belongs to. */
export function bookFill(flows: Flows, row: Position, side: Side, units: Quantity, amount: Paise): void {
  const paid = side === 'B' ? amount : negatePaise(amount);
  flows.flow = subtractPaise(flows.flow, paid);
  switch (settlementWay(row.kind, row.product)) {
    case 'premium':
      flows.premiumPaid = addPaise(flows.premiumPaid, paid);
      addFill(row, side, units, amount);
      return;
    case 'delivery':
      flows.deliveryPaid = addPaise(flows.deliveryPaid, paid);
      addFill(row, side, units, amount);
      return;
    case 'result': {
      const before = realisedOf(row);
      addFill(row, side, units, amount);
      flows.realised = addPaise(flows.realised, subtractPaise(realisedOf(row), before));
    }
  }
}

/** Premium that counts as used: what was paid net today and what rests. Premium received pays for option buys only. Source: R4.24, R4.25. */
export function premiumUsed(funds: FundsFigures): Paise {
  return Math.max(0, funds.premiumPaid + funds.premiumBlocked) as Paise;
}

/** Cash segment: resting delivery buys and intraday margin, and what today's deliveries cost net. */
export function cashSegmentUsed(funds: FundsFigures): Paise {
  return (funds.cashBlocked + Math.max(0, funds.deliveryPaid)) as Paise;
}

/** A loss counts at once; a profit is cash from the next day on. Source: market-rules R4.24. */
export function realisedLoss(funds: FundsFigures): Paise {
  return Math.max(0, -funds.realised) as Paise;
}

/** All margin in use, in paise; never negative. Source: market-rules R4.32. */
export function marginUsed(funds: FundsFigures): Paise {
  return (funds.spanBlocked +
    funds.exposureBlocked +
    premiumUsed(funds) +
    cashSegmentUsed(funds) +
    realisedLoss(funds)) as Paise;
}

/** Money paid in today and the net proceeds of today's delivery sales. */
export function payIn(funds: FundsFigures): Paise {
  return (funds.payin + Math.max(0, -funds.deliveryPaid)) as Paise;
}

export function totalMargin(funds: FundsFigures): Paise {
  return addPaise(funds.cash, payIn(funds));
}

/** Negative when more is in use than there is. */
export function availableMargin(funds: FundsFigures): Paise {
  return subtractPaise(totalMargin(funds), marginUsed(funds));
}

/** Replaces the parts of one portfolio in the account's sums. */
export function block(account: Account, before: MarginParts, after: MarginParts): void {
  account.spanBlocked = (account.spanBlocked + after.span - before.span) as Paise;
  account.exposureBlocked = (account.exposureBlocked + after.exposure - before.exposure) as Paise;
  account.premiumBlocked = (account.premiumBlocked + after.premium - before.premium) as Paise;
  account.cashBlocked = (account.cashBlocked + after.cash - before.cash) as Paise;
}
