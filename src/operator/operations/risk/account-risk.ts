/**
 * The risk of one account as its broker sees it: margin, funds, result, and the stake in each underlying. Rows are
 * added one by one, so that an account with many positions can be measured in pieces. The state is not changed.
 */
import type { AccountId, InstrumentId } from '../../../base/ids.ts';
import { addPaise, amountOf, type Paise, type Price, type Quantity, ZERO_PAISE } from '../../../base/money.ts';
import type { Account, Position } from '../../../core/account.ts';
import { availableMargin, marginUsed, NO_MARGIN, totalMargin } from '../../../core/broker/account/funds.ts';
import type { MarginParts } from '../../../core/event.ts';
import { hasTraded, settlementWay } from '../../../core/position.ts';
import { type PositionFigures, positionFigures } from '../../../core/query.ts';

/** A result in paise: of closed units, of open units at the last prices, and of both. */
export interface RiskResult {
  readonly realised: Paise;
  readonly open: Paise;
  readonly result: Paise;
}

/** An account in one underlying, or in one share. */
export interface UnderlyingRisk extends RiskResult {
  readonly group: InstrumentId;
  /** The margin that is blocked for it. */
  readonly parts: MarginParts;
  /** The blocked margin, and the worth of the shares and options that were bought in it and are held. */
  readonly stake: Paise;
  /** Position rows that are not flat. */
  readonly positions: number;
}

/** An account over all its underlyings, in paise. */
export interface AccountRisk extends RiskResult {
  readonly account: AccountId;
  readonly userId: string;
  readonly name: string;
  readonly marginUsed: Paise;
  /** Below 0 when the margin in use is above the funds. */
  readonly available: Paise;
  readonly total: Paise;
  /** All stakes added up, and the largest of them. */
  readonly stakes: Paise;
  readonly largest?: Pick<UnderlyingRisk, 'group' | 'stake'>;
  /** Position rows that are not flat. */
  readonly positions: number;
  /** Orders of today. */
  readonly orders: number;
}

interface Sums {
  realised: Paise;
  open: Paise;
  held: Paise;
  positions: number;
}

/** Adds up the position rows of one account. */
export class RiskTally {
  private readonly sums = new Map<InstrumentId, Sums>();

  /**
   * Adds a row at a last price and returns its figures; `undefined` for a row that was not traded or carried today.
   * `open`: the value of the open units, where it does not follow from the row alone.
   */
  add(row: Position, last: Price, open?: Paise): PositionFigures | undefined {
    if (!hasTraded(row)) return undefined;
    const figures = positionFigures(row, last, open);
    const { realised, countedOpen, netQuantity } = figures;
    const sums = this.sumsOf(row.group);
    sums.realised = addPaise(sums.realised, realised);
    sums.open = addPaise(sums.open, countedOpen);
    if (netQuantity !== 0) sums.positions += 1;
    // Futures and intraday shares are paid for by margin, which is counted already.
    if (netQuantity > 0 && settlementWay(row.kind, row.product) !== 'result') {
      sums.held = addPaise(sums.held, amountOf(last, netQuantity as Quantity));
    }
    return figures;
  }

  /** The account in each underlying, the largest stake first. */
  underlyings({ portfolios }: Account): UnderlyingRisk[] {
    const groups = new Set([...portfolios.keys(), ...this.sums.keys()]);
    const rows = Array.from(groups, (group) => underlyingRisk(group, portfolios.get(group)?.parts, this.sumsOf(group)));
    return rows
      .filter(({ stake, realised, open, positions }) => stake !== 0 || realised !== 0 || open !== 0 || positions > 0)
      .sort((a, b) => b.stake - a.stake);
  }

  /** The account over all the rows that were added. */
  whole(account: Account): AccountRisk {
    const underlyings = account.portfolios.size + this.sums.size === 0 ? [] : this.underlyings(account);
    let [realised, open, stakes] = [ZERO_PAISE, ZERO_PAISE, ZERO_PAISE];
    let positions = 0;
    for (const row of underlyings) {
      realised = addPaise(realised, row.realised);
      open = addPaise(open, row.open);
      stakes = addPaise(stakes, row.stake);
      positions += row.positions;
    }
    const [largest] = underlyings;
    return {
      account: account.id,
      userId: account.userId,
      name: account.name,
      marginUsed: marginUsed(account),
      available: availableMargin(account),
      total: totalMargin(account),
      realised,
      open,
      result: addPaise(realised, open),
      stakes,
      ...(largest !== undefined && largest.stake > 0 && { largest }),
      positions,
      orders: account.orders.length,
    };
  }

  private sumsOf(group: InstrumentId): Sums {
    const known = this.sums.get(group);
    if (known !== undefined) return known;
    const fresh = { realised: ZERO_PAISE, open: ZERO_PAISE, held: ZERO_PAISE, positions: 0 };
    this.sums.set(group, fresh);
    return fresh;
  }
}

function underlyingRisk(group: InstrumentId, parts: MarginParts = NO_MARGIN, sums: Sums): UnderlyingRisk {
  const { realised, open, held, positions } = sums;
  const blocked = (parts.span + parts.exposure + parts.premium + parts.cash) as Paise;
  return {
    group,
    parts,
    realised,
    open,
    result: addPaise(realised, open),
    stake: addPaise(blocked, held),
    positions,
  };
}
