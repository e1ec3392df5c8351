import type { IstDay } from '../../src/base/time.ts';
import type { Derivative } from '../../src/core/instrument.ts';
import type { RiskFigures } from '../../src/core/market.ts';

/*
 * SPAN margin of one portfolio, written a second time and plainly: every figure from the rules of market-rules 4.1 to
 * 4.5, every sum from the start, in exact integers. It shares no code with the margins of the core. Both agree on the
 * units: a loss of one unit is a whole number of hundredths of a paisa, a composite delta one of hundred-thousandths, a
 * scan range one of millionths of the price.
 */

/** A contract with what is held of it and what orders are open. */
export interface PlainLeg {
  readonly contract: Derivative;
  readonly figures: RiskFigures;
  /** Trading days to expiry. */
  readonly daysLeft: number;
  /** Negative when short. */
  readonly held: number;
  readonly buying: number;
  /** Sum of units times limits of the open buys, in paise. */
  readonly buyValue: number;
  readonly selling: number;
}

export interface PlainMargin {
  readonly span: number;
  readonly exposure: number;
  readonly premium: number;
}

/**
 * The margin that is needed: the dearest world, or the dearest part. `shareRate`: VaR and ELM of the share that stock
 * contracts are written on, in basis points.
 */
export function plainSpan(legs: readonly PlainLeg[], day: IstDay, shareRate: number): PlainMargin {
  const worlds = plainWorlds(legs, day, shareRate);
  const part = plainPart(legs, day, shareRate);
  return total(part) > total(worlds) ? part : worlds;
}

/**
 * The margin without premium that some world or some part needs beyond that of `shown`. It stays blocked when premium
 * received pays the premium of `shown`. Source: market-rules R4.24, R4.27.
 */
export function plainFloor(
  legs: readonly PlainLeg[],
  day: IstDay,
  shareRate: number,
  { span, exposure }: PlainMargin,
): number {
  const free = legs.map((leg) => ({ ...leg, buyValue: 0 }));
  return Math.max(0, total(plainSpan(free, day, shareRate)) - span - exposure);
}

/** The dearest of the worlds in which all orders of a kind are filled, or none. */
export function plainWorlds(legs: readonly PlainLeg[], day: IstDay, shareRate: number): PlainMargin {
  let best: PlainMargin | undefined;
  for (const world of ['nothing', 'buys', 'sells', 'up', 'down']) {
    const units = (leg: PlainLeg) => {
      if (isBought(leg, world)) return leg.held + leg.buying;
      return isSold(leg, world) ? leg.held - leg.selling : leg.held;
    };
    let premium = 0;
    for (const leg of legs) if (isBought(leg, world)) premium += premiumOf(leg);
    const margin = marginOf(legs, units, day, shareRate, premium);
    if (best === undefined || total(margin) > total(best)) best = margin;
  }
  if (best === undefined) throw new Error('there are five worlds');
  return best;
}

/**
 * The dearest margin with a part of the open orders of one contract filled, and all other orders left open: of the
 * parts, lot by lot, that need more than none and than all of them.
 */
function plainPart(legs: readonly PlainLeg[], day: IstDay, shareRate: number): PlainMargin {
  let best: PlainMargin = { span: 0, exposure: 0, premium: 0 };
  const none = marginOf(legs, (leg) => leg.held, day, shareRate, 0);
  for (const one of legs) {
    const { lot } = one.contract;
    const filled = (part: number) => {
      const units = (leg: PlainLeg) => (leg === one ? leg.held + part : leg.held);
      return marginOf(legs, units, day, shareRate, part > 0 ? premiumOfPart(one, part) : 0);
    };
    for (const whole of [one.buying, -one.selling].filter((units) => units !== 0)) {
      const all = filled(whole);
      for (let part = Math.sign(whole) * lot; Math.abs(part) < Math.abs(whole); part += Math.sign(whole) * lot) {
        const margin = filled(part);
        if (total(margin) <= total(none) || total(margin) <= total(all)) continue;
        if (total(margin) > total(best) || isLevel(margin, best)) best = margin;
      }
    }
  }
  return best;
}

