import { SCENARIOS } from './scenarios.ts';
import { HAS_BOUGHT, HAS_SOLD, type Quantities, type World } from './worlds.ts';

const COUNT = SCENARIOS.length;

/** The largest loss over the scenarios, in hundredths of a paisa, and the number of its scenario from 1; 0 when none loses. */
export interface Scan {
  readonly risk: number;
  readonly worst: number;
}

/** The losses of a portfolio in every scenario, for each world. Source: market-rules R4.6. */
export class ScenarioSums {
  private readonly net = new Float64Array(COUNT);
  private readonly buys = new Float64Array(COUNT);
  private readonly sells = new Float64Array(COUNT);

  /** `losses` of one long unit. */
  add(losses: Float64Array, before: Quantities, after: Quantities): void {
    addTimes(this.net, losses, after.net - before.net);
    addTimes(this.buys, losses, after.buys - before.buys);
    addTimes(this.sells, losses, after.sells - before.sells);
  }

  scan(world: World): Scan {
    const { net, buys, sells } = this;
    const bought = HAS_BOUGHT[world] ? 1 : 0;
    const sold = HAS_SOLD[world] ? 1 : 0;
    let risk = 0;
    let worst = 0;
    for (let i = 0; i < COUNT; i += 1) {
      const loss = (net[i] as number) + bought * (buys[i] as number) - sold * (sells[i] as number);
      if (loss > risk) {
        risk = loss;
        worst = i + 1;
      }
    }
    return { risk, worst };
  }
}

function addTimes(sums: Float64Array, losses: Float64Array, units: number): void {
  if (units === 0) return;
  for (let i = 0; i < COUNT; i += 1) sums[i] = (sums[i] as number) + units * (losses[i] as number);
}
