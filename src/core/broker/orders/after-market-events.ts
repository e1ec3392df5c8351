import type { OrderNumber } from '../../../base/ids.ts';
import type { IstDay } from '../../../base/time.ts';
import type { OrderTerms, ProtectionE4 } from '../../order.ts';
import type { Refusal } from '../../refusals/refusal.ts';

/**
 * The order waits at the broker for the session of a day. `warning` is the refusal that it would get now for lack of
 * money. Source: market-rules R2.18, R2.19.
 */
export interface AfterMarketTaken {
  readonly type: 'AfterMarketTaken';
  readonly order: OrderNumber;
  readonly day: IstDay;
  readonly protection?: ProtectionE4;
  readonly warning?: Refusal;
}

/** An order that waits at the broker has new terms. */
export interface AfterMarketReplaced {
  readonly type: 'AfterMarketReplaced';
  readonly order: OrderNumber;
  readonly terms: OrderTerms;
  readonly protection?: ProtectionE4;
  readonly warning?: Refusal;
}

/**
 * An order that waited is Pending again, and is checked as one that comes now. `terms.price` is the protected price of
 * a market order.
 */
export interface AfterMarketReleased {
  readonly type: 'AfterMarketReleased';
  readonly order: OrderNumber;
  readonly terms: OrderTerms;
}
