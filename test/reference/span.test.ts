import assert from 'node:assert/strict';
import test from 'node:test';
import { must } from '../../src/base/assert.ts';
import type { InstrumentId } from '../../src/base/ids.ts';
import { price } from '../../src/base/money.ts';
import { Random } from '../../src/base/random.ts';
import type { IstDay } from '../../src/base/time.ts';
import type { Position } from '../../src/core/account.ts';
import type { Derivative } from '../../src/core/instrument.ts';
import {
  call,
  contract,
  type Fills,
  NIFTY,
  portfolio,
  put,
  RELIANCE,
  row,
  share,
  TODAY,
} from '../../src/core/margin/margin-fixture.ts';
import { explainRequirement, requirement } from '../../src/core/margin/requirement.ts';
import type { Market, RiskFigures } from '../../src/core/market.ts';
import { rowsIn, setRowsIn } from '../../src/core/portfolio.ts';
import { black76, spotDelta } from '../../src/market/options/black76.ts';
import { marginPorts } from '../kit/margin-ports.ts';
import { StillMarket } from '../kit/money/still-market.ts';
import { forwardOf } from '../kit/span/forward-of.ts';
import { type PlainLeg, plainFloor, plainSpan, plainWorlds, total } from './span.ts';

/*
 * Margins of random portfolios of futures and options against the second implementation in span.ts, to the paisa.
 * SAUDA_SPAN_PORTFOLIOS and SAUDA_SPAN_SEED run more, or one again.
 */

const PORTFOLIOS = Number(process.env.SAUDA_SPAN_PORTFOLIOS ?? 5_000);
const SEED = Number(process.env.SAUDA_SPAN_SEED ?? 1);
const SPREADS = 8_000;
const MOST_LEGS = 20;
const EXPIRIES = [0, 1, 2, 4, 5, 30, 61, 92, 280, 500];

interface Drawn {
  readonly legs: readonly PlainLeg[];
  readonly rows: readonly Position[];
  readonly shareVolatility: number;
}

function figuresOf(of: Derivative, random: Random, spot: number, spotClose: number, volatility: number): RiskFigures {
  const years = Math.max(of.expiryDay - TODAY, 0.3) / 365;
  const forward = price(Math.round(forwardOf(spot, years)));
  const common = { spot: price(spot), spotClose: price(spotClose), forward, volatility };
  if (of.kind === 'future') {
    const last = price(forward + random.between(-500, 500));
    return { ...common, price: last, value: last, reprice: (move) => last + spot * move, delta: () => 1 };
  }
  const terms = { type: of.optionType, strike: of.strike };
  const own = volatility * (0.8 + random.below(60) / 100);
  const later = Math.max(of.expiryDay - TODAY - 1, 0) / 365;
  const value = black76(terms, forwardOf(spot, years), years, own);
  return {
    ...common,
    value,
    price: price(Math.max(5, 5 * Math.round((value * (0.97 + random.below(7) / 100)) / 5))),
    reprice: (move, points) => black76(terms, forwardOf(spot * (1 + move), later), later, Math.max(own + points, 0.01)),
    delta: (move) => spotDelta(terms, forwardOf(spot * (1 + move), years), years, own),
  };
}

