import { amountOf, type Paise, subtractPaise, ZERO_PAISE } from '../../../base/money.ts';
import type { AccountRange } from '../../portions/portion.ts';
import { openAmount } from '../../position.ts';
import type { State } from '../../state.ts';
import { closingPrice } from './closing-prices.ts';
import { openPositions } from './open-position.ts';
import type { PositionMarked } from './settlement-events.ts';

/**
 * Carries every open contract at its close. For futures the difference to the day's basis is paid in cash. For options
 * nothing is paid, because their premium was. Source: market-rules R5.8, R5.9, R7.5 (4).
 */
export function decideMarks(state: State, range: AccountRange): PositionMarked[] {
  const marks: PositionMarked[] = [];
  for (const { account, row, units, side } of openPositions(state, range)) {
    if (row.kind === 'equity') continue;
    const price = closingPrice(state, row.instrument);
    let gain: Paise = ZERO_PAISE;
    if (row.kind === 'future') {
      const [value, basis] = [amountOf(price, units), openAmount(row)];
      gain = side === 'B' ? subtractPaise(value, basis) : subtractPaise(basis, value);
    }
    const { instrument, product } = row;
    marks.push({ type: 'PositionMarked', account: account.id, instrument, product, price, gain });
  }
  return marks;
}
