/**
 * The risk group of a client: the usual one, the limits that a new one must keep to, and the refusal of a product or an
 * exchange that is not enabled. The check of the order value is with the order checks.
 */

import { assert } from '../../../base/assert.ts';
import { EXCHANGES, type Exchange } from '../../../base/ids.ts';
import type { Paise } from '../../../base/money.ts';
import type { Account } from '../../account.ts';
import type { SetRiskGroup } from '../../command.ts';
import { PRODUCTS, type Product } from '../../order.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { accountOf, type State } from '../../state.ts';
import { MOST_COUNTED } from '../orders/exact-sum-limits.ts';
import type { RiskGroup, RiskGroupSet } from './risk-group-terms.ts';

/**
 * The group of a client without one of his own: ten crore rupees an order. Source: market-rules R3.5 of section 3.1,
 * R3.28.
 */
export const USUAL_RISK_GROUP: RiskGroup = {
  name: 'ONLINE',
  orderValueCap: 10_000_000_000 as Paise,
  products: PRODUCTS,
  exchanges: EXCHANGES,
};

/**
 * A pattern: one to 32 letters, digits, blanks, points, dashes and underlines, so that the name neither ends nor breaks
 * the text around it.
 */
export const RISK_GROUP_NAME = '^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,30}[A-Za-z0-9])?$';

const NAME = new RegExp(RISK_GROUP_NAME);

/** The risk group of an account: its own, or the usual one. */
export function riskGroupOf({ riskGroup }: Pick<Account, 'riskGroup'>): RiskGroup {
  return riskGroup ?? USUAL_RISK_GROUP;
}

/** Refuses a product or an exchange that an account's risk group does not allow. Source: market-rules R3.5 (row 5). */
export function refuseNotEnabled(
  account: Pick<Account, 'riskGroup'>,
  product: Product,
  exchange: Exchange,
): Refusal | undefined {
  const { products, exchanges } = riskGroupOf(account);
  if (products.includes(product) && exchanges.includes(exchange)) return undefined;
  return { rule: 'ProductNotEnabled', product, exchange };
}

/**
 * The refusal with the name that the account's risk group has now, so that the text stays the same when the group
 * changes.
 */
export function inGroupOf({ riskGroup }: Account, refusal: Refusal): Refusal {
  if (riskGroup === undefined || riskGroup.name === USUAL_RISK_GROUP.name) return refusal;
  return { ...refusal, riskGroup: riskGroup.name };
}

/**
 * Changes parts of an account's risk group, or gives it the usual one back; there is no event when nothing changes.
 * Source: market-rules R0.9, R3.5.
 */
export function decideRiskGroup(state: State, { account: id, change, by, why }: SetRiskGroup): RiskGroupSet[] {
  const now = riskGroupOf(accountOf(state, id));
  const group = inOneForm(change === undefined ? USUAL_RISK_GROUP : { ...now, ...change });
  assert(isRiskGroup(group), 'a risk group is named, capped, and lets something be traded');
  if (isSame(group, now)) return [];
  return [{ type: 'RiskGroupSet', account: id, ...(isSame(group, USUAL_RISK_GROUP) ? {} : { group }), by, why }];
}

/** Gives an account a risk group of its own, or the usual one when there is none. */
export function applyRiskGroup(state: State, { account: id, group }: RiskGroupSet): void {
  const account = accountOf(state, id);
  if (group === undefined) delete account.riskGroup;
  else account.riskGroup = group;
}

/** True for a group that an account may have as its own: within all bounds, in its one form, and not the usual one. */
export function isOwnRiskGroup(group: RiskGroup): boolean {
  return isRiskGroup(group) && isSame(group, inOneForm(group)) && !isSame(group, USUAL_RISK_GROUP);
}

function isRiskGroup({ name, orderValueCap, products, exchanges }: RiskGroup): boolean {
  const isCap = Number.isSafeInteger(orderValueCap) && orderValueCap > 0 && orderValueCap <= MOST_COUNTED;
  return NAME.test(name) && isCap && products.length > 0 && exchanges.length > 0;
}

/** Fields and words in one order, and each word once. */
function inOneForm({ name, orderValueCap, products, exchanges }: RiskGroup): RiskGroup {
  return {
    name,
    orderValueCap,
    products: PRODUCTS.filter((product) => products.includes(product)),
    exchanges: EXCHANGES.filter((exchange) => exchanges.includes(exchange)),
  };
}

function isSame(one: RiskGroup, other: RiskGroup): boolean {
  return (
    one.name === other.name &&
    one.orderValueCap === other.orderValueCap &&
    one.products.join() === other.products.join() &&
    one.exchanges.join() === other.exchanges.join()
  );
}