/** One underlying, up to twenty contracts on it, with positions and open orders. */
function draw(random: Random): Drawn {
  const ofIndex = random.chance(60);
  const underlying = ofIndex ? NIFTY : RELIANCE;
  const lot = ofIndex ? 65 : 500;
  const spot = ofIndex ? random.between(20_000_00, 30_000_00) : random.between(200_00, 3_000_00);
  const spotClose = Math.round(spot * (0.95 + random.below(11) / 100));
  const volatility = (ofIndex ? 8 : 15) / 100 + random.below(40) / 100;
  const listed = new Map<string, Derivative>();
  const count = random.between(1, MOST_LEGS);
  for (let i = 0; i < count; i += 1) {
    const id = 1_000 + i;
    const days = random.pick(EXPIRIES);
    const strike = Math.max(1, Math.round((spot / 100) * (0.6 + random.below(17) * 0.05)));
    const make = random.pick([
      () => contract(id, { kind: 'future' }, days, underlying),
      () => call(id, strike, days, underlying),
      () => put(id, strike, days, underlying),
    ]);
    const made = { ...make(), lot } as Derivative;
    const key = made.kind === 'future' ? `${days}` : `${days} ${made.optionType} ${made.strike}`;
    if (!listed.has(key)) listed.set(key, made);
  }
  const legs: PlainLeg[] = [];
  const rows: Position[] = [];
  for (const of of listed.values()) {
    const held = random.chance(80) ? lot * random.between(-6, 6) : 0;
    const buying = random.chance(25) ? lot * random.between(1, 5) : 0;
    const selling = random.chance(25) ? lot * random.between(1, 5) : 0;
    const limit = random.between(5, 30_000);
    const figures = figuresOf(of, random, spot, spotClose, volatility);
    legs.push({
      contract: of,
      figures,
      daysLeft: of.expiryDay - TODAY,
      held,
      buying,
      buyValue: buying * limit,
      selling,
    });
    rows.push(...rowsOf(of, random, held, orders('B', buying, limit), orders('S', selling, limit)));
  }
  return { legs, rows, shareVolatility: volatility };
}

function orders(side: 'B' | 'S', units: number, limit: number): Fills {
  return units === 0 ? [] : [[side, units, limit]];
}

/** The quantities of one contract, in one row or shared over both products. */
function rowsOf(of: Derivative, random: Random, held: number, buys: Fills, sells: Fills): Position[] {
  const fills: Fills = held === 0 ? [] : [[held > 0 ? 'B' : 'S', Math.abs(held), 100]];
  if (random.chance(50)) return [row(of, 'M', fills, [...buys, ...sells])];
  return [row(of, 'M', fills, sells), row(of, 'I', [], buys)];
}

/** A market of what was drawn. */
function marketOf(legs: readonly PlainLeg[], shareVolatility: number): Market {
  const market = new StillMarket();
  const last = 100_00;
  for (const { contract: of, figures } of legs) market.quotes.set(of.id, { last, risk: figures });
  const spot = legs[0]?.figures.spot ?? price(last);
  const ofShare = { price: spot, spot, spotClose: spot, forward: spot, value: spot, volatility: shareVolatility };
  market.quotes.set(RELIANCE, { last, risk: { ...ofShare, reprice: (move) => spot * (1 + move), delta: () => 1 } });
  return market;
}

/** VaR and ELM of a liquid share, in basis points. Source: market-rules R4.20. */
function shareRate(volatility: number): number {
  return Math.max(900, Math.round(6 * (volatility / Math.sqrt(252)) * 10_000)) + 350;
}

test(`margins of ${PORTFOLIOS} random portfolios are those of the plain implementation, to the paisa`, () => {
  let withOrders = 0;
  let withOffsets = 0;
  let withFloor = 0;
  for (let i = 0; i < PORTFOLIOS; i += 1) {
    const seed = SEED + i;
    const random = new Random(seed);
    const { legs, rows, shareVolatility } = draw(random);
    const listed = [...legs.map((leg) => leg.contract), share(RELIANCE)];
    const desk = marginPorts(marketOf(legs, shareVolatility), listed);
    const { span, exposure, premium, cash, floor = 0 } = requirement(desk, portfolio(...rows));
    const rate = shareRate(shareVolatility);
    const plain = plainSpan(legs, TODAY as IstDay, rate);
    assert.deepEqual({ span, exposure, premium }, plain, `seed ${seed}`);
    assert.equal(floor, plainFloor(legs, TODAY as IstDay, rate, plain), `seed ${seed}`);
    assert.equal(cash, 0);
    if (floor > 0) withFloor += 1;
    if (legs.some((leg) => leg.buying + leg.selling > 0)) withOrders += 1;
    if (new Set(legs.map((leg) => leg.contract.expiryDay)).size > 1) withOffsets += 1;
  }
  assert.ok(
    withOrders > PORTFOLIOS / 2 && withOffsets > PORTFOLIOS / 2,
    'most portfolios have orders and several expiries',
  );
  assert.ok(withFloor > PORTFOLIOS / 100, `only ${withFloor} portfolios have a floor`);
});