/** Of two that need the same the one with more SPAN is shown. */
function isLevel(one: PlainMargin, best: PlainMargin): boolean {
  return total(one) === total(best) && one.span > best.span;
}

function marginOf(
  legs: readonly PlainLeg[],
  units: Units,
  day: IstDay,
  shareRate: number,
  premium: number,
): PlainMargin {
  const today = legs.filter((leg) => leg.contract.expiryDay === day);
  const later = legs.filter((leg) => leg.contract.expiryDay > day);
  let span = 0n;
  let exposure = 0n;
  for (const part of [today, later]) {
    span += spanOf(part, units, day);
    exposure += exposureOf(part, units, day, shareRate);
  }
  return { span: halfUp(span, 100n), exposure: halfUp(exposure, 30_000n), premium };
}

/** R4.26, R4.27: in the world of a rise what gains by it has filled, in that of a fall the rest. */
function isBought(leg: PlainLeg, world: string): boolean {
  return world === 'buys' || world === (isPut(leg) ? 'down' : 'up');
}

function isSold(leg: PlainLeg, world: string): boolean {
  return world === 'sells' || world === (isPut(leg) ? 'up' : 'down');
}

function isPut({ contract }: PlainLeg): boolean {
  return contract.kind === 'option' && contract.optionType === 'PE';
}

export function total({ span, exposure, premium }: PlainMargin): number {
  return span + exposure + premium;
}

/** The quotient of a positive number, halves up. */
function halfUp(value: bigint, by: bigint): number {
  return Number((2n * value + by) / (2n * by));
}

/** Halves away from nothing. */
function nearest(value: number): bigint {
  return BigInt(value < 0 ? -Math.round(-value) : Math.round(value));
}

const STEPS: readonly (readonly [thirds: number, volatility: number, percent: number])[] = [
  [0, 1, 100],
  [0, -1, 100],
  [1, 1, 100],
  [1, -1, 100],
  [-1, 1, 100],
  [-1, -1, 100],
  [2, 1, 100],
  [2, -1, 100],
  [-2, 1, 100],
  [-2, -1, 100],
  [3, 1, 100],
  [3, -1, 100],
  [-3, 1, 100],
  [-3, -1, 100],
  [6, 0, 35],
  [-6, 0, 35],
];

/** R4.1, in millionths. */
function scanOf({ contract, figures }: PlainLeg, day: IstDay): number {
  let floor = contract.underlyingKind === 'index' ? 0.093 : 0.142;
  if (contract.underlyingKind === 'index' && contract.kind === 'option' && contract.expiryDay > day + 274)
    floor = 0.177;
  const moved = 6 * (figures.volatility / Math.sqrt(252)) * Math.SQRT2;
  return Math.round((moved > floor ? moved : floor) * 1_000_000);
}

/** R4.2. */
function volatilityScanOf({ contract, figures }: PlainLeg): number {
  const floor = contract.underlyingKind === 'index' ? 0.04 : 0.1;
  return figures.volatility / 4 > floor ? figures.volatility / 4 : floor;
}

/** A leg is asked about in every world and part: its losses and its delta are worked out once. A leg is of one day. */
const LOSSES = new WeakMap<PlainLeg, readonly bigint[]>();
const DELTAS = new WeakMap<PlainLeg, bigint>();

/** R4.3, R4.4: hundredths of a paisa that one unit held loses, in each of the 16 steps. */
function lossesOf(leg: PlainLeg, day: IstDay): readonly bigint[] {
  const known = LOSSES.get(leg) ?? STEPS.map((_, step) => lossIn(leg, day, step));
  LOSSES.set(leg, known);
  return known;
}

function lossIn(leg: PlainLeg, day: IstDay, step: number): bigint {
  const [thirds = 0, volatility = 0, percent = 0] = STEPS[step] ?? [];
  const { figures, contract } = leg;
  if (contract.kind === 'future') {
    const times = BigInt(figures.spot) * BigInt(scanOf(leg, day)) * BigInt(thirds) * BigInt(percent) * 100n;
    const size = times < 0n ? -times : times;
    const rounded = (2n * size + 300_000_000n) / 600_000_000n;
    return times > 0n ? -rounded : rounded;
  }
  const price = ((thirds / 3) * scanOf(leg, day)) / 1_000_000;
  const lost = figures.value - figures.reprice(price, volatility * volatilityScanOf(leg));
  return nearest((lost * percent * 100) / 100);
}

