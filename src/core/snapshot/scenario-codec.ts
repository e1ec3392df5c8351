import { type Decoder, type Json, oneOf, optional, record, text, whole } from '../../base/codec.ts';
import type { AccountId, InstrumentId } from '../../base/ids.ts';
import type { Price, Quantity } from '../../base/money.ts';
import type { StoredRow } from '../../base/stored-tables.ts';
import { SCENARIO_EFFECTS } from '../scenarios/rules/scenario-effect.ts';
import type { MarketWindow, ScenarioRule } from '../scenarios/rules/scenario-rule.ts';
import type { State } from '../state.ts';

const scenarioRuleOf: Decoder<ScenarioRule> = record<ScenarioRule>({
  id: whole,
  effect: oneOf(...SCENARIO_EFFECTS),
  value: whole,
  count: whole,
  left: whole,
  since: whole,
  by: text,
  why: text,
  account: optional(whole<AccountId>),
  operation: optional(text),
  instrument: optional(whole<InstrumentId>),
  window: optional(
    record<MarketWindow>({
      from: whole,
      until: whole,
      price: optional(whole<Price>),
      units: optional(whole<Quantity>),
    }),
  ),
});

/** The rules of outcomes on demand as rows of a snapshot. */
export function* scenarioEntries({ scenarioRules }: State): Iterable<StoredRow> {
  for (const rule of scenarioRules.values()) {
    yield { ...rule, ...(rule.window && { window: { ...rule.window } }) };
  }
}

/** Adds the rule of a row of a snapshot. Throws when the row is not one. */
export function loadScenarioEntry({ scenarioRules }: State, row: Json): void {
  const rule = scenarioRuleOf(row, 'a rule of outcomes');
  scenarioRules.set(rule.id, rule);
}