/**
 * Options of several expiries that hardly lose in a scan, so that the charge of their spreads decides. A large order of
 * the first opens, or closes all that is held of it; some others have a large order as well.
 */
function drawSpread(random: Random): Drawn {
  const { legs: drawn, shareVolatility } = draw(random);
  const legs: PlainLeg[] = [];
  const rows: Position[] = [];
  for (const { contract: of, figures, daysLeft, held: drawnHeld } of drawn) {
    if (of.kind === 'future' || legs.length === 3) continue;
    const { value } = figures;
    const still = { ...figures, reprice: (move: number) => Math.max(0, value * (1 + move / 50)) };
    const isFirst = legs.length === 0;
    const ordered = isFirst || random.chance(10) ? of.lot * random.between(2, 12) : 0;
    const [buying, selling] = random.chance(50) ? [ordered, 0] : [0, ordered];
    const closed = random.chance(25) ? selling - buying : 0;
    const held = isFirst ? closed : drawnHeld;
    legs.push({ contract: of, figures: still, daysLeft, held, buying, buyValue: buying * 500, selling });
    rows.push(...rowsOf(of, random, held, orders('B', buying, 500), orders('S', selling, 500)));
  }
  return { legs, rows, shareVolatility };
}

test('a part of an order that needs more than none and than all of it is blocked, as the plain implementation finds it', () => {
  const inPart = { buys: 0, sells: 0 };
  for (let seed = SEED; seed < SEED + SPREADS; seed += 1) {
    const { legs, rows, shareVolatility } = drawSpread(new Random(seed));
    const desk = marginPorts(marketOf(legs, shareVolatility), [...legs.map((leg) => leg.contract), share(RELIANCE)]);
    const { span, exposure, premium, floor = 0 } = requirement(desk, portfolio(...rows));
    const rate = shareRate(shareVolatility);
    const plain = plainSpan(legs, TODAY as IstDay, rate);
    assert.deepEqual({ span, exposure, premium }, plain, `seed ${seed}`);
    assert.equal(floor, plainFloor(legs, TODAY as IstDay, rate, plain), `seed ${seed}`);
    if (total(plain) === total(plainWorlds(legs, TODAY as IstDay, rate))) continue;
    const { world, ...explained } = must(explainRequirement(desk, portfolio(...rows)), 'there are contracts');
    assert.equal(world, 'part', `seed ${seed}`);
    assert.equal(Math.round(explained.margin.span / 100), span, `seed ${seed}`);
    if (legs.every(({ selling }) => selling === 0)) inPart.buys += 1;
    if (legs.every(({ buying }) => buying === 0)) inPart.sells += 1;
  }
  assert.ok(inPart.buys > 0 && inPart.sells > 0, `a part needs most of ${inPart.buys} buys, ${inPart.sells} sells`);
});

test('a portfolio that is added up order by order is the one that is added up at once', () => {
  for (let seed = SEED; seed < SEED + 600; seed += 1) {
    const random = new Random(seed);
    const { legs, rows, shareVolatility } = random.chance(50) ? draw(random) : drawSpread(random);
    const desk = marginPorts(marketOf(legs, shareVolatility), [...legs.map((leg) => leg.contract), share(RELIANCE)]);
    const growing = portfolio();
    for (const one of random.chance(50) ? rows : rows.toReversed()) {
      const id: InstrumentId = one.instrument;
      requirement(desk, growing, [one]);
      setRowsIn(growing, id, [...rowsIn(growing, id), one]);
      if (growing.sums !== undefined) growing.touched.push(id);
    }
    assert.deepEqual(requirement(desk, growing), requirement(desk, portfolio(...rows)), `seed ${seed}`);
  }
});
