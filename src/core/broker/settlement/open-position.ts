import type { Quantity } from '../../../base/money.ts';
import type { Account, Position } from '../../account.ts';
import type { Side } from '../../order.ts';
import { type AccountRange, accountsWithin } from '../../portions/portion.ts';
import { netQuantity, type PositionFacts } from '../../position.ts';
import type { State } from '../../state.ts';
import type { PositionSettled, SettlementReason } from './settlement-events.ts';

/** A row that is not flat. */
export interface OpenPosition {
  readonly account: Account;
  readonly row: Position;
  /** Units, above 0. */
  readonly units: Quantity;
  /** The side that it was opened on, and the side that closes it. */
  readonly side: Side;
  readonly closing: Side;
}

/** Every row of an account that is not flat, in the order in which they were first traded. */
export function* openPositionsOf(account: Account): Iterable<OpenPosition> {
  for (const row of account.positions.values()) {
    const net = netQuantity(row);
    if (net === 0) continue;
    const long = net > 0;
    yield {
      account,
      row,
      units: Math.abs(net) as Quantity,
      side: long ? 'B' : 'S',
      closing: long ? 'S' : 'B',
    };
  }
}

/** Every row of the accounts of a range that is not flat, account by account. */
export function* openPositions(state: State, range: AccountRange): Iterable<OpenPosition> {
  for (const account of accountsWithin(state, range)) yield* openPositionsOf(account);
}

/** A fill by the clearing house, of a row that is there or that the fill makes. */
export function settled(
  account: Account,
  facts: PositionFacts,
  fill: Pick<PositionSettled, 'product' | 'side' | 'quantity' | 'price'>,
  reason: SettlementReason,
): PositionSettled {
  const { instrument, kind, group, isin } = facts;
  return { type: 'PositionSettled', account: account.id, instrument, kind, group, isin, ...fill, reason };
}
