import type { AccountId, Exchange } from '../../../base/ids.ts';
import type { Paise } from '../../../base/money.ts';
import type { Product } from '../../order.ts';

/** The limits that the risk desk sets for one client. Source: market-rules R0.9 (risk_group), R3.5. */
export interface RiskGroup {
  /** It closes the texts of the risk desk. Source: market-rules R3.28. */
  readonly name: string;
  /** Cash orders above this value are refused. In paise, above 0 and at most `MOST_COUNTED`. */
  readonly orderValueCap: Paise;
  /** One at least, in the order of `PRODUCTS`. */
  readonly products: readonly Product[];
  /** One at least, in the order of `EXCHANGES`. */
  readonly exchanges: readonly Exchange[];
}

/** An account has a risk group of its own from now on; the usual one when it is absent. */
export interface RiskGroupSet {
  readonly type: 'RiskGroupSet';
  readonly account: AccountId;
  readonly group?: RiskGroup;
  readonly by: string;
  readonly why: string;
}
