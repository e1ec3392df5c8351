/**
 * The rules by which an operator brings about outcomes that are rare, with the commands and events that set, use and
 * remove them. What they do to the market is in `rules-in-force.ts`; requests and sockets are the gateway's.
 */

import type { AccountId, InstrumentId, Tick } from '../../../base/ids.ts';
import type { Price, Quantity } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { ScenarioEffect } from './scenario-effect.ts';

/** The requests, sockets or instruments that a rule concerns: all of them where a field is absent. */
export interface ScenarioScope {
  readonly account?: AccountId;
  /** The path of an operation of the wire, without its slash. */
  readonly operation?: string;
  readonly instrument?: InstrumentId;
}

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

/** What an effect on the market needs beside the terms of its rule. */
export interface MarketWindow {
  /** The first second of the market in which it is in force. */
  readonly from: Tick;
  /** The first one in which it is no longer. */
  readonly until: Tick;
  /** The price at which the instrument stands, for one that stands at its band. */
  readonly price?: Price;
  /** The units that the market wants or offers there in each second. */
  readonly units?: Quantity;
}

/** A rule that is there. */
export interface ScenarioRule extends ScenarioScope {
  /** The number of the record that set it. */
  readonly id: number;
  readonly effect: ScenarioEffect;
  readonly value: number;
  readonly count: number;
  /** How often it is still used: `count` at first; a rule without any is removed. */
  readonly left: number;
  readonly since: EpochMs;
  readonly by: string;
  readonly why: string;
  /** For an effect on the market. */
  readonly window?: MarketWindow;
}

/** By id, in the order in which they were set. */
export type ScenarioRules = Map<number, ScenarioRule>;

/** An operator has set a rule. */
export interface ScenarioSet extends ScenarioScope {
  readonly type: 'ScenarioSet';
  readonly rule: number;
  readonly effect: ScenarioEffect;
  readonly value: number;
  readonly count: number;
  readonly by: string;
  readonly why: string;
  readonly window?: MarketWindow;
}

/** An operator has removed rules, or windows of the market are over. */
export interface ScenariosCleared {
  readonly type: 'ScenariosCleared';
  readonly rules: readonly number[];
}

/** A request or a socket got the effect of a rule. */
export interface ScenarioUsed {
  readonly type: 'ScenarioUsed';
  readonly rule: number;
  readonly effect: ScenarioEffect;
  readonly left: number;
  readonly account?: AccountId;
  readonly operation: string;
}
