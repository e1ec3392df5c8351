/**
 * All standing triggers by instrument and price. It finds the triggers that a last traded price reaches without looking
 * at the others. It follows from the tables of the owners: no snapshot holds it, and loading a table fills it again.
 * `prices-seen.ts` says which prices count.
 */

import { assert } from '../../base/assert.ts';
import type { InstrumentId } from '../../base/ids.ts';
import { lowerBound } from '../../base/lower-bound.ts';
import type { Price } from '../../base/money.ts';
import type { Reach } from '../market.ts';
import type { StandingTrigger, TriggerWay } from './standing-trigger.ts';

export class StandingTriggers {
  private readonly byInstrument = new Map<InstrumentId, Waiting>();
  /** Its instruments, ascending: the same however the triggers came to be armed. */
  private readonly ids: InstrumentId[] = [];

  /** True when anything waits for a price of the instrument. */
  has(instrument: InstrumentId): boolean {
    return this.byInstrument.has(instrument);
  }

  /** The instruments with triggers, by their ids. They may come and go meanwhile: those ahead are seen as they are. */
  *instruments(): Iterable<InstrumentId> {
    for (let place = 0; place < this.ids.length; ) {
      const id = this.ids[place] as InstrumentId;
      yield id;
      place = this.ids[place] === id ? place + 1 : this.placeOf((id + 1) as InstrumentId);
    }
  }

  /** All of them, by instrument. */
  *all(): Iterable<StandingTrigger> {
    for (const id of this.ids) {
      const waiting = this.byInstrument.get(id);
      if (waiting === undefined) continue;
      yield* waiting.Rising.all();
      yield* waiting.Falling.all();
    }
  }

  arm(trigger: StandingTrigger): void {
    let waiting = this.byInstrument.get(trigger.instrument);
    if (waiting === undefined) {
      waiting = { Rising: new TriggerPrices('Rising'), Falling: new TriggerPrices('Falling') };
      this.byInstrument.set(trigger.instrument, waiting);
      this.ids.splice(this.placeOf(trigger.instrument), 0, trigger.instrument);
    }
    waiting[trigger.way].add(trigger);
  }

  disarm(trigger: StandingTrigger): void {
    const waiting = this.byInstrument.get(trigger.instrument);
    assert(waiting?.[trigger.way].remove(trigger) === true, 'only an armed trigger can be disarmed');
    if (!waiting.Rising.isEmpty || !waiting.Falling.isEmpty) return;
    this.byInstrument.delete(trigger.instrument);
    this.ids.splice(this.placeOf(trigger.instrument), 1);
  }

  isArmed(trigger: StandingTrigger): boolean {
    return this.byInstrument.get(trigger.instrument)?.[trigger.way].has(trigger) ?? false;
  }

  /**
   * The triggers that a last traded price reaches: on the rising side, then on the falling side, those that a price
   * comes to first in front, and at one price by the numbers of their owners.
   */
  reachedBy(instrument: InstrumentId, last: Price): StandingTrigger[] {
    const waiting = this.byInstrument.get(instrument);
    return waiting === undefined ? [] : [...waiting.Rising.reachedBy(last), ...waiting.Falling.reachedBy(last)];
  }

  /**
   * False when no last traded price within the reach comes to a trigger. `own` is the price of the users' own last
   * trade, which may be the last traded price too.
   */
  isReached(instrument: InstrumentId, { lowest, highest }: Reach, own: Price | undefined): boolean {
    const waiting = this.byInstrument.get(instrument);
    if (waiting === undefined) return false;
    const rising = waiting.Rising.nearest;
    if (rising !== undefined && rising <= Math.max(highest, own ?? highest)) return true;
    const falling = waiting.Falling.nearest;
    return falling !== undefined && falling >= Math.min(lowest, own ?? lowest);
  }

  /** The first place whose instrument is not before this one. */
  private placeOf(instrument: InstrumentId): number {
    return lowerBound(0, this.ids.length, (place) => (this.ids[place] as InstrumentId) < instrument);
  }
}

type Waiting = { readonly [Way in TriggerWay]: TriggerPrices };

/** The triggers of one way by price. The price that comes first stands last, where it is taken away without a move. */
class TriggerPrices {
  private readonly sign: 1 | -1;
  private readonly prices: Price[] = [];
  private readonly byPrice = new Map<Price, Map<string, StandingTrigger>>();

  constructor(way: TriggerWay) {
    this.sign = way === 'Rising' ? 1 : -1;
  }

  get isEmpty(): boolean {
    return this.prices.length === 0;
  }

  /** The trigger price that is reached first. */
  get nearest(): Price | undefined {
    return this.prices.at(-1);
  }

  has(trigger: StandingTrigger): boolean {
    return this.byPrice.get(trigger.price)?.has(keyOf(trigger)) ?? false;
  }

  add(trigger: StandingTrigger): void {
    let there = this.byPrice.get(trigger.price);
    if (there === undefined) {
      there = new Map();
      this.byPrice.set(trigger.price, there);
      this.prices.splice(this.placeOf(trigger.price), 0, trigger.price);
    }
    const key = keyOf(trigger);
    assert(!there.has(key), 'a trigger is armed once');
    there.set(key, trigger);
  }

  remove(trigger: StandingTrigger): boolean {
    const there = this.byPrice.get(trigger.price);
    if (there?.delete(keyOf(trigger)) !== true) return false;
    if (there.size === 0) {
      this.byPrice.delete(trigger.price);
      this.prices.splice(this.placeOf(trigger.price), 1);
    }
    return true;
  }

  /** Those that a last price reaches, nearest first. */
  *reachedBy(last: Price): Iterable<StandingTrigger> {
    for (let place = this.prices.length - 1; place >= 0; place -= 1) {
      const at = this.prices[place] as Price;
      if (at * this.sign > last * this.sign) return;
      yield* this.at(at);
    }
  }

  *all(): Iterable<StandingTrigger> {
    for (const price of this.prices) yield* this.at(price);
  }

  private at(price: Price): StandingTrigger[] {
    return [...(this.byPrice.get(price)?.values() ?? [])].sort(byNumber);
  }

  /** The first place whose price is not reached before this one. */
  private placeOf(price: Price): number {
    const isBefore = (place: number): boolean => (this.prices[place] as Price) * this.sign > price * this.sign;
    return lowerBound(0, this.prices.length, isBefore);
  }
}

function keyOf({ owner, number, leg }: StandingTrigger): string {
  return `${owner} ${number} ${leg}`;
}

function byNumber(one: StandingTrigger, other: StandingTrigger): number {
  if (one.owner !== other.owner) return one.owner < other.owner ? -1 : 1;
  return one.number - other.number || one.leg - other.leg;
}
