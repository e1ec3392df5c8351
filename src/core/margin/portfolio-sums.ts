import type { InstrumentId } from '../../base/ids.ts';
import { addPaise, type Paise, ZERO_PAISE } from '../../base/money.ts';
import type { ContractRisk } from './contract-risk.ts';
import { PER_PAISA, toPaise } from './fixed-point.ts';
import { Leg, NO_LEG, OffsetGroup } from './offset-group.ts';
import type { RiskSheet } from './risk-sheet.ts';
import { addMargins, EXPOSURE_PARTS, type WorldMargin } from './world-margin.ts';
import {
  BOUGHT,
  FALLING,
  fillsBuys,
  HELD,
  NONE,
  type Quantities,
  RISING,
  SOLD,
  unitsIn,
  type Way,
  type World,
} from './worlds.ts';

/** The margin of a portfolio's contracts in one world, in paise. */
export interface MeasuredWorld {
  readonly world: World;
  readonly span: Paise;
  readonly exposure: Paise;
  readonly premium: Paise;
  readonly total: Paise;
}

/**
 * The contracts of one portfolio added up by the figures of one sheet: a change of one contract costs that contract, whatever else is
 * held, and a change that is only asked about changes nothing. All sums are of whole numbers, so taking away what was added leaves nothing
 * behind, and any order of changes gives the same.
 */
export class PortfolioSums {
  readonly sheet: RiskSheet;
  private readonly legs = new Map<InstrumentId, Leg>();
  private readonly later = new OffsetGroup();
  /** What expires on the day of the figures, to which nothing later is an offset. Source: market-rules R4.38. */
  private expiring: OffsetGroup | undefined;
  private readonly open: Readonly<Record<Way, OpenLegs>> = { with: new OpenLegs(), against: new OpenLegs() };
  /** What `dearest` answers: one for all its answers, as it is asked for every order. */
  private readonly found = new Found();
  private gross = 0;
  private exact = true;

  constructor(sheet: RiskSheet) {
    this.sheet = sheet;
  }

  /** The leg of a contract, which counts with nothing until it is set. */
  leg(id: InstrumentId): Leg {
    const known = this.legs.get(id);
    if (known !== undefined) return known;
    const risk = this.sheet.contract(id);
    const made = this.groupOf(risk)?.leg(risk) ?? new Leg(risk, undefined, undefined);
    this.legs.set(id, made);
    return made;
  }

  /** Nothing for what has expired, which offsets nothing that lives. */
  private groupOf({ weight, expiring }: ContractRisk): OffsetGroup | undefined {
    if (weight === 0) return undefined;
    if (!expiring) return this.later;
    this.expiring ??= new OffsetGroup();
    return this.expiring;
  }

  /** Lets a leg count with these quantities. */
  set(leg: Leg, after: Quantities): void {
    const { risk, quantities: before } = leg;
    this.open[risk.way].change(before, after);
    this.gross += risk.weight * (grossUnits(after) - grossUnits(before));
    if (this.gross > Number.MAX_SAFE_INTEGER) this.exact = false;
    leg.group?.set(leg, after);
    leg.quantities = after;
  }

  /**
   * False once quantities were so large that a sum may have lost its last digits; what was taken out again may then have left something. Such
   * sums are good for the answer at hand and are not kept.
   */
  get isExact(): boolean {
    return this.exact;
  }

