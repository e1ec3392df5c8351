import { ZERO_PAISE } from '../../base/money.ts';
import type { ContractRisk } from './contract-risk.ts';
import { ExpiryLadder } from './expiry-ladder.ts';
import { PER_PAISA } from './fixed-point.ts';
import { ScenarioSums } from './scenario-sums.ts';
import type { WorldMargin } from './world-margin.ts';
import { type ContractLeg, LinearSum, unitsIn, WORLDS, type World } from './worlds.ts';

/** What is not linear in the quantities: it depends on which contracts are short in a world. */
interface Shorts {
  /** How many options are short. */
  options: number;
  /** Their least margin, in hundredths of a paisa. Source: market-rules R4.8. */
  minimum: number;
  /** Their exposure, and what deliveries add on either side, in ten-thousandths of a paisa. */
  exposure: number;
}

const noShorts = (): Shorts => ({ options: 0, minimum: 0, exposure: 0 });

/** Contracts of one underlying whose risks offset each other, added up. */
export class OffsetGroup {
  private readonly losses = new ScenarioSums();
  private readonly ladder = new ExpiryLadder();
  private readonly optionValue = new LinearSum();
  private readonly shorts: Readonly<Record<World, Shorts>> = { held: noShorts(), bought: noShorts(), sold: noShorts() };
  private legs = 0;

  /** True when no contract counts. */
  isEmpty(): boolean {
    return this.legs === 0;
  }

  /** A contract has other quantities than before. */
  change(risk: ContractRisk, before: ContractLeg, after: ContractLeg): void {
    this.legs += isLeg(after) - isLeg(before);
    this.losses.add(risk.losses, before, after);
    this.ladder.add(risk, before, after);
    if (risk.kind === 'option') this.optionValue.add(risk.price * PER_PAISA, before, after);
    for (const world of WORLDS) {
      this.count(world, risk, unitsIn(world, before), -1);
      this.count(world, risk, unitsIn(world, after), 1);
    }
  }

  /**
   * SPAN = max(0, max(scan + calendar, short minimum) - option value), 0 when nothing but long options is held; exposure beside it.
   * Source: market-rules R4.6 to R4.9, R4.13 to R4.18.
   */
  measure(world: World): WorldMargin {
    const { risk: scan, worst } = this.losses.scan(world);
    const { options, minimum, exposure } = this.shorts[world];
    const calendar = this.ladder.calendarCharge(world);
    const optionValue = this.optionValue.in(world);
    const atRisk = options > 0 || this.ladder.hasFutures(world);
    const span = atRisk ? Math.max(0, Math.max(scan + calendar, minimum) - optionValue) : 0;
    return {
      scan,
      worst,
      calendar,
      shortMinimum: minimum,
      optionValue,
      span,
      exposure: 3 * exposure + this.ladder.futuresExposure(world),
      premium: ZERO_PAISE,
    };
  }

  private count(
    world: World,
    { kind, exposure, shortMinimum, delivery }: ContractRisk,
    units: number,
    sign: 1 | -1,
  ): void {
    if (units === 0) return;
    const shorts = this.shorts[world];
    shorts.exposure += sign * (units > 0 ? units * delivery.long : -units * delivery.short);
    if (kind === 'future' || units > 0) return;
    shorts.options += sign;
    shorts.minimum -= sign * units * shortMinimum;
    shorts.exposure -= sign * units * exposure;
  }
}

function isLeg({ net, buys, sells }: ContractLeg): number {
  return net === 0 && buys === 0 && sells === 0 ? 0 : 1;
}
