import type { AccountId } from '../../../base/ids.ts';
import type { ScenarioEffect } from './scenario-effect.ts';
import type { ScenarioScope } from './scenario-rule.ts';

/** Sets a rule. Source: docs/outcomes.md. */
export interface SetScenario extends ScenarioScope {
  readonly type: 'SetScenario';
  readonly effect: ScenarioEffect;
  /** In the unit of the effect; 0 for one that takes none. */
  readonly value: number;
  /** How often it is used; 1 for an effect on the market, which begins at once. */
  readonly count: number;
  readonly by: string;
  readonly why: string;
}

/** Removes a rule, or all of them. */
export interface ClearScenarios {
  readonly type: 'ClearScenarios';
  /** All of them when absent. */
  readonly rule?: number;
  readonly by: string;
  readonly why: string;
}

/** A request or a socket that a rule concerns takes one of its uses. */
export interface UseScenario {
  readonly type: 'UseScenario';
  readonly rule: number;
  readonly account?: AccountId;
  /** The operation of the request, or `stream` for sockets. */
  readonly operation: string;
  /** The session that ends with it. */
  readonly tokenDigest?: string;
}