  /**
   * The world that needs most when a leg counts with `after`; what is held comes first among equals, so that an order that adds nothing
   * shows nothing. Worlds in which nothing is filled are as what is held, and those of one direction as those of all buys or sells
   * unless orders of both ways are open. The answer holds until the next is asked for. Source: market-rules R4.26, R4.27.
   */
  dearest(leg: Leg = NO_LEG, after: Quantities = NONE): MeasuredWorld {
    const { with: along, against } = this.open;
    const { way } = leg.risk;
    const buying = isOpen(after.buys) - isOpen(leg.quantities.buys);
    const selling = isOpen(after.sells) - isOpen(leg.quantities.sells);
    const buysAlong = along.buying + (way === 'with' ? buying : 0);
    const sellsAlong = along.selling + (way === 'with' ? selling : 0);
    const buysAgainst = against.buying + (way === 'with' ? 0 : buying);
    const sellsAgainst = against.selling + (way === 'with' ? 0 : selling);
    const { found } = this;
    found.total = NOTHING_FOUND;
    this.measure(HELD, leg, after);
    if (buysAlong + buysAgainst > 0) this.measure(BOUGHT, leg, after);
    if (sellsAlong + sellsAgainst > 0) this.measure(SOLD, leg, after);
    if (buysAlong + sellsAlong === 0 || buysAgainst + sellsAgainst === 0) return found;
    if (buysAlong + sellsAgainst > 0) this.measure(RISING, leg, after);
    if (sellsAlong + buysAgainst > 0) this.measure(FALLING, leg, after);
    return found;
  }

  /** What the margin of a world follows from. */
  explain(world: World, leg: Leg = NO_LEG, after: Quantities = NONE): WorldMargin {
    const { way } = leg.risk;
    const from = unitsIn(world, way, leg.quantities);
    const to = unitsIn(world, way, after);
    const { later, expiring } = this;
    const margin = later.explain(world, leg, from, to);
    return expiring === undefined ? margin : addMargins(margin, expiring.explain(world, leg, from, to));
  }

  /** Measures one world, and keeps it when none before it needs as much. Source: market-rules R4.25, R4.27. */
  private measure(world: World, leg: Leg, after: Quantities): void {
    const { later, expiring, found } = this;
    const { way } = leg.risk;
    const from = unitsIn(world, way, leg.quantities);
    const to = unitsIn(world, way, after);
    let parts = later.span(world, leg, from, to);
    let exposureParts = later.exposure(world, leg, from, to);
    if (expiring !== undefined) {
      parts += expiring.span(world, leg, from, to);
      exposureParts += expiring.exposure(world, leg, from, to);
    }
    const span = toPaise(parts, PER_PAISA);
    const exposure = toPaise(exposureParts, EXPOSURE_PARTS);
    const premium = this.premium(world, leg, after);
    const total = addPaise(addPaise(span, exposure), premium);
    if (total <= found.total) return;
    found.world = world;
    found.span = span;
    found.exposure = exposure;
    found.premium = premium;
    found.total = total;
  }

  /** The premium of open buys counts where they are filled. Source: market-rules R4.25. */
  private premium(world: World, { risk: { way }, quantities }: Leg, after: Quantities): Paise {
    if (world === HELD || world === SOLD) return ZERO_PAISE;
    const { with: along, against } = this.open;
    let premium = fillsBuys(world, way) ? after.premium - quantities.premium : 0;
    if (world !== FALLING) premium += along.premium;
    if (world !== RISING) premium += against.premium;
    return premium as Paise;
  }
}

/** Less than any world needs. */
const NOTHING_FOUND = -1 as Paise;

class Found implements MeasuredWorld {
  world: World = HELD;
  span = ZERO_PAISE;
  exposure = ZERO_PAISE;
  premium = ZERO_PAISE;
  total = ZERO_PAISE;
}

/** The contracts of one way with open orders, and the premium of their buys. */
class OpenLegs {
  buying = 0;
  selling = 0;
  premium = 0;

  change(before: Quantities, after: Quantities): void {
    this.buying += isOpen(after.buys) - isOpen(before.buys);
    this.selling += isOpen(after.sells) - isOpen(before.sells);
    this.premium += after.premium - before.premium;
  }
}

function grossUnits({ net, buys, sells }: Quantities): number {
  return Math.abs(net) + buys + sells;
}

function isOpen(units: number): number {
  return units === 0 ? 0 : 1;
}
