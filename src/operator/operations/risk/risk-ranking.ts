/**
 * The orders in which accounts are ranked by their risk, and the accounts at the top of an order. The figures are made
 * in `account-risk.ts`.
 */
import { lowerBound } from '../../../base/lower-bound.ts';
import type { AccountRisk } from './account-risk.ts';

/** The orders in which accounts are ranked; the account that needs a look first stands first. */
export const RISK_SORTS = ['marginUsed', 'result', 'available', 'concentration'] as const;
export type RiskSort = (typeof RISK_SORTS)[number];

/** The most accounts that a ranking keeps. */
export const MOST_RANKED = 500;

/** The larger, the nearer to the top: most margin, largest loss, least funds, largest share in one underlying. */
const KEYS: Readonly<Record<RiskSort, (risk: AccountRisk) => number>> = {
  marginUsed: ({ marginUsed }) => marginUsed,
  result: ({ result }) => -result,
  available: ({ available }) => -available,
  concentration: concentrationOf,
};

/** The share of the largest stake in all stakes of an account, from 0 to 1. */
export function concentrationOf({ largest, stakes }: Pick<AccountRisk, 'largest' | 'stakes'>): number {
  return largest === undefined ? 0 : largest.stake / stakes;
}

/** The accounts at the top in one order, whatever number comes; equal ones in the order in which they came. */
export class RiskRanking {
  private readonly keyOf: (risk: AccountRisk) => number;
  private readonly keys: number[] = [];
  private readonly ranked: AccountRisk[] = [];

  constructor(sort: RiskSort) {
    this.keyOf = KEYS[sort];
  }

  add(risk: AccountRisk): void {
    const { keys, ranked } = this;
    const key = this.keyOf(risk);
    const isFull = keys.length === MOST_RANKED;
    if (isFull && key <= (keys[keys.length - 1] as number)) return;
    const place = this.placeOf(key);
    keys.splice(place, 0, key);
    ranked.splice(place, 0, risk);
    if (!isFull) return;
    keys.pop();
    ranked.pop();
  }

  /** The first accounts, at most `most`. */
  top(most: number): readonly AccountRisk[] {
    return this.ranked.slice(0, most);
  }

  /** After all keys that are as large. */
  private placeOf(key: number): number {
    return lowerBound(0, this.keys.length, (place) => (this.keys[place] as number) >= key);
  }
}
