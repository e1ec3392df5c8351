/**
 * The market of an instrument that a rule holds at the end of its band: it wants to buy at the upper end, or to sell at
 * the lower one, and nobody stands on the other side. Everything else of the market is as it was.
 */

import { must } from '../../../base/assert.ts';
import type { InstrumentId, Tick } from '../../../base/ids.ts';
import { type Quantity, ZERO_QUANTITY } from '../../../base/money.ts';
import type { Depth, Market, Print } from '../../market.ts';
import { changedMarket } from './changed-market.ts';
import { circuitRule, type RuleInForce } from './rules-in-force.ts';
import type { MarketWindow, ScenarioRules } from './scenario-rule.ts';

/** The orders that make up the market's units at the band. */
const ORDERS = 100;

/** The end of a band at which the market of an instrument stands. */
interface BandEnd extends Required<Pick<MarketWindow, 'price' | 'units'>> {
  readonly isUpper: boolean;
}

/** The market as the rules on bands change it while trading is continuous. */
export function marketAtBands<M extends Market>(market: M, rules: () => ScenarioRules): M {
  const endAt = (id: InstrumentId, tick: Tick): BandEnd | undefined => bandEndAt(market, rules(), id, tick);
  const changes: Partial<Market> = {
    depth: (id, tick, most) => {
      const end = endAt(id, tick);
      return end === undefined ? market.depth(id, tick, most) : depthAt(end, tick);
    },
    quantityAt: (id, tick, side, price) => {
      const end = endAt(id, tick);
      if (end === undefined) return market.quantityAt(id, tick, side, price);
      return (side === 'B') === end.isUpper && price === end.price ? end.units : ZERO_QUANTITY;
    },
    print: (id, tick) => (endAt(id, tick) === undefined ? market.print(id, tick) : undefined),
    lastPrint: (id, tick) => {
      const end = endAt(id, tick);
      return end === undefined ? market.lastPrint(id, tick) : printAt(end, tick);
    },
    turnover: (id, tick, seconds) => {
      const end = endAt(id, tick);
      if (end === undefined) return market.turnover(id, tick, seconds);
      return { quantity: end.units, value: end.units * end.price };
    },
    reach: (id, tick) => (endAt(id, tick) === undefined ? market.reach?.(id, tick) : undefined),
  };
  return changedMarket(market, changes as Partial<M>);
}

/** The end of its band at which an instrument is held at a tick; `undefined` outside of continuous trading. */
export function bandEndAt(
  market: Pick<Market, 'phase'>,
  rules: ScenarioRules,
  id: InstrumentId,
  tick: Tick,
): BandEnd | undefined {
  const rule = circuitRule(rules, id, tick);
  return rule !== undefined && market.phase(id, tick) === 'Continuous' ? bandEndOf(rule) : undefined;
}

function bandEndOf({ effect, window: { price, units } }: RuleInForce): BandEnd {
  const isUpper = effect === 'upper-circuit';
  return { isUpper, price: must(price, 'a band has a price'), units: must(units, 'a band has units') };
}

/** A new level in each second: units that users take are there again in the next one. */
function depthAt({ isUpper, price, units }: BandEnd, tick: Tick): Depth {
  const levels = [{ price, quantity: units, orders: ORDERS, generation: tick }];
  return isUpper ? { bids: levels, asks: [] } : { bids: [], asks: levels };
}

function printAt({ isUpper, price, units }: BandEnd, tick: Tick): Print {
  return { tick, price, quantity: units as Quantity, aggressor: isUpper ? 'B' : 'S' };
}
