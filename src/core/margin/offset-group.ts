/**
 * The contracts of one underlying whose risks offset each other, summed in every world, and the leg of each contract.
 * The choice of the dearest world is in `portfolio-sums.ts`.
 */

import { type ContractRisk, NO_RISK } from './rates/contract-risk.ts';
import { ExpiryLadder, type Rung } from './rates/expiry-ladder.ts';
import type { WorldMargin } from './world-margin.ts';
import { type Placed, WorldSums } from './world-sums.ts';
import { ALL_WORLDS, HELD, NONE, type Quantities, unitsIn, type World } from './worlds.ts';

/** One contract as it counts in a group. */
export class Leg implements Placed {
  readonly risk: ContractRisk;
  readonly group: OffsetGroup | undefined;
  readonly rung: Rung | undefined;
  quantities: Quantities = NONE;

  constructor(risk: ContractRisk, group: OffsetGroup | undefined, rung: Rung | undefined) {
    this.risk = risk;
    this.group = group;
    this.rung = rung;
  }
}

/** The leg of no contract: a measurement with it gives the portfolio as it is. */
export const NO_LEG = new Leg(NO_RISK, undefined, undefined);

/** Contracts of one underlying whose risks offset each other, added up in every world. */
export class OffsetGroup {
  private readonly ladder = new ExpiryLadder(ALL_WORLDS);
  private readonly worlds: readonly WorldSums[] = ALL_WORLDS.map((world) => new WorldSums(world, this.ladder));

  /** A contract that does not count yet. */
  leg(risk: ContractRisk): Leg {
    return new Leg(risk, this, this.ladder.rungOf(risk));
  }

  /** Lets a contract of the group count with other quantities. The caller updates the leg itself. */
  set(leg: Leg, after: Quantities): void {
    const { way } = leg.risk;
    for (const world of ALL_WORLDS) {
      const from = unitsIn(world, way, leg.quantities);
      const to = unitsIn(world, way, after);
      if (from !== to) this.in(world).change(leg, from, to);
    }
  }

  /** Counts a contract of the group with `to` units instead of `from` in the held world, and in no other world. */
  hold(leg: Leg, from: number, to: number): void {
    this.in(HELD).change(leg, from, to);
  }

  /** Adds to `turns` the units of a leg at which the calendar charge of the held contracts turns. */
  addTurns(leg: Leg, turns: number[]): void {
    this.in(HELD).addTurns(leg, turns);
  }

  /** SPAN in hundredths of a paisa with `to` units of a leg where it counts `from`, if the leg is one of the group. */
  span(world: World, leg: Leg, from: number, to: number): number {
    return this.in(world).span(leg, from, leg.group === this ? to : from);
  }

  exposure(world: World, leg: Leg, from: number, to: number): number {
    return this.in(world).exposure(leg, from, leg.group === this ? to : from);
  }

  explain(world: World, leg: Leg, from: number, to: number): WorldMargin {
    return this.in(world).explain(leg, from, leg.group === this ? to : from);
  }

  private in(world: World): WorldSums {
    return this.worlds[world] as WorldSums;
  }
}
