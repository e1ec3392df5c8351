import { SCENARIOS } from './scenarios.ts';
import { FILLED, type Filled, type Quantities, type Way, type World } from './worlds.ts';

const COUNT = SCENARIOS.length;

/** The largest loss over the scenarios, in hundredths of a paisa, and the number of its scenario from 1; 0 when none loses. */
export interface Scan {
  readonly risk: number;
  readonly worst: number;
}

/** The losses of open buys and of open sells, were they held. */
class OpenLosses {
  readonly buys = new Float64Array(COUNT);
  readonly sells = new Float64Array(COUNT);
}

/** The losses of a portfolio in every scenario, for each world. Source: market-rules R4.6. */
export class ScenarioSums {
  private readonly net = new Float64Array(COUNT);
  private readonly open: Readonly<Record<Way, OpenLosses>> = { with: new OpenLosses(), against: new OpenLosses() };

  /** `losses` of one long unit. */
  add(losses: Float64Array, way: Way, before: Quantities, after: Quantities): void {
    const { buys, sells } = this.open[way];
    addTimes(this.net, losses, after.net - before.net);
    addTimes(buys, losses, after.buys - before.buys);
    addTimes(sells, losses, after.sells - before.sells);
  }

  scan(world: World): Scan {
    const { net, open } = this;
    const along = FILLED[world].with;
    const against = FILLED[world].against;
    let risk = 0;
    let worst = 0;
    for (let i = 0; i < COUNT; i += 1) {
      const loss = (net[i] as number) + filledLoss(open.with, along, i) + filledLoss(open.against, against, i);
      if (loss > risk) {
        risk = loss;
        worst = i + 1;
      }
    }
    return { risk, worst };
  }
}

function filledLoss({ buys, sells }: OpenLosses, filled: Filled, i: number): number {
  return filled.buys * (buys[i] as number) - filled.sells * (sells[i] as number);
}

function addTimes(sums: Float64Array, losses: Float64Array, units: number): void {
  if (units === 0) return;
  for (let i = 0; i < COUNT; i += 1) sums[i] = (sums[i] as number) + units * (losses[i] as number);
}
