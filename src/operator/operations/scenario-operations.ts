/**
 * How operators ask for outcomes that are rare, as rules with a count and a reason: set, list and remove.
 * The core checks a rule and keeps it; the gateway applies it to requests and sockets.
 */
import { assert } from '../../base/assert.ts';
import { EXCHANGES, type InstrumentId } from '../../base/ids.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { instantOf } from '../../base/tick.ts';
import { formatIstMoment } from '../../base/time.ts';
import type { Instrument, InstrumentDirectory } from '../../core/instrument.ts';
import { refusalText } from '../../core/refusals/refusal-text.ts';
import type { SetScenario } from '../../core/scenarios/rules/scenario-commands.ts';
import { type ScenarioEffect, termsOf } from '../../core/scenarios/rules/scenario-effect.ts';
import type { ScenarioRule, ScenarioScope } from '../../core/scenarios/rules/scenario-rule.ts';
import type { State } from '../../core/state.ts';
import { type EnginePort, OPERATOR, SERVICE } from '../../engine/port.ts';
import type { Grounds } from './switch-operations.ts';

export interface ScenarioDeskParts {
  readonly engine: EnginePort;
  readonly instruments: InstrumentDirectory;
  /** Whether outcomes can be asked for. */
  readonly scenarios: 'on' | 'off';
  /** The paths of the operations of the wire, without their slash. */
  readonly operations: readonly string[];
  /** Reports every rule that is set or removed. */
  readonly log: (message: string) => void;
}

/** A rule as an operator writes it: everything where a part of its scope is absent. */
export interface ScenarioWish extends Grounds {
  readonly effect: ScenarioEffect;
  readonly value?: number;
  readonly user?: string;
  readonly operation?: string;
  /** `NSE:ITC-EQ`. */
  readonly instrument?: string;
  /** 1 when absent. */
  readonly count?: number;
}

/** A rule that is there. Times are in IST. */
export interface ScenarioRow extends Required<Omit<ScenarioWish, 'value' | 'user' | 'operation' | 'instrument'>> {
  readonly id: number;
  readonly value?: number;
  readonly user?: string;
  readonly operation?: string;
  readonly instrument?: string;
  readonly left: number;
  readonly since: string;
  /** The instant of the market at which an effect on the market ends. */
  readonly until?: string;
}

const OFF = 'scenarios are off: start the service with --scenarios on';

/** Sets, lists and removes the rules of outcomes on demand. Source: docs/outcomes.md. */
export class ScenarioOperations {
  private readonly parts: ScenarioDeskParts;

  constructor(parts: ScenarioDeskParts) {
    this.parts = parts;
  }

  /** The rules that have uses left, in the order in which they were set. */
  async list(): Promise<readonly ScenarioRow[]> {
    const { engine } = this.parts;
    return engine.read((state, _views, { tick }) => {
      const all = [...state.scenarioRules.values()];
      return all
        .filter(({ window }) => window === undefined || tick < window.until)
        .map((rule) => this.rowOf(rule, state));
    });
  }

  /** Sets a rule, and answers with it when it is durable; a message where it cannot be. */
  async add(wish: ScenarioWish): Promise<Result<ScenarioRow, string>> {
    const { engine, scenarios, log } = this.parts;
    if (scenarios === 'off') return fail(OFF);
    const { effect, value, count = 1, by, why } = wish;
    const scope = this.scopeOf(wish);
    if (!scope.ok) return scope;
    const command: SetScenario = {
      type: 'SetScenario',
      effect,
      value: value ?? termsOf(effect).value?.usual ?? 0,
      ...scope.value,
      count,
      by,
      why,
    };
    const reply = await engine.submit({ command, origin: OPERATOR });
    if (reply.type === 'Refused') return fail(refusalText(reply.refusal, { userId: by }));
    assert(reply.type === 'ScenarioSet', 'a rule that is set is the reply');
    const row = engine.glance((state) => this.rowOf(reply.rule, state));
    log(`the scenario ${effect} is set as rule ${row.id} by ${by}: ${why}`);
    return ok(row);
  }

  /** Removes a rule, or all of them. Answers with how many; a message for a rule that is not there. */
  async remove(rule: number | undefined, { by, why }: Grounds): Promise<Result<{ readonly removed: number }, string>> {
    const { engine, scenarios, log } = this.parts;
    if (scenarios === 'off') return fail(OFF);
    const removed = engine.glance(({ scenarioRules }) => (rule === undefined ? scenarioRules.size : 1));
    const reply = await engine.submit({
      command: { type: 'ClearScenarios', ...(rule !== undefined && { rule }), by, why },
      origin: OPERATOR,
    });
    if (reply.type === 'Refused') return fail(refusalText(reply.refusal, { userId: by }));
    log(`${rule === undefined ? 'all scenarios are' : `the scenario of rule ${rule} is`} removed by ${by}: ${why}`);
    return ok({ removed });
  }

  /** Takes all rules back at a start without scenarios: a rule that nobody can see or remove has no effect. */
  async clearWhereOff(): Promise<void> {
    const { engine, scenarios } = this.parts;
    if (scenarios === 'on' || (await engine.read(({ scenarioRules }) => scenarioRules.size)) === 0) return;
    await engine.submit({
      command: { type: 'ClearScenarios', by: 'start', why: 'the service was started without scenarios' },
      origin: SERVICE,
    });
  }

  private scopeOf({ user, operation, instrument: name }: ScenarioWish): Result<ScenarioScope, string> {
    const { engine, operations } = this.parts;
    const account = user === undefined ? undefined : engine.glance((state) => state.accountByUser.get(user));
    if (user !== undefined && account === undefined) return fail(`there is no user ${user}`);
    if (operation !== undefined && !operations.includes(operation)) return fail(`there is no operation ${operation}`);
    const instrument = name === undefined ? undefined : this.find(name);
    if (name !== undefined && instrument === undefined) return fail(`there is no instrument ${name}`);
    return ok({
      ...(account !== undefined && { account }),
      ...(operation !== undefined && { operation }),
      ...(instrument !== undefined && { instrument: instrument.id }),
    });
  }

  /** The instrument of `NSE:ITC-EQ`, or of `NSE:ITC`. */
  private find(name: string): Instrument | undefined {
    const { engine, instruments } = this.parts;
    const [word, symbol = ''] = name.split(':', 2);
    const exchange = EXCHANGES.find((known) => known === word);
    if (exchange === undefined) return undefined;
    const now = engine.now();
    return instruments.find(exchange, symbol, now) ?? instruments.find(exchange, `${symbol}-EQ`, now);
  }

  private rowOf(rule: ScenarioRule, { accounts }: State): ScenarioRow {
    const { id, effect, value, account, operation, instrument, count, left, since, window, by, why } = rule;
    return {
      id,
      effect,
      ...(value > 0 && { value }),
      ...(account !== undefined && { user: accounts.at(account)?.userId ?? String(account) }),
      ...(operation !== undefined && { operation }),
      ...(instrument !== undefined && { instrument: this.nameOf(instrument) }),
      count,
      left,
      since: formatIstMoment(since),
      ...(window && { until: formatIstMoment(instantOf(window.until)) }),
      by,
      why,
    };
  }

  private nameOf(id: InstrumentId): string {
    const found = this.parts.instruments.get(id);
    return found === undefined ? String(id) : `${found.exchange}:${found.tradingSymbol}`;
  }
}
