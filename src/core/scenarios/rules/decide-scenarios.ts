/**
 * Decides and applies the commands on rules: a rule is set, used and removed. A rule is checked here whole, so that no
 * journal holds one that cannot be.
 */

import { must } from '../../../base/assert.ts';
import type { InstrumentId, Tick } from '../../../base/ids.ts';
import { ceilToTick, floorToTick, type Quantity } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Sequenced } from '../../command.ts';
import { type Decision, refused } from '../../decision.ts';
import type { Event } from '../../event.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import type { State } from '../../state.ts';
import { bandOf } from '../../switches/price-band.ts';
import type { ClearScenarios, SetScenario, UseScenario } from './scenario-commands.ts';
import { MOST_USES, type ScenarioEffect, type ScenarioFault, termsOf } from './scenario-effect.ts';
import type { MarketWindow, ScenarioRule, ScenarioSet, ScenariosCleared, ScenarioUsed } from './scenario-rule.ts';

/** The most rules at a time. */
const MOST_RULES = 200;
/** Lots that the market wants, or offers, in each second at the price of a band. */
const LOTS_AT_BAND = 1_000;

type Place = Pick<Sequenced, 'seq' | 'at'>;

/** Decides the commands on rules. */
export function decideScenarioRules(
  state: State,
  ports: DecisionPorts,
  place: Place,
  command: SetScenario | ClearScenarios | UseScenario,
): Decision {
  if (command.type === 'SetScenario') return decideSetScenario(state, ports, place, command);
  const decided =
    command.type === 'ClearScenarios' ? decideClearScenarios(state, command) : decideUseScenario(state, command);
  const { at } = place;
  return 'rule' in decided ? refused(decided, at) : { events: [...decided], reply: { type: 'Done', at } };
}

/** Sets a rule under the number of its record; windows of the market that are over go with it. */
function decideSetScenario(
  state: State,
  ports: DecisionPorts,
  { seq, at }: Place,
  { type: _, ...terms }: SetScenario,
): Decision {
  const { effect } = terms;
  const fault = faultOf(state, terms);
  if (fault !== undefined) return refused({ rule: 'ScenarioNotPossible', effect, fault }, at);
  const over = rulesOver(state, ports.tick);
  if (state.scenarioRules.size - over.length >= MOST_RULES) {
    return refused({ rule: 'TooManyScenarios', most: MOST_RULES }, at);
  }
  const window = windowOf(state, ports, terms);
  if (window !== undefined && 'rule' in window) return refused(window, at);
  const set: ScenarioSet = { type: 'ScenarioSet', rule: seq, ...terms, ...(window && { window }) };
  const cleared: ScenariosCleared = { type: 'ScenariosCleared', rules: over };
  const events = over.length === 0 ? [set] : [cleared, set];
  return { events, reply: { type: 'ScenarioSet', rule: ruleOf(set, at), at } };
}

type Terms = Omit<SetScenario, 'type'>;

/** The part of the terms that a rule with that effect cannot have. */
function faultOf({ accounts }: State, terms: Terms): ScenarioFault | undefined {
  const { place, value, operation } = termsOf(terms.effect);
  const [least, most] = value === undefined ? [0, 0] : [1, value.most];
  if (!isWholeIn(terms.value, least, most)) return 'value';
  if (!isWholeIn(terms.count, 1, place === 'market' ? 1 : MOST_USES)) return 'count';
  if (operation !== undefined && (terms.operation ?? operation) !== operation) return 'operation';
  if (place !== 'request' && terms.operation !== undefined) return 'operation';
  if ((place === 'market') !== (terms.instrument !== undefined) && place !== 'request') return 'instrument';
  if (place === 'market' && terms.account !== undefined) return 'user';
  return terms.account !== undefined && accounts.at(terms.account) === undefined ? 'user' : undefined;
}

function isWholeIn(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}

function rulesOver({ scenarioRules }: State, tick: Tick): number[] {
  return [...scenarioRules.values()]
    .filter(({ window }) => window !== undefined && window.until <= tick)
    .map(({ id }) => id);
}

