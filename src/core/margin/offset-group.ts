import type { ContractRisk } from './contract-risk.ts';
import { ExpiryLadder, type Rung } from './expiry-ladder.ts';
import { PER_PAISA } from './fixed-point.ts';
import { ScenarioSums } from './scenario-sums.ts';
import type { WorldMargin } from './world-margin.ts';
import { LinearSum, NONE, type Quantities, unitsIn, WORLDS, type World } from './worlds.ts';

/** One contract as it counts in a group. */
export class Leg {
  readonly risk: ContractRisk;
  readonly group: OffsetGroup;
  readonly rung: Rung;
  quantities: Quantities = NONE;

  constructor(risk: ContractRisk, group: OffsetGroup, rung: Rung) {
    this.risk = risk;
    this.group = group;
    this.rung = rung;
  }
}

/** What depends on the side that a contract is on in one world, and so is not linear in its quantities. */
class Sides {
  /** Short options and futures: without any there is nothing to lose but what was paid. */
  atRisk = 0;
  /** The least margin of short options, in hundredths of a paisa. Source: market-rules R4.8. */
  minimum = 0;
  /** The exposure of short options, and what deliveries add on either side, in ten-thousandths of a paisa. */
  exposure = 0;

  /** A contract counts with other units than before. */
  change(risk: ContractRisk, before: number, after: number): void {
    if (before === after) return;
    this.count(risk, before, -1);
    this.count(risk, after, 1);
  }

  private count({ kind, exposure, shortMinimum, delivery }: ContractRisk, units: number, sign: 1 | -1): void {
    if (units > 0) {
      this.exposure += sign * units * delivery.long;
      if (kind === 'future') this.atRisk += sign;
    } else if (units < 0) {
      this.atRisk += sign;
      this.exposure -= sign * units * delivery.short;
      if (kind === 'future') return;
      this.minimum -= sign * units * shortMinimum;
      this.exposure -= sign * units * exposure;
    }
  }
}

/** Contracts of one underlying whose risks offset each other, added up. */
export class OffsetGroup {
  private readonly losses = new ScenarioSums();
  private readonly ladder = new ExpiryLadder();
  private readonly optionValue = new LinearSum();
  private readonly sides: Readonly<Record<World, Sides>> = {
    held: new Sides(),
    bought: new Sides(),
    sold: new Sides(),
    rising: new Sides(),
    falling: new Sides(),
  };

  /** A contract that does not count yet. */
  leg(risk: ContractRisk): Leg {
    return new Leg(risk, this, this.ladder.rungOf(risk));
  }

  /** Lets a contract of the group count with other quantities. */
  set(leg: Leg, after: Quantities): void {
    const { risk, rung, quantities: before } = leg;
    const { way } = risk;
    leg.quantities = after;
    this.losses.add(risk.losses, way, before, after);
    rung.delta.add(risk.delta, way, before, after);
    if (risk.kind === 'option') this.optionValue.add(risk.price * PER_PAISA, way, before, after);
    else rung.futures.add(1, way, before, after);
    for (const world of WORLDS) {
      this.sides[world].change(risk, unitsIn(world, way, before), unitsIn(world, way, after));
    }
  }

  /**
   * SPAN = max(0, max(scan + calendar, short minimum) - option value), 0 when nothing but long options is held; exposure beside it.
   * Source: market-rules R4.6 to R4.9, R4.13 to R4.18.
   */
  measure(world: World): WorldMargin {
    const { atRisk, minimum, exposure } = this.sides[world];
    const { risk: scan, worst } = this.losses.scan(world);
    const calendar = this.ladder.calendarCharge(world);
    const optionValue = this.optionValue.in(world);
    const span = atRisk > 0 ? Math.max(0, Math.max(scan + calendar, minimum) - optionValue) : 0;
    return {
      scan,
      worst,
      calendar,
      shortMinimum: minimum,
      optionValue,
      span,
      exposure: 3 * exposure + this.ladder.futuresExposure(world),
    };
  }
}
