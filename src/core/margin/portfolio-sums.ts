/**
 * The sums of one portfolio's contracts, kept from order to order, and the world that needs the most margin. Shares are
 * measured in `shares-margin.ts`; `requirement.ts` adds the two.
 */

import type { InstrumentId } from '../../base/ids.ts';
import { addPaise, type Paise, scaleHalfUp, ZERO_PAISE } from '../../base/money.ts';
import { PER_PAISA, toPaise } from './fixed-point.ts';
import { Dearest, type MeasuredWorld } from './measured-world.ts';
import { Leg, NO_LEG, OffsetGroup } from './offset-group.ts';
import type { ContractRisk } from './rates/contract-risk.ts';
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

/**
 * The contracts of one portfolio added up by the figures of one sheet. A change of one contract costs the work of that
 * contract only, whatever else is held, and a change that is only measured changes nothing. All sums are of whole
 * numbers, so removing an addition restores the sum, and any order of changes gives the same.
 */
export class PortfolioSums {
  readonly sheet: RiskSheet;
  /** The contracts that count by rows of a trial in place of those of the books. */
  readonly tried: InstrumentId[] = [];
  /** These rows, while the trial may go on. */
  trial: readonly object[] | undefined;
  private readonly legs = new Map<InstrumentId, Leg>();
  private readonly later = new OffsetGroup();
  /**
   * The contracts that expire on the day of the figures, when they no longer offset later ones. Source: market-rules
   * R4.38.
   */
  private expiring: OffsetGroup | undefined;
  private readonly open: Readonly<Record<Way, OpenLegs>> = { with: new OpenLegs(), against: new OpenLegs() };
  /** The answer of `dearest`. One object serves all its answers, because every order asks for one. */
  private readonly found = new Dearest();
  /** The legs with open orders, and the dearest of their parts since the held contracts last changed. */
  private readonly openLegs = new Map<Leg, Dearest>();
  /** True when the held contracts have changed since parts were last measured. */
  private isStale = false;
  private readonly turns: number[] = [];
  /** The dearest part of a contract's orders, and all of them. */
  private readonly part = new Dearest();
  private readonly all = new Dearest();
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