/** The seconds in which an effect on the market is in force; a refusal where the instrument cannot have it now. */
function windowOf(state: State, ports: DecisionPorts, terms: Terms): MarketWindow | Refusal | undefined {
  const { effect, value, instrument: id } = terms;
  if (termsOf(effect).place !== 'market' || id === undefined) return undefined;
  const { kind } = instrumentOf(ports, id);
  // An index has no depth; a halt of it is one of its contracts.
  if (kind === 'index' && effect !== 'stale-quote' && effect !== 'halted') return { rule: 'NotTradable' };
  const window = { from: ports.tick, until: (ports.tick + value) as Tick };
  return isAtBand(effect) ? atBand(state, ports, id, effect, window) : window;
}

function isAtBand(effect: ScenarioEffect): effect is 'upper-circuit' | 'lower-circuit' {
  return effect === 'upper-circuit' || effect === 'lower-circuit';
}

function atBand(
  state: State,
  ports: DecisionPorts,
  id: InstrumentId,
  effect: 'upper-circuit' | 'lower-circuit',
  window: MarketWindow,
): MarketWindow | Refusal {
  if (!ports.market.isOpen(id, ports.tick)) return { rule: 'MarketClosed' };
  const { lower, upper } = bandOf(state, ports, id);
  const { lot, tick } = instrumentOf(ports, id);
  const price = effect === 'upper-circuit' ? floorToTick(upper, tick) : ceilToTick(lower, tick);
  return { ...window, price, units: (lot * LOTS_AT_BAND) as Quantity };
}

/** Removes a rule, or all; refused for a rule that is not there. */
function decideClearScenarios(
  { scenarioRules }: State,
  { rule }: ClearScenarios,
): readonly ScenariosCleared[] | Refusal {
  if (rule !== undefined && !scenarioRules.has(rule)) return { rule: 'ScenarioUnknown' };
  const rules = rule === undefined ? [...scenarioRules.keys()] : [rule];
  return rules.length === 0 ? [] : [{ type: 'ScenariosCleared', rules }];
}

/**
 * Takes one use of a rule. Refused when the rule is not there any more: another request took its last use. A session
 * that the effect ends goes with it in one record.
 */
function decideUseScenario(
  { scenarioRules, sessions }: State,
  { rule: id, account, operation, tokenDigest }: UseScenario,
): readonly Event[] | Refusal {
  const rule = scenarioRules.get(id);
  if (rule === undefined || rule.window !== undefined) return { rule: 'ScenarioUnknown' };
  const { effect, left } = rule;
  const used: ScenarioUsed = {
    type: 'ScenarioUsed',
    rule: id,
    effect,
    left: left - 1,
    ...(account !== undefined && { account }),
    operation,
  };
  if (effect !== 'session-expired' || tokenDigest === undefined || !sessions.has(tokenDigest)) return [used];
  return [used, { type: 'SessionClosed', tokenDigest, reason: 'Scenario' }];
}

/** Sets a rule of outcomes with all of its uses left. */
export function applyScenarioSet({ scenarioRules }: State, at: EpochMs, event: ScenarioSet): void {
  scenarioRules.set(event.rule, ruleOf(event, at));
}

function ruleOf({ type: _, rule: id, ...terms }: ScenarioSet, since: EpochMs): ScenarioRule {
  return { id, ...terms, left: terms.count, since };
}

/** Forgets rules of outcomes. */
export function applyScenariosCleared({ scenarioRules }: State, { rules }: ScenariosCleared): void {
  for (const rule of rules) scenarioRules.delete(rule);
}

/** Counts a use of a rule, which ends with its last one. Throws when the rule is not there. */
export function applyScenarioUsed({ scenarioRules }: State, { rule: id, left }: ScenarioUsed): void {
  const rule = must(scenarioRules.get(id), 'a rule that is used is there');
  if (left === 0) scenarioRules.delete(id);
  else scenarioRules.set(id, { ...rule, left });
}
