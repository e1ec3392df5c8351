import type { Market } from '../../src/core/market.ts';
import type { Ports } from '../../src/core/ports.ts';
import { marketAtBands } from '../../src/core/scenarios/rules/circuit-market.ts';
import type { ScenarioRules } from '../../src/core/scenarios/rules/scenario-rule.ts';

/** The rules of outcomes of the state that the checks look at, and the ports of the naive twins under them. */
export class RuledMarket {
  rules: ScenarioRules = new Map();
  readonly ports: Ports;

  constructor(ports: Ports) {
    this.ports = { ...ports, market: marketAtBands<Market>(ports.market, () => this.rules) };
  }
}
