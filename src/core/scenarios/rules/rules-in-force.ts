import type { InstrumentId, Tick } from '../../../base/ids.ts';
import type { Concerned } from '../../switches/switches-that-stop.ts';
import type { ScenarioEffect } from './scenario-effect.ts';
import type { MarketWindow, ScenarioRule, ScenarioRules } from './scenario-rule.ts';

/** A rule whose effect on the market is in force. */
export type RuleInForce = ScenarioRule & { readonly window: MarketWindow };

/** The oldest rule with one of these effects that is in force in an instrument at a tick. */
export function ruleInForce(
  rules: ScenarioRules,
  id: InstrumentId,
  tick: Tick,
  ...effects: readonly ScenarioEffect[]
): RuleInForce | undefined {
  if (rules.size === 0) return undefined;
  for (const rule of rules.values()) {
    const { instrument, effect, window } = rule;
    if (instrument !== id || window === undefined || !effects.includes(effect)) continue;
    if (tick >= window.from && tick < window.until) return { ...rule, window };
  }
  return undefined;
}

/** The rule that halts an instrument, or its underlying, at a tick. */
export function haltingRule(
  rules: ScenarioRules,
  { instrument, group }: Concerned,
  tick: Tick,
): RuleInForce | undefined {
  return ruleInForce(rules, instrument, tick, 'halted') ?? ruleInForce(rules, group, tick, 'halted');
}

/** The rule that holds an instrument at the end of its band at a tick. */
export function circuitRule(rules: ScenarioRules, id: InstrumentId, tick: Tick): RuleInForce | undefined {
  return ruleInForce(rules, id, tick, 'upper-circuit', 'lower-circuit');
}
