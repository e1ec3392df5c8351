/**
 * The effects that an operator can ask for with a rule, as one table: where each takes place, the value that it takes,
 * and the scope that it can have. Source: docs/outcomes.md.
 */

/** The place of an effect: a request at the door, the market of an instrument, or the sockets of users. */
export type EffectPlace = 'request' | 'market' | 'socket';

/** The value that an effect takes: its unit, its bounds, and the value that counts when none is given. */
interface EffectValue {
  readonly unit: 'ms' | 's';
  readonly most: number;
  readonly usual?: number;
}

interface EffectTerms {
  readonly place: EffectPlace;
  readonly value?: EffectValue;
  /** The one operation that the effect can concern; any when absent. */
  readonly operation?: string;
}

/** In milliseconds: a delay holds a connection, and nothing else. */
const LONGEST_DELAY_MS = 60_000;
const RETRY_AFTER: EffectValue = { unit: 's', most: 3_600, usual: 1 };
/** In seconds of the market. */
const WINDOW: EffectValue = { unit: 's', most: 86_400 };

const EFFECTS = {
  '429': { place: 'request', value: RETRY_AFTER },
  '500': { place: 'request' },
  '503': { place: 'request', value: RETRY_AFTER },
  slow: { place: 'request', value: { unit: 'ms', most: LONGEST_DELAY_MS } },
  'cut-before': { place: 'request' },
  'cut-after': { place: 'request' },
  'session-expired': { place: 'request' },
  'wrong-totp': { place: 'request', operation: 'login' },
  'stale-quote': { place: 'market', value: WINDOW },
  'crossed-quote': { place: 'market', value: WINDOW },
  halted: { place: 'market', value: WINDOW },
  'upper-circuit': { place: 'market', value: WINDOW },
  'lower-circuit': { place: 'market', value: WINDOW },
  'stream-drop': { place: 'socket' },
  'stream-gap': { place: 'socket' },
} as const satisfies Record<string, EffectTerms>;

/** An effect by its name, as operators write it. */
export type ScenarioEffect = keyof typeof EFFECTS;
export const SCENARIO_EFFECTS = Object.keys(EFFECTS) as ScenarioEffect[];

/** The place of an effect and the terms that a rule with it can have. */
export function termsOf(effect: ScenarioEffect): EffectTerms {
  return EFFECTS[effect];
}

/** The part of a rule that its effect cannot have, or lacks. */
export type ScenarioFault = 'value' | 'count' | 'operation' | 'instrument' | 'user';

/** The most uses of one rule. */
export const MOST_USES = 1_000_000;
