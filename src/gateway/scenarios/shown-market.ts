/**
 * The market as answers and frames show it under rules of operators: quotes that stand still, quotes that cross, and an
 * instrument at the end of its band. Decisions of the core never see the first two.
 */

import type { InstrumentId, Tick } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { DayFigures, Depth, DepthLevel, MarketData } from '../../core/market.ts';
import { changedMarket } from '../../core/scenarios/rules/changed-market.ts';
import { bandEndAt, marketAtBands } from '../../core/scenarios/rules/circuit-market.ts';
import { ruleInForce } from '../../core/scenarios/rules/rules-in-force.ts';
import type { ScenarioRules } from '../../core/scenarios/rules/scenario-rule.ts';

/** `rules`: those of the present state. */
export function shownMarket(market: MarketData, rules: () => ScenarioRules): MarketData {
  const atBands = marketAtBands(market, rules);
  /** The second whose figures are shown: that in which a rule made the quote stand still. */
  const shownAt = (id: InstrumentId, tick: Tick): Tick => {
    return ruleInForce(rules(), id, tick, 'stale-quote')?.window.from ?? tick;
  };
  const stretched = (figures: DayFigures | undefined, id: InstrumentId, tick: Tick): DayFigures | undefined => {
    const end = figures && bandEndAt(market, rules(), id, tick);
    return end === undefined ? figures : withLast(figures as DayFigures, end.price);
  };
  return changedMarket<MarketData>(market, {
    depth: (id, tick, most) => {
      const at = shownAt(id, tick);
      const isCrossed = ruleInForce(rules(), id, tick, 'crossed-quote') !== undefined;
      return isCrossed ? crossed(atBands.depth(id, at)) : atBands.depth(id, at, most);
    },
    lastPrint: (id, tick) => atBands.lastPrint(id, shownAt(id, tick)),
    dayFigures: (id, tick) => {
      const at = shownAt(id, tick);
      return stretched(market.dayFigures(id, at), id, at);
    },
    openInterest: (id, tick) => market.openInterest(id, shownAt(id, tick)),
    greeks: (id, tick) => market.greeks(id, shownAt(id, tick)),
  });
}

/** The best bid and the best ask change their places, so the bid stands above the ask. */
function crossed({ bids, asks }: Depth): Depth {
  const [bid, ask] = [bids[0], asks[0]];
  if (bid === undefined || ask === undefined) return { bids, asks };
  return { bids: [at(bid, ask.price), ...bids.slice(1)], asks: [at(ask, bid.price), ...asks.slice(1)] };
}

function at(level: DepthLevel, price: Price): DepthLevel {
  return { ...level, price };
}

function withLast(figures: DayFigures, last: Price): DayFigures {
  const { high, low } = figures;
  return { ...figures, last, high: Math.max(high, last) as Price, low: Math.min(low, last) as Price };
}
