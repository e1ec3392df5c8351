import { assert } from '../../src/base/assert.ts';
import type { IstDay } from '../../src/base/time.ts';
import type { Account } from '../../src/core/account.ts';
import { isDerivative } from '../../src/core/instrument.ts';
import type { Ports } from '../../src/core/ports.ts';
import { netQuantity } from '../../src/core/position.ts';
import type { State } from '../../src/core/state.ts';
import { type PlainLeg, plainSpan } from '../../test/reference/span.ts';
import { INDEX } from '../listed.ts';

/** Rates of shares do not matter to contracts on an index. */
const NO_SHARES = 0;

/**
 * Holds the blocked margin of an account's contracts on the index against the second implementation of SPAN, to the
 * paisa. True when the account has any. Between two portions of a revision the accounts that are still to come are
 * measured by older figures, and are not looked at. Source: reliability I18, I35.
 */
export function checkSpan(state: State, { market, instruments }: Ports, account: Account): boolean {
  const { day, riskTick, portion } = state;
  if (portion?.of === 'ReviseMargins' && account.id >= portion.from) return false;
  const portfolio = account.portfolios.get(INDEX.id);
  if (portfolio === undefined) return false;
  const legs: PlainLeg[] = [];
  for (const [id, rows] of portfolio.legs) {
    const contract = instruments.get(id);
    if (contract === undefined || !isDerivative(contract)) continue;
    const leg = { held: 0, buying: 0, buyValue: 0, selling: 0 };
    for (const row of rows) {
      leg.held += netQuantity(row);
      leg.buying += row.openBuyQuantity;
      leg.buyValue += row.openBuyAmount;
      leg.selling += row.openSellQuantity;
    }
    legs.push({ contract, figures: market.risk(id, riskTick), daysLeft: contract.expiryDay - day, ...leg });
  }
  if (legs.length === 0) return false;
  const plain = plainSpan(legs, day as IstDay, NO_SHARES);
  const { span, exposure, premium } = portfolio.parts;
  const [mine, theirs] = [JSON.stringify(plain), JSON.stringify({ span, exposure, premium })];
  assert(mine === theirs, `${account.userId} blocks ${theirs} for the index, the plain implementation ${mine}`);
  return true;
}
