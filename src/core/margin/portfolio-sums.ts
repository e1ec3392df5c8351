import type { InstrumentId } from '../../base/ids.ts';
import { addPaise, type Paise, ZERO_PAISE } from '../../base/money.ts';
import { PER_PAISA, toPaise } from './fixed-point.ts';
import { type Leg, OffsetGroup } from './offset-group.ts';
import type { RiskSheet } from './risk-sheet.ts';
import { addMargins, EXPOSURE_PARTS, type WorldMargin } from './world-margin.ts';
import { FILLED, type Quantities, unitsIn, type Way, WORLDS, type World } from './worlds.ts';

/** The margin of a portfolio's contracts in one world, in paise, with what it was computed from. */
export interface MeasuredWorld {
  readonly world: World;
  readonly margin: WorldMargin;
  readonly span: Paise;
  readonly exposure: Paise;
  readonly premium: Paise;
  readonly total: Paise;
}

/**
 * The contracts of one portfolio added up by the figures of one sheet: a change of one contract costs that contract, whatever else is
 * held. All sums are of whole numbers, so taking away what was added leaves nothing behind, and any order of changes gives the same.
 */
export class PortfolioSums {
  readonly sheet: RiskSheet;
  private readonly legs = new Map<InstrumentId, Leg>();
  private readonly later = new OffsetGroup();
  /** What expires on the day of the figures, to which nothing later is an offset. Source: market-rules R4.38. */
  private expiring: OffsetGroup | undefined;
  private readonly open: Readonly<Record<Way, OpenLegs>> = { with: new OpenLegs(), against: new OpenLegs() };
  private gross = 0;
  private exact = true;
  /** The worlds that no change has touched since they were measured, without premium. */
  private readonly measured: { [W in World]: MeasuredWorld | undefined } = {
    held: undefined,
    bought: undefined,
    sold: undefined,
    rising: undefined,
    falling: undefined,
  };

  constructor(sheet: RiskSheet) {
    this.sheet = sheet;
  }

  /** The leg of a contract, which counts with nothing until it is set. */
  leg(id: InstrumentId): Leg {
    const known = this.legs.get(id);
    if (known !== undefined) return known;
    const risk = this.sheet.contract(id);
    if (risk.expiring) this.expiring ??= new OffsetGroup();
    const made = (risk.expiring && this.expiring ? this.expiring : this.later).leg(risk);
    this.legs.set(id, made);
    return made;
  }

  /** Lets a leg count with these quantities. */
  set(leg: Leg, after: Quantities): void {
    const before = leg.quantities;
    const open = this.open[leg.risk.way];
    open.buying += isOpen(after.buys) - isOpen(before.buys);
    open.selling += isOpen(after.sells) - isOpen(before.sells);
    open.premium += after.premium - before.premium;
    this.gross += leg.risk.weight * (grossUnits(after) - grossUnits(before));
    if (this.gross > Number.MAX_SAFE_INTEGER) this.exact = false;
    this.forget(leg.risk.way, before, after);
    leg.group.set(leg, after);
  }

  /**
   * False once quantities were so large that a sum may have lost its last digits; what was taken out again may then have left something. Such
   * sums are good for the answer at hand and are not kept.
   */
  get isExact(): boolean {
    return this.exact;
  }

  /** The worlds that may differ from each other: those of one direction only when orders of both ways are open. */
  worlds(): readonly World[] {
    const { with: along, against } = this.open;
    const worlds: World[] = ['held'];
    if (along.buying + against.buying > 0) worlds.push('bought');
    if (along.selling + against.selling > 0) worlds.push('sold');
    const hasBoth = along.buying + along.selling > 0 && against.buying + against.selling > 0;
    if (!hasBoth) return worlds;
    if (along.buying + against.selling > 0) worlds.push('rising');
    if (along.selling + against.buying > 0) worlds.push('falling');
    return worlds;
  }

  /** The margin of one world. The premium of open buys counts where they are filled. Source: market-rules R4.25, R4.27. */
  measure(world: World): MeasuredWorld {
    const known = this.measured[world] ?? this.measureAnew(world);
    this.measured[world] = known;
    const filled = FILLED[world];
    const premium = filled.with.buys * this.open.with.premium + filled.against.buys * this.open.against.premium;
    return premium === 0
      ? known
      : { ...known, premium: premium as Paise, total: addPaise(known.total, premium as Paise) };
  }

  private measureAnew(world: World): MeasuredWorld {
    const { later, expiring } = this;
    const of = later.measure(world);
    const margin = expiring === undefined ? of : addMargins(of, expiring.measure(world));
    const span = toPaise(margin.span, PER_PAISA);
    const exposure = toPaise(margin.exposure, EXPOSURE_PARTS);
    return { world, margin, span, exposure, premium: ZERO_PAISE, total: addPaise(span, exposure) };
  }

  /** A world stays as it was measured when a contract counts in it as before. */
  private forget(way: Way, before: Quantities, after: Quantities): void {
    for (const world of WORLDS) {
      if (unitsIn(world, way, before) !== unitsIn(world, way, after)) this.measured[world] = undefined;
    }
  }
}

/** The contracts of one way with open orders, and the premium of their buys. */
class OpenLegs {
  buying = 0;
  selling = 0;
  premium = 0;
}

function grossUnits({ net, buys, sells }: Quantities): number {
  return Math.abs(net) + buys + sells;
}

function isOpen(units: number): number {
  return units === 0 ? 0 : 1;
}
