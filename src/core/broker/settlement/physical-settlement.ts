import { amountOf, type Paise, type Price, type Quantity } from '../../../base/money.ts';
import type { Derivative } from '../../instrument.ts';
import type { Side } from '../../order.ts';

/** Shares that one expired contract moves: `B` receives them and pays, `S` delivers them and is paid. */
export interface DeliveryLeg {
  readonly side: Side;
  readonly units: Quantity;
  /** The strike of an option, the close of a future: its marks have paid the rest. */
  readonly price: Price;
}

/**
 * The shares and the money that one account must move for an underlying, contracts netted. Below 0 the account delivers
 * shares or receives money. Source: market-rules R7.3.
 */
export interface DeliveryNet {
  /** Shares received less shares delivered. */
  readonly shares: number;
  /** Money paid less money received, in paise. */
  readonly pays: Paise;
}

/**
 * How far a contract is in the money at a price of its underlying, in paise a unit; 0 when it is not, and for futures.
 */
export function intrinsicValue(contract: Derivative, spot: Price): Price {
  if (contract.kind === 'future') return 0 as Price;
  const inside = contract.optionType === 'CE' ? spot - contract.strike : contract.strike - spot;
  return Math.max(0, inside) as Price;
}

/**
 * The delivery of an expiring contract on a share, for a position that was opened on `side`: a long future, a long call
 * and a short put in the money receive; the others in the money deliver; the rest lapses. Source: market-rules R7.2.
 */
export function deliveryOf(contract: Derivative, spot: Price, side: Side, units: Quantity): DeliveryLeg | undefined {
  if (contract.kind === 'future') return { side, units, price: spot };
  if (intrinsicValue(contract, spot) === 0) return undefined;
  const receives = (contract.optionType === 'CE') === (side === 'B');
  return { side: receives ? 'B' : 'S', units, price: contract.strike };
}

/** Nets the legs of one underlying. */
export function netOf(legs: readonly DeliveryLeg[]): DeliveryNet {
  let shares = 0;
  let pays = 0;
  for (const { side, units, price } of legs) {
    const sign = side === 'B' ? 1 : -1;
    shares += sign * units;
    pays += sign * amountOf(price, units);
  }
  return { shares, pays: pays as Paise };
}
