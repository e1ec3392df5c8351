/**
 * The margin of a portfolio's contracts in one world, and the comparison that keeps the dearest world. The worlds are
 * in `worlds.ts`, their sums in `world-sums.ts`.
 */

import { type Paise, ZERO_PAISE } from '../../base/money.ts';
import type { Leg } from './offset-group.ts';
import { HELD, type World } from './worlds.ts';

/** A part of the open orders of one contract: its units, below 0 of sells. */
export interface Part {
  readonly leg: Leg;
  readonly units: number;
}

/** The margin of a portfolio's contracts in one world, in paise. */
export interface MeasuredWorld {
  readonly world: World;
  /** The part that counts as filled in the held world; `undefined` when the world is one of all orders, or of none. */
  readonly part: Part | undefined;
  readonly span: Paise;
  readonly exposure: Paise;
  readonly premium: Paise;
  readonly total: Paise;
  /** The most that any of the measured worlds needs without its premium. */
  readonly unpaid: Paise;
}

/** Less than any world needs. */
const NOTHING = -1 as Paise;

/** The dearest of the worlds that were measured so far. */
export class Dearest implements MeasuredWorld {
  world: World = HELD;
  part: Part | undefined = undefined;
  span = ZERO_PAISE;
  exposure = ZERO_PAISE;
  premium = ZERO_PAISE;
  total = NOTHING;
  unpaid = NOTHING;

  /** Forgets the worlds that were measured. */
  clear(): void {
    this.total = NOTHING;
    this.unpaid = NOTHING;
    this.part = undefined;
  }

  /** True when something was measured. */
  get isKnown(): boolean {
    return this.total !== NOTHING || this.unpaid !== NOTHING;
  }

  /**
   * True when a world of this need takes the place of the one that was found. The first of equals stays. Of two parts
   * that need the same, the one with more SPAN wins, so that the order in which contracts are added up changes nothing.
   */
  isBelow(total: number, span: number, isPart: boolean): boolean {
    if (total !== this.total || !isPart || this.part === undefined) return total > this.total;
    return span > this.span;
  }

  /** Takes the world that another search found, when it needs more. */
  take({ world, part, span, exposure, premium, total }: MeasuredWorld): void {
    if (this.isBelow(total, span, part !== undefined)) this.keep(world, part, span, exposure, premium, total);
  }

  /** Counts what a world needs without its premium. */
  raise(unpaid: Paise): void {
    if (unpaid > this.unpaid) this.unpaid = unpaid;
  }

  /** Keeps a world in the place of the one that was found. */
  keep(world: World, part: Part | undefined, span: Paise, exposure: Paise, premium: Paise, total: Paise): void {
    this.world = world;
    this.part = part;
    this.span = span;
    this.exposure = exposure;
    this.premium = premium;
    this.total = total;
  }
}
