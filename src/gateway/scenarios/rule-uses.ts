/**
 * Finds the rule that concerns a request or a socket, and takes one of its uses through the engine. The effects are in
 * `request-rules.ts` and `socket-rules.ts`.
 */

import type { AccountId, InstrumentId } from '../../base/ids.ts';
import type { UseScenario } from '../../core/scenarios/rules/scenario-commands.ts';
import { type EffectPlace, type ScenarioEffect, termsOf } from '../../core/scenarios/rules/scenario-effect.ts';
import type { ScenarioRule, ScenarioRules } from '../../core/scenarios/rules/scenario-rule.ts';
import { type EnginePort, SERVICE } from '../../engine/port.ts';

/** A request or a socket that rules may concern. */
export interface RuleSubject {
  /** Nobody when absent: a request without a session that names no user. */
  readonly account: AccountId | undefined;
  /** Its operation, or `stream` for a socket. */
  readonly operation: string;
  readonly tokenDigest?: string;
  /** Whether it names an instrument. */
  names(instrument: InstrumentId): boolean;
}

/**
 * Takes the uses of rules for what they concern. The N-th request that a rule concerns is the N-th that the engine
 * takes a use for, so requests beside each other never share one, and a start goes on with what is left. Source:
 * docs/outcomes.md.
 */
export class RuleUses {
  private readonly engine: Pick<EnginePort, 'glance' | 'submit'>;

  constructor(engine: Pick<EnginePort, 'glance' | 'submit'>) {
    this.engine = engine;
  }

  /** The effect that a rule has on the subject, once its use is durable; `undefined` at once where there is none. */
  meet(
    subject: RuleSubject,
    place: EffectPlace,
    effect?: ScenarioEffect,
  ): Promise<ScenarioRule | undefined> | undefined {
    const rule = this.find(subject, place, effect);
    return rule && this.take(rule, subject, place, effect);
  }

  private async take(
    first: ScenarioRule,
    subject: RuleSubject,
    place: EffectPlace,
    effect: ScenarioEffect | undefined,
  ): Promise<ScenarioRule | undefined> {
    for (let rule: ScenarioRule | undefined = first; rule !== undefined; rule = this.find(subject, place, effect)) {
      const reply = await this.engine.submit({ command: useOf(rule, subject), origin: SERVICE });
      if (reply.type === 'Done') return rule;
    }
    return undefined;
  }

  /** The oldest rule that concerns the subject: one rule a request. */
  private find(subject: RuleSubject, place: EffectPlace, effect?: ScenarioEffect): ScenarioRule | undefined {
    return this.engine.glance(({ scenarioRules }) => ruleFor(scenarioRules, subject, place, effect));
  }
}

function ruleFor(
  rules: ScenarioRules,
  { account, operation, names }: RuleSubject,
  place: EffectPlace,
  effect: ScenarioEffect | undefined,
): ScenarioRule | undefined {
  for (const rule of rules.values()) {
    const { place: own, operation: only } = termsOf(rule.effect);
    if (own !== place || (effect !== undefined && rule.effect !== effect)) continue;
    if (rule.account !== undefined && rule.account !== account) continue;
    const wanted = rule.operation ?? only;
    if (wanted !== undefined && wanted !== operation) continue;
    if (rule.instrument === undefined || names(rule.instrument)) return rule;
  }
  return undefined;
}

function useOf({ id, effect }: ScenarioRule, { account, operation, tokenDigest }: RuleSubject): UseScenario {
  return {
    type: 'UseScenario',
    rule: id,
    ...(account !== undefined && { account }),
    operation,
    ...(effect === 'session-expired' && tokenDigest !== undefined && { tokenDigest }),
  };
}
