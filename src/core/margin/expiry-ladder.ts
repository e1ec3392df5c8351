import type { IstDay } from '../../base/time.ts';
import type { ContractRisk } from './contract-risk.ts';
import { chargeOf } from './fixed-point.ts';
import { type ContractLeg, LinearSum, type World } from './worlds.ts';

/** The contracts of one underlying that expire together. */
class Rung {
  readonly expiryDay: IstDay;
  /** In hundredths of a paisa a unit of delta. */
  readonly calendarRate: number;
  /** Composite delta in ten-thousandths of a unit. */
  readonly delta = new LinearSum();
  /** Units of the future, and the exposure of one of them in ten-thousandths of a paisa. */
  readonly futures = new LinearSum();
  futureExposure = 0;

  constructor({ expiryDay, calendarRate }: ContractRisk) {
    this.expiryDay = expiryDay;
    this.calendarRate = calendarRate;
  }
}

/** What offsets between expiries: composite deltas for the calendar charge, futures for exposure. Nearest expiries are paired first. */
export class ExpiryLadder {
  /** By ascending expiry. */
  private readonly rungs: Rung[] = [];

  add(risk: ContractRisk, before: ContractLeg, after: ContractLeg): void {
    const rung = this.rungOf(risk);
    rung.delta.add(risk.delta, before, after);
    if (risk.kind !== 'future') return;
    rung.futureExposure = risk.exposure;
    rung.futures.add(1, before, after);
  }

  /** True when there is a future in a world. */
  hasFutures(world: World): boolean {
    for (const { futures } of this.rungs) if (futures.in(world) !== 0) return true;
    return false;
  }

  /** The charge for deltas that offset each other over expiries, in hundredths of a paisa. Source: market-rules R4.7. */
  calendarCharge(world: World): number {
    const { rungs } = this;
    if (rungs.length < 2) return 0;
    const deltas = rungs.map(({ delta }) => delta.in(world));
    let charge = 0;
    pairOff(deltas, (units, far) => {
      charge += chargeOf(units, (rungs[far] as Rung).calendarRate);
    });
    return charge;
  }

  /**
   * The exposure of futures, in thirds of a ten-thousandth of a paisa: all of an outright one, of a pair over two expiries a third of
   * the later. Source: market-rules R4.13, R4.14.
   */
  futuresExposure(world: World): number {
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

  private rungOf(risk: ContractRisk): Rung {
    const { rungs } = this;
    let at = 0;
    while (at < rungs.length && (rungs[at] as Rung).expiryDay < risk.expiryDay) at += 1;
    const known = rungs[at];
    if (known?.expiryDay === risk.expiryDay) return known;
    const made = new Rung(risk);
    rungs.splice(at, 0, made);
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