/** R4.5: ten-thousandths. */
function compositeDelta(leg: PlainLeg, day: IstDay): bigint {
  const known = DELTAS.get(leg) ?? deltaOf(leg, day);
  DELTAS.set(leg, known);
  return known;
}

function deltaOf(leg: PlainLeg, day: IstDay): bigint {
  if (leg.contract.kind === 'future') return 100_000n;
  let mean = 0;
  const weights = [0.037, 0.111, 0.217, 0.27, 0.217, 0.111, 0.037];
  weights.forEach((weight, i) => {
    mean += weight * leg.figures.delta((((i - 3) / 3) * scanOf(leg, day)) / 1_000_000);
  });
  return nearest(mean * 100_000);
}

type Units = (leg: PlainLeg) => number;

/** R4.6 to R4.9, R4.18: hundredths of a paisa. */
function spanOf(legs: readonly PlainLeg[], units: Units, day: IstDay): bigint {
  const atRisk = legs.some((leg) => (leg.contract.kind === 'future' ? units(leg) !== 0 : units(leg) < 0));
  if (!atRisk) return 0n;
  const losses = STEPS.map(() => 0n);
  for (const leg of legs) {
    const count = BigInt(units(leg));
    lossesOf(leg, day).forEach((loss, step) => {
      losses[step] = (losses[step] ?? 0n) + count * loss;
    });
  }
  let scan = 0n;
  for (const loss of losses) if (loss > scan) scan = loss;
  let value = 0n;
  for (const leg of legs) {
    if (leg.contract.kind === 'option') value += BigInt(units(leg)) * BigInt(leg.figures.price) * 100n;
  }
  const span = scan + calendarOf(legs, units, day) - value;
  return span > 0n ? span : 0n;
}

function expiriesOf(legs: readonly PlainLeg[]): IstDay[] {
  const days: IstDay[] = [];
  for (const { contract } of legs) if (!days.includes(contract.expiryDay)) days.push(contract.expiryDay);
  return days.sort((a, b) => a - b);
}

/** R4.7: hundredths of a paisa. */
function calendarOf(legs: readonly PlainLeg[], units: Units, day: IstDay): bigint {
  const days = expiriesOf(legs);
  const deltas = days.map((expiry) => {
    let sum = 0n;
    for (const leg of legs) if (leg.contract.expiryDay === expiry) sum += BigInt(units(leg)) * compositeDelta(leg, day);
    return sum;
  });
  const matched = days.map(() => 0n);
  for (const match of matches(deltas)) matched[match.far] = (matched[match.far] ?? 0n) + match.matched;
  let charge = 0n;
  days.forEach((expiry, far) => {
    const leg = legs.find((one) => one.contract.expiryDay === expiry);
    if (leg === undefined) throw new Error('an expiry has a leg');
    const rate = leg.contract.underlyingKind === 'index' ? 175n : 220n;
    const ofUnit = (BigInt(leg.figures.forward) * rate + 50n) / 100n;
    charge += ((matched[far] ?? 0n) * ofUnit + 50_000n) / 100_000n;
  });
  return charge;
}

/** Pairs of opposite sign, the nearest expiry with the next that offsets it. */
function matches(amounts: readonly bigint[]): { near: number; far: number; matched: bigint }[] {
  const left = [...amounts];
  const found: { near: number; far: number; matched: bigint }[] = [];
  for (let near = 0; near < left.length; near += 1) {
    for (let far = near + 1; far < left.length; far += 1) {
      const a = left[near] ?? 0n;
      const b = left[far] ?? 0n;
      if (!((a > 0n && b < 0n) || (a < 0n && b > 0n))) continue;
      const sizes = [a < 0n ? -a : a, b < 0n ? -b : b] as const;
      const matched = sizes[0] < sizes[1] ? sizes[0] : sizes[1];
      left[near] = a > 0n ? a - matched : a + matched;
      left[far] = b > 0n ? b - matched : b + matched;
      found.push({ near, far, matched });
    }
  }
  return found;
}