  /** `undefined` for an expired contract, which offsets no living contract. */
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
    if (hasOrders(after)) this.openLegs.set(leg, new Dearest());
    else if (hasOrders(before)) this.openLegs.delete(leg);
    if (before.net !== after.net) this.isStale = true;
    this.gross += risk.weight * (grossUnits(after) - grossUnits(before));
    if (this.gross > Number.MAX_SAFE_INTEGER) this.exact = false;
    leg.group?.set(leg, after);
    leg.quantities = after;
  }

  /**
   * False once quantities were so large that a sum may have lost its last digits; removing an addition may then have
   * left a remainder. Such sums are good for the present answer and are not kept.
   */
  get isExact(): boolean {
    return this.exact;
  }

  /**
   * The world that needs most when a leg counts with `after`. Among equals the held world comes first, so an order that
   * adds nothing shows nothing. A world without a fill equals the held world. A world of one direction equals that of
   * all buys or all sells unless orders of both ways are open. The held world with a part of the open orders of one
   * contract counts as well where that needs most. The answer holds until the next call. Source: market-rules R4.26,
   * R4.27.
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
    this.found.clear();
    this.measure(HELD, leg, after);
    if (buysAlong + buysAgainst > 0) this.measure(BOUGHT, leg, after);
    if (sellsAlong + sellsAgainst > 0) this.measure(SOLD, leg, after);
    if (buysAlong + sellsAlong > 0 && buysAgainst + sellsAgainst > 0) {
      if (buysAlong + sellsAgainst > 0) this.measure(RISING, leg, after);
      if (sellsAlong + buysAgainst > 0) this.measure(FALLING, leg, after);
    }
    this.measureParts(leg, after);
    return this.found;
  }

  /**
   * True when the calendar charge of the held contracts turns while a leg that counts with `after` goes `units`
   * further.
   */
  turnsWithin(leg: Leg, after: Quantities, units: number): boolean {
    for (const turn of this.turnsOf(leg, after)) if (isWithin(turn, units)) return true;
    return false;
  }

  /**
   * The units, counted from those of `after`, at which the calendar charge turns. The answer holds until the next call.
   */
  private turnsOf(leg: Leg, { net }: Quantities): readonly number[] {
    const { turns } = this;
    const moved = net - leg.quantities.net;
    turns.length = 0;
    leg.group?.addTurns(leg, turns);
    for (let i = 0; i < turns.length; i += 1) turns[i] = (turns[i] as number) - moved;
    return turns;
  }

  /** The figures behind the margin of the world that was found. Give it the same leg as `dearest` got. */
  explain({ world, part }: MeasuredWorld, leg: Leg = NO_LEG, after: Quantities = NONE): WorldMargin {
    const { way } = leg.risk;
    if (part === undefined)
      return this.explained(world, leg, unitsIn(world, way, leg.quantities), unitsIn(world, way, after));
    const from = part.leg.quantities.net;
    if (part.leg === leg) return this.explained(HELD, leg, from, after.net + part.units);
    return this.holding(leg, after, () => this.explained(HELD, part.leg, from, from + part.units));
  }

  private explained(world: World, leg: Leg, from: number, to: number): WorldMargin {
    const { later, expiring } = this;
    const margin = later.explain(world, leg, from, to);
    return expiring === undefined ? margin : addMargins(margin, expiring.explain(world, leg, from, to));
  }

  /**
   * Measures the held world with a part of the open orders of one contract filled, for each contract of which a part
   * needs more than none and than all: an order that fills in part must not need more than was blocked for the whole of
   * it. Between two turns of the calendar charge a margin is convex, so only a part beside a turn can need more.
   * Source: market-rules R4.7, R4.27.
   */
  private measureParts(leg: Leg, after: Quantities): void {
    const { found, openLegs } = this;
    if (hasOrders(after)) this.measurePartsOf(leg, after, found);
    if (openLegs.size === (openLegs.has(leg) ? 1 : 0)) return;
    if (after.net === leg.quantities.net) this.takeKnownParts(leg);
    else this.holding(leg, after, () => this.measureOtherParts(leg));
  }

  /** Takes the parts of all open legs but one. Each is measured once while the held contracts stay the same. */
  private takeKnownParts(asked: Leg): void {
    const { found, openLegs } = this;
    if (this.isStale) for (const known of openLegs.values()) known.clear();
    this.isStale = false;
    for (const [leg, known] of openLegs) {
      if (leg === asked) continue;
      if (!known.isKnown) this.measurePartsOf(leg, leg.quantities, known);
      found.take(known);
      found.raise(known.unpaid);
    }
  }

  private measureOtherParts(asked: Leg): void {
    for (const leg of this.openLegs.keys()) if (leg !== asked) this.measurePartsOf(leg, leg.quantities, this.found);
  }

  private measurePartsOf(leg: Leg, after: Quantities, found: Dearest): void {
    this.measurePartsOfSide(leg, after, after.buys, found);
    this.measurePartsOfSide(leg, after, -after.sells, found);
  }

  /** `whole`: the units of all orders of a side, below 0 of sells. */
  private measurePartsOfSide(leg: Leg, after: Quantities, whole: number, found: Dearest): void {
    if (whole === 0) return;
    const { part } = this;
    const { lot } = leg.risk;
    part.clear();
    for (const turn of this.turnsOf(leg, after)) {
      if (!isWithin(turn, whole)) continue;
      const below = lot * Math.floor(turn / lot);
      const above = lot * Math.ceil(turn / lot);
      if (isWithin(below, whole)) this.measurePart(leg, after, below, part);
      if (above !== below && isWithin(above, whole)) this.measurePart(leg, after, above, part);
    }
    if (!part.isKnown) return;
    this.all.clear();
    this.measurePart(leg, after, whole, this.all);
    if (part.total > this.all.total) found.take(part);
    if (part.unpaid > this.all.unpaid) found.raise(part.unpaid);
  }

  private measurePart(leg: Leg, after: Quantities, units: number, found: Dearest): void {
    const { net } = leg.quantities;
    this.consider(found, HELD, leg, net, after.net + units, partPremium(after, units), units);
  }

  /**
   * Runs `asked` while a leg counts as held with `after`, and then restores it. Sums are of whole numbers, so no
   * remainder is left.
   */
  private holding<T>(leg: Leg, { net }: Quantities, asked: () => T): T {
    const before = leg.quantities.net;
    if (net === before) return asked();
    leg.group?.hold(leg, before, net);
    const answer = asked();
    leg.group?.hold(leg, net, before);
    return answer;
  }

  /** Measures one world. Source: market-rules R4.25, R4.27. */
  private measure(world: World, leg: Leg, after: Quantities): void {
    const { way } = leg.risk;
    const from = unitsIn(world, way, leg.quantities);
    const to = unitsIn(world, way, after);
    this.consider(this.found, world, leg, from, to, this.premium(world, leg, after), 0);
  }

  /** Measures a world with `to` units of a leg instead of `from`; `part` of them are of its open orders. */
  private consider(
    found: Dearest,
    world: World,
    leg: Leg,
    from: number,
    to: number,
    premium: Paise,
    part: number,
  ): void {
    const { later, expiring } = this;
    let parts = later.span(world, leg, from, to);
    let exposureParts = later.exposure(world, leg, from, to);
    if (expiring !== undefined) {
      parts += expiring.span(world, leg, from, to);
      exposureParts += expiring.exposure(world, leg, from, to);
    }
    const span = toPaise(parts, PER_PAISA);
    const exposure = toPaise(exposureParts, EXPOSURE_PARTS);
    const unpaid = addPaise(span, exposure);
    const total = addPaise(unpaid, premium);
    found.raise(unpaid);
    if (!found.isBelow(total, span, part !== 0)) return;
    found.keep(world, part === 0 ? undefined : { leg, units: part }, span, exposure, premium, total);
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

function hasOrders({ buys, sells }: Quantities): boolean {
  return buys > 0 || sells > 0;
}

/**
 * The premium of a part of the open buys: of those units that open, which come after those that close. Source:
 * market-rules R4.25, R4.28.
 */
function partPremium({ net, buys, premium }: Quantities, units: number): Paise {
  const closing = Math.max(0, -net);
  if (premium === 0 || units <= closing) return ZERO_PAISE;
  return scaleHalfUp(premium as Paise, units - closing, buys - closing);
}

/** True for a part of `whole` that is neither none nor all of it. */
function isWithin(units: number, whole: number): boolean {
  return whole > 0 ? units > 0 && units < whole : units < 0 && units > whole;
}

function isOpen(units: number): number {
  return units === 0 ? 0 : 1;
}
