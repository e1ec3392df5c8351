/**
 * Offsets between the expiries of one underlying: the calendar charge and the exposure of calendar spreads. Offsets
 * inside one expiry need no charge.
 */

import type { IstDay } from '../../../base/time.ts';
import { chargeOf } from '../fixed-point.ts';
import type { World } from '../worlds.ts';
import type { ContractRisk } from './contract-risk.ts';

/** The contracts of one underlying that expire together. */
export interface Rung {
  readonly expiryDay: IstDay;
  /** Its place among the rungs, by ascending expiry. */
  place: number;
  /** Of one future, in ten-thousandths of a paisa; 0 while there is none. */
  futureExposure: number;
}

/** The units and deltas on the rungs in one world, by their places. */
interface Standing {
  /** Composite deltas in hundred-thousandths of a unit. */
  readonly deltas: number[];
  /** Units of the future. */
  readonly futures: number[];
}

/**
 * The offsets between expiries: composite deltas for the calendar charge, futures for exposure. Nearest expiries are
 * paired first.
 */
export class ExpiryLadder {
  private readonly rungs: Rung[] = [];
  /** In hundredths of a paisa a unit of delta, by place. */
  private readonly rates: number[] = [];
  private readonly standing: readonly Standing[];
  private hasFutures = false;
  /** Futures by place while they are paired. */
  private readonly unpaired: number[] = [];

  constructor(worlds: readonly World[]) {
    this.standing = worlds.map(() => ({ deltas: [], futures: [] }));
  }

  /** The rung that a contract stands on. */
  rungOf(risk: ContractRisk): Rung {
    const rung = this.rungAt(risk);
    if (risk.kind === 'future') {
      rung.futureExposure = risk.exposure;
      this.hasFutures = true;
    }
    return rung;
  }

  /** Adds units of a contract in one world. */
  add(world: World, { place }: Rung, { kind, delta }: ContractRisk, units: number): void {
    const { deltas, futures } = this.in(world);
    deltas[place] = (deltas[place] as number) + units * delta;
    if (kind === 'future') futures[place] = (futures[place] as number) + units;
  }

  /**
   * The charge for deltas that offset each other over expiries, in hundredths of a paisa, with `more` delta on a rung.
   * The deltas that nearer expiries leave over have one sign, so an expiry offsets as much of their sum as it can, at
   * its own rate. Source: market-rules R4.7.
   */
  calendarCharge(world: World, rung: Rung | undefined, more: number): number {
    const { rates } = this;
    const { deltas } = this.in(world);
    const place = rung === undefined ? -1 : rung.place;
    let left = 0;
    let charge = 0;
    for (let i = 0; i < deltas.length; i += 1) {
      const own = i === place ? (deltas[i] as number) + more : (deltas[i] as number);
      if (left * own < 0) charge += chargeOf(Math.min(Math.abs(left), Math.abs(own)), rates[i] as number);
      left += own;
    }
    return charge;
  }

  /**
   * Adds to `turns` the units of a contract, below 0 when sold, at which its calendar charge bends down: from there on
   * it rises less or falls more than before. The units may be fractions. Between two turns the charge is convex.
   *
   * Where the deltas of all expiries up to one sum to 0, that expiry is offset in full, which bends the charge down by
   * its rate, and the next one begins to be offset, which bends it up by the rate of that. Where the deltas of the
   * contract's own expiry sum to 0 it only bends up.
   */
  addTurns(world: World, { place }: Rung, delta: number, turns: number[]): void {
    const { deltas } = this.in(world);
    if (deltas.length < 2 || delta === 0) return;
    let sum = 0;
    for (let i = 0; i < deltas.length; i += 1) {
      const nearer = sum;
      sum += deltas[i] as number;
      if (i < place) continue;
      const isOffset = i === place ? nearer !== 0 : deltas[i] !== 0;
      if (isOffset && (this.rates[i] as number) > this.rateOfNext(deltas, i)) turns.push(-sum / delta);
    }
  }

  /** The rate of the expiry after one; 0 when there is nothing to offset. */
  private rateOfNext(deltas: readonly number[], place: number): number {
    const next = deltas[place + 1];
    return next === undefined || next === 0 ? 0 : (this.rates[place + 1] as number);
  }

  /**
   * The exposure of futures with `more` of them on a rung, in thirds of a ten-thousandth of a paisa: all of an outright
   * one, of a pair over two expiries a third of the later. Source: market-rules R4.13, R4.14.
   */
  futuresExposure(world: World, rung: Rung | undefined, more: number): number {
    if (!this.hasFutures) return 0;
    const { rungs, unpaired } = this;
    const { futures } = this.in(world);
    for (let i = 0; i < futures.length; i += 1) {
      unpaired[i] = (futures[i] as number) + (i === rung?.place ? more : 0);
    }
    let exposure = pairedExposure(rungs, unpaired);
    for (let i = 0; i < rungs.length; i += 1) {
      exposure += 3 * Math.abs(unpaired[i] as number) * (rungs[i] as Rung).futureExposure;
    }
    return exposure;
  }

  private in(world: World): Standing {
    return this.standing[world] as Standing;
  }

  private rungAt({ expiryDay, calendarRate }: ContractRisk): Rung {
    const { rungs, rates, standing } = this;
    const before = rungs.filter((rung) => rung.expiryDay < expiryDay).length;
    const known = rungs[before];
    if (known?.expiryDay === expiryDay) return known;
    const made: Rung = { expiryDay, place: before, futureExposure: 0 };
    for (const later of rungs.slice(before)) later.place += 1;
    rungs.splice(before, 0, made);
    rates.splice(before, 0, calendarRate);
    for (const { deltas, futures } of standing) {
      deltas.splice(before, 0, 0);
      futures.splice(before, 0, 0);
    }
    return made;
  }
}

/** The exposure of pairs over two expiries, the nearest first. Units without a pair stay in `units`. */
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
