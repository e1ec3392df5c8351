import type { IstDay } from '../../base/time.ts';
import type { ContractRisk } from './contract-risk.ts';
import { chargeOf } from './fixed-point.ts';
import { WORLDS, type World } from './worlds.ts';

/** The contracts of one underlying that expire together. */
export interface Rung {
  readonly expiryDay: IstDay;
  /** In hundredths of a paisa a unit of delta. */
  readonly calendarRate: number;
  /** Composite delta in ten-thousandths of a unit, by world. */
  readonly delta: Float64Array;
  /** Units of the future, by world. */
  readonly futures: Float64Array;
  /** Of one future, in ten-thousandths of a paisa; 0 while there is none. */
  futureExposure: number;
}

/** What offsets between expiries: composite deltas for the calendar charge, futures for exposure. Nearest expiries are paired first. */
export class ExpiryLadder {
  /** By ascending expiry. */
  private readonly rungs: Rung[] = [];
  private hasFutures = false;
  /** Futures by rung while they are paired. */
  private readonly unpaired: number[] = [];

  /** The rung that a contract stands on. */
  rungOf(risk: ContractRisk): Rung {
    const rung = this.rungAt(risk);
    if (risk.kind === 'future') {
      rung.futureExposure = risk.exposure;
      this.hasFutures = true;
    }
    return rung;
  }

  /**
   * The charge for deltas that offset each other over expiries, in hundredths of a paisa, with `more` delta on `rung`. What nearer expiries leave
   * over has one sign, so an expiry offsets as much of their sum as it can, at its own rate. Source: market-rules R4.7.
   */
  calendarCharge(world: World, rung: Rung | undefined, more: number): number {
    const { rungs } = this;
    let left = 0;
    let charge = 0;
    for (let i = 0; i < rungs.length; i += 1) {
      const at = rungs[i] as Rung;
      const kept = at.delta[world] as number;
      const own = at === rung ? kept + more : kept;
      if (left !== 0 && own !== 0 && left > 0 !== own > 0) {
        charge += chargeOf(Math.min(Math.abs(left), Math.abs(own)), at.calendarRate);
      }
      left += own;
    }
    return charge;
  }

  /**
   * The exposure of futures with `more` of them on `rung`, in thirds of a ten-thousandth of a paisa: all of an outright one, of a pair over two
   * expiries a third of the later. Source: market-rules R4.13, R4.14.
   */
  futuresExposure(world: World, rung: Rung | undefined, more: number): number {
    if (!this.hasFutures) return 0;
    const { rungs, unpaired } = this;
    for (let i = 0; i < rungs.length; i += 1) {
      const at = rungs[i] as Rung;
      unpaired[i] = (at.futures[world] as number) + (at === rung ? more : 0);
    }
    let exposure = pairedExposure(rungs, unpaired);
    for (let i = 0; i < rungs.length; i += 1) {
      exposure += 3 * Math.abs(unpaired[i] as number) * (rungs[i] as Rung).futureExposure;
    }
    return exposure;
  }

  private rungAt({ expiryDay, calendarRate }: ContractRisk): Rung {
    const { rungs } = this;
    const at = rungs.findIndex((rung) => rung.expiryDay >= expiryDay);
    const known = rungs[at];
    if (known?.expiryDay === expiryDay) return known;
    const delta = new Float64Array(WORLDS.length);
    const futures = new Float64Array(WORLDS.length);
    const made: Rung = { expiryDay, calendarRate, delta, futures, futureExposure: 0 };
    rungs.splice(at === -1 ? rungs.length : at, 0, made);
    return made;
  }
}

/** The exposure of pairs over two expiries, the nearest first; what is not paired stays in `units`. */
function pairedExposure(rungs: readonly Rung[], units: number[]): number {
  let exposure = 0;
  for (let near = 0; near < rungs.length; near += 1) {
    for (let far = near + 1; far < rungs.length && units[near] !== 0; far += 1) {
      const a = units[near] as number;
      const b = units[far] as number;
      if (a * b >= 0) continue;
      const paired = Math.min(Math.abs(a), Math.abs(b));
      units[near] = a - Math.sign(a) * paired;
      units[far] = b - Math.sign(b) * paired;
      exposure += paired * (rungs[far] as Rung).futureExposure;
    }
  }
  return exposure;
}