/** R4.13 to R4.17 and R4.14's relief for calendar spreads: thirds of a ten-thousandth of a paisa. */
function exposureOf(legs: readonly PlainLeg[], units: Units, day: IstDay, shareRate: number): bigint {
  let exposure = 0n;
  for (const leg of legs) {
    const count = units(leg);
    if (leg.contract.kind === 'option' && count < 0) exposure += 3n * BigInt(-count) * ratedUnit(leg, day);
    const side = count > 0 ? 'long' : 'short';
    exposure += 3n * BigInt(count < 0 ? -count : count) * deliveryOf(leg, day, side, shareRate);
  }
  const days = expiriesOf(legs);
  const futures = days.map((expiry) =>
    legs.find(({ contract }) => contract.kind === 'future' && contract.expiryDay === expiry),
  );
  const counts = futures.map((leg) => BigInt(leg === undefined ? 0 : units(leg)));
  const open = [...counts];
  for (const { near, far, matched } of matches(counts)) {
    const later = futures[far];
    if (later === undefined) throw new Error('a matched expiry has a future');
    exposure += matched * ratedUnit(later, day);
    open[near] = shrunk(open[near] ?? 0n, matched);
    open[far] = shrunk(open[far] ?? 0n, matched);
  }
  futures.forEach((leg, i) => {
    const count = open[i] ?? 0n;
    if (leg !== undefined) exposure += 3n * (count < 0n ? -count : count) * ratedUnit(leg, day);
  });
  return exposure;
}

function shrunk(amount: bigint, by: bigint): bigint {
  return amount > 0n ? amount - by : amount + by;
}

/** R4.13, R4.15, R4.16: a basis point's share of a paisa. */
function ratedUnit({ contract, figures }: PlainLeg, day: IstDay): bigint {
  const index = contract.underlyingKind === 'index';
  if (contract.kind === 'future') return BigInt(figures.price) * (index ? 200n : 350n);
  const { strike, optionType, expiryDay } = contract;
  const beyond = optionType === 'CE' ? strike - figures.spotClose : figures.spotClose - strike;
  let rate: bigint;
  if (!index) {
    rate = 10 * beyond > 3 * figures.spotClose ? 525n : 350n;
  } else if (expiryDay - day > 274) {
    rate = 500n;
  } else {
    rate = 10 * beyond > figures.spotClose ? 300n : 200n;
  }
  if (index && expiryDay === day) rate += 200n;
  return BigInt(figures.spot) * rate;
}

/** R4.17: a basis point's share of a paisa, of one unit. */
function deliveryOf(leg: PlainLeg, day: IstDay, side: 'long' | 'short', shareRate: number): bigint {
  const { contract, figures, daysLeft } = leg;
  if (contract.underlyingKind === 'index') return 0n;
  if (contract.kind === 'option' && side === 'long') {
    const percent = [100n, 70n, 45n, 25n, 10n][daysLeft] ?? 0n;
    const inside = contract.optionType === 'CE' ? figures.spot > contract.strike : figures.spot < contract.strike;
    return inside ? (BigInt(contract.strike) * BigInt(shareRate) * percent + 50n) / 100n : 0n;
  }
  if (daysLeft > 0) return 0n;
  const alone: Units = () => (side === 'long' ? 1 : -1);
  const normal = 100n * spanOf([leg], alone, day) + ratedUnit(leg, day);
  const half = 5_000n * BigInt(contract.kind === 'future' ? figures.price : contract.strike);
  const raised = (3n * normal + 1n) / 2n;
  const least = half < raised ? half : raised;
  return least > normal ? least - normal : 0n;
}

/** R4.25, R4.28: paise for the buys that open; those that close cost nothing. */
function premiumOf(leg: PlainLeg): number {
  return premiumOfPart(leg, leg.buying);
}

/** The same of the first `units` of the buys. */
function premiumOfPart({ contract, held, buying, buyValue }: PlainLeg, units: number): number {
  if (contract.kind === 'future' || buying === 0) return 0;
  const closing = held < 0 ? -held : 0;
  const opening = units > closing ? units - closing : 0;
  return halfUp(BigInt(buyValue) * BigInt(opening), BigInt(buying));
}
