import type { InstrumentId, Tick } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';

/** Rising: fires at its price or above. Falling: fires at its price or below. */
export const TRIGGER_WAYS = ['Rising', 'Falling'] as const;
export type TriggerWay = (typeof TRIGGER_WAYS)[number];

/** The kinds of things that wait for a last traded price over days. Each has its own numbers. */
export type TriggerOwner = 'Gtt' | 'Alert';

/** A price of one instrument that something waits for, over days and restarts. */
export interface StandingTrigger {
  readonly owner: TriggerOwner;
  /** The number that its owner has among those of its kind. */
  readonly number: number;
  /** 0 for the first or only trigger of its owner, 1 for the second. */
  readonly leg: 0 | 1;
  readonly instrument: InstrumentId;
  readonly way: TriggerWay;
  readonly price: Price;
}

/** A last traded price, and the second of the market at which it was seen. */
export interface SeenPrice {
  readonly price: Price;
  readonly tick: Tick;
}

/** The way from a last price to a trigger; `undefined` when the two are equal. */
export function wayTo(trigger: Price, last: Price): TriggerWay | undefined {
  if (trigger === last) return undefined;
  return trigger > last ? 'Rising' : 'Falling';
}
