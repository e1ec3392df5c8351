/**
 * The margin of one group of contracts in one world: scan risk, calendar charge, least margin of short options, option
 * value and exposure. `offset-group.ts` keeps one for every world.
 */

import { type ContractRisk, countAtRisk, leastMargin, sideExposure, unitValue } from './rates/contract-risk.ts';
import type { ExpiryLadder, Rung } from './rates/expiry-ladder.ts';
import { SCENARIOS } from './rates/scenarios.ts';
import type { WorldMargin } from './world-margin.ts';
import type { World } from './worlds.ts';

const COUNT = SCENARIOS.length;
/** Marks a figure that must be computed again when it is next needed. */
const STALE = Number.NaN;

/** A contract and the rung of its expiry. */
export interface Placed {
  readonly risk: ContractRisk;
  readonly rung: Rung | undefined;
}

/**
 * Contracts of one underlying whose risks offset each other, added up in one world. Every figure is computed with one
 * contract counting `to` units instead of `from`, so that a wish is measured and nothing is changed. With `to` equal to
 * `from` it is the present figure.
 */
export class WorldSums {
  private readonly world: World;
  private readonly ladder: ExpiryLadder;
  /** By scenario, in hundredths of a paisa. */
  private readonly losses = new Float64Array(COUNT);
  /** Net, in hundredths of a paisa. */
  private optionValue = 0;
  /** The number of short options and futures: without any, only the paid premium can be lost. */
  private atRisk = 0;
  /** Of short options, in hundredths of a paisa. */
  private shortMinimum = 0;
  /** The exposure of short options and the delivery margin on either side, in ten-thousandths of a paisa. */
  private sides = 0;
  private knownSpan = STALE;
  private knownExposure = STALE;
  /** The last question and its answer, until something changes: an order that is admitted makes just that change. */
  private asked: Placed | undefined;
  private askedTo = 0;
  private askedSpan = 0;
  private askedExposure = 0;

  constructor(world: World, ladder: ExpiryLadder) {
    this.world = world;
    this.ladder = ladder;
  }

  /** Lets a contract count with `to` units from now on. */
  change(placed: Placed, from: number, to: number): void {
    const { world, losses } = this;
    const { risk, rung } = placed;
    const more = to - from;
    for (let i = 0; i < COUNT; i += 1) losses[i] = (losses[i] as number) + more * (risk.losses[i] as number);
    if (rung !== undefined) this.ladder.add(world, rung, risk, more);
    this.optionValue += more * unitValue(risk);
    this.atRisk += countAtRisk(risk, to) - countAtRisk(risk, from);
    this.shortMinimum += leastMargin(risk, to) - leastMargin(risk, from);
    this.sides += sideExposure(risk, to) - sideExposure(risk, from);
    const wasAsked = placed === this.asked && to === this.askedTo;
    this.knownSpan = wasAsked ? this.askedSpan : STALE;
    this.knownExposure = wasAsked ? this.askedExposure : STALE;
    this.asked = undefined;
  }

  /**
   * SPAN = max(0, max(scan + calendar, short minimum) - option value), 0 when nothing but long options is held; in
   * hundredths of a paisa.
   * Source: market-rules R4.6 to R4.9.
   */
  span(placed: Placed, from: number, to: number): number {
    if (from !== to) return this.ask(placed, from, to).askedSpan;
    if (Number.isNaN(this.knownSpan)) this.knownSpan = this.spanWith(placed, from, to);
    return this.knownSpan;
  }

  /** In `EXPOSURE_PARTS` of a paisa. Source: market-rules R4.13 to R4.18. */
  exposure(placed: Placed, from: number, to: number): number {
    if (from !== to) return this.ask(placed, from, to).askedExposure;
    if (Number.isNaN(this.knownExposure)) this.knownExposure = this.exposureWith(placed, from, to);
    return this.knownExposure;
  }

  /** Adds to `turns` the units of a contract at which its calendar charge turns, counted from its present units. */
  addTurns({ risk, rung }: Placed, turns: number[]): void {
    if (rung !== undefined) this.ladder.addTurns(this.world, rung, risk.delta, turns);
  }

  /** The figures that both follow from. */
  explain(placed: Placed, from: number, to: number): WorldMargin {
    const { risk } = placed;
    const more = to - from;
    const scan = this.scan(risk, more);
    return {
      scan,
      worst: this.scenarioOf(scan, risk, more),
      calendar: this.calendar(placed, more),
      shortMinimum: this.minimum(risk, from, to),
      optionValue: this.optionValue + more * unitValue(risk),
      span: this.spanWith(placed, from, to),
      exposure: this.exposureWith(placed, from, to),
    };
  }

  private ask(placed: Placed, from: number, to: number): this {
    if (placed === this.asked && to === this.askedTo) return this;
    this.askedSpan = this.spanWith(placed, from, to);
    this.askedExposure = this.exposureWith(placed, from, to);
    this.asked = placed;
    this.askedTo = to;
    return this;
  }

  private spanWith(placed: Placed, from: number, to: number): number {
    const { risk } = placed;
    if (this.atRisk + countAtRisk(risk, to) - countAtRisk(risk, from) === 0) return 0;
    const more = to - from;
    const charged = this.scan(risk, more) + this.calendar(placed, more);
    const value = this.optionValue + more * unitValue(risk);
    return Math.max(0, Math.max(charged, this.minimum(risk, from, to)) - value);
  }

  private exposureWith({ risk, rung }: Placed, from: number, to: number): number {
    const sides = this.sides + sideExposure(risk, to) - sideExposure(risk, from);
    return 3 * sides + this.ladder.futuresExposure(this.world, rung, risk.kind === 'future' ? to - from : 0);
  }

  /**
   * The largest loss over the scenarios with `more` units of a contract; 0 when none loses. Source: market-rules R4.6.
   */
  private scan(risk: ContractRisk, more: number): number {
    const { losses } = this;
    const ofUnit = risk.losses;
    let scan = 0;
    for (let i = 0; i < COUNT; i += 1) {
      const loss = (losses[i] as number) + more * (ofUnit[i] as number);
      if (loss > scan) scan = loss;
    }
    return scan;
  }

  /** The number of the first scenario of a scan, from 1; 0 when none loses. */
  private scenarioOf(scan: number, risk: ContractRisk, more: number): number {
    if (scan === 0) return 0;
    return 1 + this.losses.findIndex((loss, i) => loss + more * (risk.losses[i] as number) === scan);
  }

  private calendar({ risk, rung }: Placed, more: number): number {
    return this.ladder.calendarCharge(this.world, rung, more * risk.delta);
  }

  /** Source: market-rules R4.8. */
  private minimum(risk: ContractRisk, from: number, to: number): number {
    return this.shortMinimum + leastMargin(risk, to) - leastMargin(risk, from);
  }
}
