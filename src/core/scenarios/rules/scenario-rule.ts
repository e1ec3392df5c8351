/**
 * The rules by which an operator brings about outcomes that are rare, and the events that set, use and remove them.
 * `rules-in-force.ts` finds those that change the market; the gateway applies the others to requests and sockets.
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

/** The part of a rule on the market that its terms leave open. */
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
