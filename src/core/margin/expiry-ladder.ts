import type { IstDay } from '../../base/time.ts';
import type { ContractRisk } from './contract-risk.ts';
import { chargeOf } from './fixed-point.ts';
import { LinearSum, type World } from './worlds.ts';

/** The contracts of one underlying that expire together. */
export interface Rung {
  readonly expiryDay: IstDay;
  /** In hundredths of a paisa a unit of delta. */
  readonly calendarRate: number;
  /** Composite delta in ten-thousandths of a unit. */
  readonly delta: LinearSum;
  /** Units of the future. */
  readonly futures: LinearSum;
  /** Of one future, in ten-thousandths of a paisa; 0 while there is none. */
  futureExposure: number;
}

/** What offsets between expiries: composite deltas for the calendar charge, futures for exposure. Nearest expiries are paired first. */
export class ExpiryLadder {
  /** By ascending expiry. */
  private readonly rungs: Rung[] = [];
  private hasFutures = false;

  /** The rung that a contract stands on. */
  rungOf(risk: ContractRisk): Rung {
    const rung = this.rungAt(risk);
    if (risk.kind === 'future') {
      rung.futureExposure = risk.exposure;
      this.hasFutures = true;
    }
    return rung;
  }

  /** The charge for deltas that offset each other over expiries, in hundredths of a paisa. Source: market-rules R4.7. */
  calendarCharge(world: World): number {
    const { rungs } = this;
    if (!this.hasBothSigns(world)) return 0;
    let charge = 0;
    pairOff(
      rungs.map(({ delta }) => delta.in(world)),
      (units, far) => {
        charge += chargeOf(units, (rungs[far] as Rung).calendarRate);
      },
    );
    return charge;
  }

  /**
   * The exposure of futures, in thirds of a ten-thousandth of a paisa: all of an outright one, of a pair over two expiries a third of
   * the later. Source: market-rules R4.13, R4.14.
   */
  futuresExposure(world: World): number {
    if (!this.hasFutures) return 0;
    const { rungs } = this;
    const units = rungs.map(({ futures }) => futures.in(world));
    let exposure = 0;
    pairOff(units, (paired, far) => {
      exposure += paired * (rungs[far] as Rung).futureExposure;
    });
    for (let i = 0; i < rungs.length; i += 1) {
      exposure += 3 * Math.abs(units[i] as number) * (rungs[i] as Rung).futureExposure;
    }
    return exposure;
  }

  private hasBothSigns(world: World): boolean {
    let above = false;
    let below = false;
    for (const { delta } of this.rungs) {
      const sum = delta.in(world);
      if (sum > 0) above = true;
      else if (sum < 0) below = true;
    }
    return above && below;
  }

  private rungAt({ expiryDay, calendarRate }: ContractRisk): Rung {
    const { rungs } = this;
    const at = rungs.findIndex((rung) => rung.expiryDay >= expiryDay);
    const known = rungs[at];
    if (known?.expiryDay === expiryDay) return known;
    const delta = new LinearSum();
    const futures = new LinearSum();
    const made: Rung = { expiryDay, calendarRate, delta, futures, futureExposure: 0 };
    rungs.splice(at === -1 ? rungs.length : at, 0, made);
    return made;
  }
}

/**
 * Pairs amounts of opposite sign, each with the next after it, and tells how much was paired and the place of the later. What is left over stays in
 * `amounts`.
 */
function pairOff(amounts: number[], paired: (units: number, far: number) => void): void {
  for (let near = 0; near < amounts.length; near += 1) {
    for (let far = near + 1; far < amounts.length && amounts[near] !== 0; far += 1) {
      const a = amounts[near] as number;
      const b = amounts[far] as number;
      if (a * b >= 0) continue;
      const units = Math.min(Math.abs(a), Math.abs(b));
      amounts[near] = a - Math.sign(a) * units;
      amounts[far] = b - Math.sign(b) * units;
      paired(units, far);
    }
  }
}
