import assert from 'node:assert/strict';
import test from 'node:test';
import { quantity } from '../../../src/base/money.ts';
import { formatIsoDay, type IstDay } from '../../../src/base/time.ts';
import { judge, ORDER_CHECKS } from '../../../src/core/broker/orders/admission.ts';
import type { OrderWish } from '../../../src/core/broker/orders/order-wish.ts';
import { modificationWish, placementWish } from '../../../src/core/broker/orders/orders.ts';
import { type CheckFinding, CheckTrace } from '../../../src/core/broker/trials/check-trace.ts';
import type { PlaceOrder } from '../../../src/core/command.ts';
import { portsFor } from '../../../src/core/decide.ts';
import type { Instrument } from '../../../src/core/instrument.ts';
import type { Order, OrderTerms } from '../../../src/core/order.ts';
import type { Ports } from '../../../src/core/ports.ts';
import type { SwitchTarget } from '../../../src/core/switches/switch.ts';
import { FIRST_DAY, listed, NIFTY_CALL, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { EXPIRING_CALL, STOCK_CONTRACTS, STOCK_FUTURE, STOCK_LOT } from '../../kit/money/stock-contracts.ts';
import { CALL_24000, FUTURE, PUT_23500, TODAY, workedWorld } from '../../kit/money/worked-options.ts';
import { type OrderWords, placement, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const CRORE = 1_000_000_000;

type Figures = Readonly<Record<string, number | string>>;

/** The figures of each check that gave any, by its name; paise and units. */
function figuresOf(findings: readonly CheckFinding[]): Readonly<Record<string, Figures>> {
  const told = findings.filter(({ figures }) => figures.length > 0);
  return Object.fromEntries(
    told.map(({ name, figures }) => [name, Object.fromEntries(figures.map((one) => [one.name, one.value]))]),
  );
}

/** The checks of an order on the state as it is, which stays as it is. */
function judged(world: World, ports: Ports, command: PlaceOrder): readonly CheckFinding[] {
  const desk = portsFor(world.state, ports, { seq: world.state.seq, at: world.at, command });
  const trace = new CheckTrace();
  const wish = placementWish(world.state, desk, command);
  assert.deepEqual(judge(wish, trace), judge(wish), 'who listens changes no answer');
  return trace.findings;
}

function open() {
  const market = new StillMarket();
  market.quotes.set(RELIANCE.id, { bid: 999_00, ask: 1_001_00, last: 1_000_00, band: [900_00, 1_100_00] });
  market.quotes.set(NIFTY_CALL.id, { bid: 119_95, ask: 120_05, last: 120_00 });
  market.quotes.set(NIFTY_FUTURE.id, { bid: 24_000_00, ask: 24_000_00, last: 24_000_00 });
  const get = (id: Instrument['id']) => STOCK_CONTRACTS.find((one) => one.id === id) ?? listed.get(id);
  const ports = testPorts({ instruments: { get }, market });
  const world = new World(ports, FIRST_DAY);
  const by = world.user('AB1234', CRORE);
  const told = (words: OrderWords) => figuresOf(judged(world, ports, placement(words)));
  const wishFor = (words: OrderWords) => {
    const command = placement(words);
    return placementWish(
      world.state,
      portsFor(world.state, ports, { seq: world.state.seq, at: world.at, command }),
      command,
    );
  };
  const toldOfChange = ({ number }: Order, words: Partial<OrderTerms>) => {
    const current = world.order(number);
    const command = placement({ by, of: current.instrument, side: current.side, units: 1 });
    const desk = portsFor(world.state, ports, { seq: world.state.seq, at: world.at, command });
    const trace = new CheckTrace();
    judge(modificationWish(world.state, desk, current, { terms: { ...current.terms, ...words } }), trace);
    return figuresOf(trace.findings);
  };
  return { market, ports, world, by, told, toldOfChange, wishFor };
}

/** The figures of the usual risk group. */
const ENABLED = {
  'the product and the exchange are enabled for the client': {
    'enabled products': 'C M I',
    'enabled exchanges': 'NSE BSE NFO BFO',
  },
};

/** The figures where no exchange is in risk reduction mode. */
const NOT_REDUCED = {
  'an order in risk reduction mode is immediate': { 'risk reduction mode': 'off', retention: 'DAY' },
};

test('each check of an option stop gives the figures that it compared', () => {
  const { by, told } = open();
  const stop = { type: 'SL-LMT', trigger: 130_00, at: 140_00 } as const;
  const { 'the margin is there': margin, ...others } = told({
    by,
    of: NIFTY_CALL.id,
    side: 'B',
    units: 65,
    product: 'I',
    ...stop,
  });
  assert.deepEqual(others, {
    'the product is enabled on the exchange': { product: 'I', exchange: 'NFO' },
    ...ENABLED,
    'the instrument can be traded': { kind: 'option' },
    'trading is not blocked': { 'kill switch': 'none' },
    'the instrument is not suspended and its market is not halted': { 'stopped by': 'nothing' },
    'the phase of the market takes the order': { phase: 'Continuous', 'price type': 'SL-LMT', retention: 'DAY' },
    'the limit is not worse than the trigger': { trigger: 130_00, limit: 140_00 },
    'the trigger is not crossed yet': { trigger: 130_00, 'last price': 120_00 },
    'the limit is near the trigger': { gap: 10_00, 'widest gap': 26_00 },
    'the quantity is whole lots': { quantity: 65, lot: 65 },
    'the quantity is within the freeze quantity': { quantity: 65, 'freeze quantity': 1_800 },
    'the price is on the tick': { price: 140_00, tick: 5 },
    'the trigger is on the tick': { trigger: 130_00, tick: 5 },
    'the market gives a reference for a market order': { limit: 140_00 },
    'price and trigger are inside the band': { price: 140_00, 'lower circuit': 5, 'upper circuit': 1_000_000_00 },
    'an intraday order after the square-off only reduces': { segment: 'Contracts', 'squared off': 'no' },
    ...NOT_REDUCED,
  });
  assert.equal(margin?.required, 65 * 140_00, 'the premium of a purchase');
});

test('each check of a delivery sale gives the figures that it compared', () => {
  const { world, by, told, toldOfChange } = open();
  world.give(by, RELIANCE.id, 100, 100 * 1_000_00);
  const sale = { by, of: RELIANCE.id, side: 'S', at: 1_010_00, product: 'C' } as const;
  const resting = world.place({ ...sale, units: 40 });
  assert.deepEqual(told({ ...sale, units: 10 }), {
    'the product is enabled on the exchange': { product: 'C', exchange: 'NSE' },
    ...ENABLED,
    'the instrument can be traded': { kind: 'equity' },
    'trading is not blocked': { 'kill switch': 'none' },
    'the instrument is not suspended and its market is not halted': { 'stopped by': 'nothing' },
    'the phase of the market takes the order': { phase: 'Continuous', 'price type': 'LMT', retention: 'DAY' },
    'the quantity is whole lots': { quantity: 10, lot: 1 },
    'the quantity is within the freeze quantity': { quantity: 10, 'freeze quantity': 1_000_000 },
    'the price is on the tick': { price: 1_010_00, tick: 5 },
    'the market gives a reference for a market order': { limit: 1_010_00 },
    'price and trigger are inside the band': { price: 1_010_00, 'lower circuit': 900_00, 'upper circuit': 1_100_00 },
    'a cash order is not above the value cap': { value: 10_100_00, cap: 100_000_000_00 },
    'a delivery sale has the shares': { 'to sell': 10, 'eligible to sell': 60 },
    'the share may be traded intraday': { series: 'EQ', product: 'C' },
    'the margin is there': {
      'priced at': 1_010_00,
      'total margin': CRORE,
      'margin used': 0,
      available: CRORE,
      'added while it rests': 0,
      required: 0,
    },
    ...NOT_REDUCED,
  });
  const changed = toldOfChange(resting, { quantity: quantity(60) });
  assert.deepEqual(changed['a modified quantity is above what is filled'], { quantity: 60, filled: 0 });
  assert.deepEqual(changed['a delivery sale has the shares'], { 'to sell': 20, 'eligible to sell': 60 });
});

test('an order that an operator stopped is named by its switch', () => {
  const { world, by, told } = open();
  const set = (target: SwitchTarget, on: boolean) =>
    world.submit({ type: 'SetSwitch', target, on, by: 'test', why: 'test' });
  const words = { by, of: RELIANCE.id, side: 'B', units: 1, at: 1_000_00, product: 'C' } as const;
  set({ kind: 'InstrumentKill', instrument: RELIANCE.id }, true);
  assert.deepEqual(told(words)['trading is not blocked'], { 'kill switch': 'InstrumentKill' });
  assert.deepEqual(world.refusal(words), { rule: 'TradingBlocked' });
  set({ kind: 'InstrumentKill', instrument: RELIANCE.id }, false);
  set({ kind: 'Halt', exchange: 'NSE' }, true);
  const stopped = 'the instrument is not suspended and its market is not halted';
  assert.deepEqual(told(words)[stopped], { 'stopped by': 'Halt' });
  assert.deepEqual(world.refusal(words), { rule: 'MarketHalted' });
  set({ kind: 'Suspension', instrument: RELIANCE.id }, true);
  assert.deepEqual(told(words)[stopped], { 'stopped by': 'Suspension' });
  assert.deepEqual(world.refusal(words), { rule: 'InstrumentSuspended' });
});

test('an order on a day that was not recorded is refused with the recorded days, also one that waits', () => {
  const { world, market, ports, told } = open();
  const span = { from: (FIRST_DAY - 90) as IstDay, to: (FIRST_DAY - 1) as IstDay };
  const words = {
    by: world.user('CD1234', CRORE),
    of: RELIANCE.id,
    side: 'B',
    units: 1,
    at: 1_000_00,
    product: 'C',
  } as const;
  const recorded = 'the market has the instrument on that day';
  assert.equal(told(words)[recorded], undefined);
  const asked: IstDay[] = [];
  Object.assign(market, {
    outsideRecord: (_id: number, day: IstDay) => {
      asked.push(day);
      return span;
    },
  });
  assert.equal(told(words)[recorded]?.['recorded days'], `${formatIsoDay(span.from)} to ${formatIsoDay(span.to)}`);
  assert.deepEqual(world.refusal(words), { rule: 'NotRecorded', ...span });
  const later = (FIRST_DAY + 1) as IstDay;
  const command = placement(words);
  const desk = portsFor(world.state, ports, { seq: world.state.seq, at: world.at, command });
  const waiting = { ...placementWish(world.state, desk, command), waitsFor: later };
  assert.deepEqual(judge(waiting), { rule: 'NotRecorded', ...span });
  assert.equal(asked.at(-1), later);
  Object.assign(market, { outsideRecord: () => 'none' });
  assert.deepEqual(world.refusal(words), { rule: 'NoTape' });
});

test('a check that lets positions only be reduced gives the position before and after', () => {
  const { market, world, by, told } = open();
  market.quotes.set(STOCK_FUTURE.id, { bid: 1_000_00, ask: 1_000_00, last: 1_000_00 });
  market.quotes.set(EXPIRING_CALL.id, { bid: 2_00, ask: 2_00, last: 2_00 });
  const future = { by, of: STOCK_FUTURE.id, at: 1_000_00, product: 'I' } as const;
  world.place({ ...future, side: 'B', units: 2 * STOCK_LOT });
  world.place({ ...future, side: 'S', units: STOCK_LOT, at: 1_010_00 });
  const sale = { ...future, side: 'S', units: 2 * STOCK_LOT } as const;
  const turned = { position: 2 * STOCK_LOT, 'position with all orders of this side': -STOCK_LOT };
  world.submit({ type: 'SetBan', underlying: RELIANCE.id, banned: true, by: 'test' });
  assert.deepEqual(told(sale)['a banned underlying is only reduced'], turned);
  world.submit({ type: 'SetBan', underlying: RELIANCE.id, banned: false, by: 'test' });
  world.submit({ type: 'SquareOff', day: world.state.day, segment: 'Contracts' });
  assert.deepEqual(
    told({ ...future, side: 'B', units: STOCK_LOT })['an intraday order after the square-off only reduces'],
    {
      segment: 'Contracts',
      'squared off': 'yes',
      position: 2 * STOCK_LOT,
      'position with all orders of this side': 3 * STOCK_LOT,
    },
  );
  const call = { by, of: EXPIRING_CALL.id, side: 'B', units: STOCK_LOT, at: 2_00 } as const;
  assert.deepEqual(told(call)['no purchase opens an option that is delivered today'], {
    position: 0,
    'position with all orders of this side': STOCK_LOT,
  });
});

test('a limit of a contract is given beside the prices that protect it', () => {
  const { by, told } = open();
  const call = { by, of: NIFTY_CALL.id, units: 65 } as const;
  for (const [side, at] of [
    ['B', 140_00],
    ['S', 110_00],
  ] as const) {
    assert.deepEqual(told({ ...call, side, at })['a limit is inside the limit price protection'], {
      price: at,
      'lowest protected price': 72_00,
      'highest protected price': 168_00,
    });
  }
});

test('beside collateral a purchase gives the cash that pays for it', () => {
  const { world, told } = open();
  const by = world.user('CD5678', 20_000_00);
  world.give(by, RELIANCE.id, 1_000, 1_000 * 1_000_00);
  world.submit({ type: 'PledgeShares', account: by, instrument: RELIANCE.id, quantity: quantity(1_000) });
  const { collateral } = world.account(by).books;
  assert.ok(collateral > 0);
  const buy = { by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 140_00 } as const;
  assert.deepEqual(told(buy)['premium and deliveries are paid from cash'], {
    collateral,
    'cash that may pay': 20_000_00,
    'cash that may pay once it has filled': 20_000_00 - 65 * 140_00,
  });
});

test('the margin of a short is given part by part, as its account has it once the order rests', () => {
  const { ports } = workedWorld();
  const world = new World(ports, TODAY);
  const by = world.user('AB1234', CRORE);
  const sale = { by, of: CALL_24000.id, side: 'S', units: 65, at: 500_00 } as const;
  const [findings, bought] = [sale, { ...sale, side: 'B', of: FUTURE.id, at: 24_000_00 } as const].map((words) =>
    judged(world, ports, placement(words)),
  );
  const margin = figuresOf(findings ?? [])['the margin is there'];
  assert.equal(world.place(sale).status, 'Open');
  const { books } = world.account(by);
  assert.ok(books.span > 0 && books.exposure > 0);
  const used = books.span + books.exposure;
  assert.deepEqual(margin, {
    'priced at': 500_00,
    'span now': 0,
    'span with it': books.span,
    'exposure now': 0,
    'exposure with it': books.exposure,
    'world that needs most': 'sold',
    'worst scenario': 11,
    'total margin': CRORE,
    'margin used': 0,
    available: CRORE,
    'added while it rests': used,
    'added once it has filled': used,
    required: used,
  });
  const second = figuresOf(judged(world, ports, placement(sale)))['the margin is there'];
  assert.deepEqual(
    [second?.['span now'], second?.['margin used'], second?.available],
    [books.span, used, CRORE - used],
  );
  assert.equal(figuresOf(bought ?? [])['the margin is there']?.['world that needs most'], 'bought');
});

test('parts of the margin that are in use already are given when the order adds nothing to them', () => {
  const { world, by, told } = open();
  world.place({ by, of: RELIANCE.id, side: 'B', units: 10, at: 1_001_00, product: 'C' });
  const margin = told({ by, of: NIFTY_CALL.id, side: 'B', units: 65, at: 140_00 })['the margin is there'];
  assert.deepEqual([margin?.['cash segment now'], margin?.['cash segment with it']], [10 * 1_001_00, 10 * 1_001_00]);
  assert.deepEqual([margin?.['premium now'], margin?.['premium with it']], [0, 65 * 140_00]);
  assert.equal(margin?.['realised loss now'], undefined, 'what is nothing before and after is left out');
});

test('a stop that is crossed already is refused by its own check, before the exchange would refuse it', () => {
  const { world, by, ports } = open();
  const stop = { by, of: NIFTY_CALL.id, side: 'B', units: 65, type: 'SL-LMT', trigger: 120_00, at: 121_00 } as const;
  const refused = judged(world, ports, placement(stop)).filter(({ outcome }) => outcome === 'refused');
  assert.deepEqual(
    refused.map(({ name }) => name),
    ['the trigger is not crossed yet'],
  );
});

test('a modification is given by what it adds to the order that it changes', () => {
  const { world, by, toldOfChange } = open();
  const order = world.place({ by, of: RELIANCE.id, side: 'B', units: 10, at: 990_00, product: 'C' });
  const margin = toldOfChange(order, { quantity: quantity(30) })['the margin is there'];
  assert.deepEqual(margin, {
    'priced at': 990_00,
    'cash segment now': 10 * 990_00,
    'cash segment with it': 30 * 990_00,
    'total margin': CRORE,
    'margin used': 10 * 990_00,
    available: CRORE - 10 * 990_00,
    'added while it rests': 20 * 990_00,
    required: 20 * 990_00,
  });
  const future = world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 23_900_00 });
  const used = world.account(by).books.span + world.account(by).books.exposure;
  const doubled = toldOfChange(future, { quantity: quantity(130) })['the margin is there'];
  assert.deepEqual(
    [doubled?.['added while it rests'], doubled?.['added once it has filled'], doubled?.required],
    [used, used, used],
  );
});

test('orders of both ways that gain together are given as the world of a rise, or of a fall', () => {
  const { ports } = workedWorld();
  const world = new World(ports, TODAY);
  const by = world.user('AB1234', CRORE);
  const worldOf = (side: 'B' | 'S') => {
    const words = { by, of: FUTURE.id, side, units: 65, at: side === 'B' ? 24_000_00 : 24_200_00 } as const;
    return figuresOf(judged(world, ports, placement(words)))['the margin is there']?.['world that needs most'];
  };
  const put = { by, of: PUT_23500.id, units: 65 } as const;
  const written = world.place({ ...put, side: 'S', at: 150_00 });
  assert.equal(written.status, 'Open');
  assert.equal(worldOf('B'), 'rising', 'a future bought and a put sold');
  world.submit({ type: 'CancelOrder', account: by, order: written.number });
  assert.equal(world.place({ ...put, side: 'B', at: 140_00 }).status, 'Open');
  assert.equal(worldOf('S'), 'falling', 'a future sold and a put bought');
});

test('checks after a refusal are not asked', () => {
  const { world, by } = open();
  const words = { by, of: RELIANCE.id, side: 'B', units: 1, at: 1_000_03, product: 'C' } as const;
  const ports = testPorts();
  const outcomes = judged(world, ports, placement(words)).map(({ outcome }) => outcome);
  const at = outcomes.indexOf('refused');
  assert.equal(ORDER_CHECKS[at]?.name, 'the price is on the tick');
  assert.ok(outcomes.slice(0, at).every((outcome) => outcome === 'passed'));
  assert.ok(outcomes.slice(at + 1).every((outcome) => outcome === 'unasked'));
});

test('of an order that waits for a session only what no session can change is asked, and of the risk desk nothing that keeps clients back', () => {
  const { world, by, wishFor } = open();
  const wish = wishFor({ by, of: RELIANCE.id, side: 'B', units: 1, at: 1_000_00, product: 'C' });
  const unasked = (more: Partial<OrderWish>) => {
    const trace = new CheckTrace();
    assert.equal(judge({ ...wish, ...more }, trace), undefined);
    return trace.findings.filter(({ outcome }) => outcome === 'unasked').map(({ name }) => name);
  };
  assert.deepEqual(unasked({}), []);
  assert.deepEqual(unasked({ waitsFor: world.state.day }), [
    'the instrument is not suspended and its market is not halted',
    'the phase of the market takes the order',
    'the trigger is not crossed yet',
    'the market gives a reference for a market order',
    'price and trigger are inside the band',
    'an intraday order after the square-off only reduces',
    'a banned underlying is only reduced',
    'no purchase opens an option that is delivered today',
    'a delivery sale has the shares',
    'premium and deliveries are paid from cash',
    'the margin is there',
    'a limit is inside the limit price protection',
    'an order in risk reduction mode is immediate',
  ]);
  assert.deepEqual(unasked({ squareOff: true }), [
    'the product and the exchange are enabled for the client',
    'trading is not blocked',
    'a cash order is not above the value cap',
    'an intraday order after the square-off only reduces',
    'a banned underlying is only reduced',
    'no purchase opens an option that is delivered today',
    'the share may be traded intraday',
    'premium and deliveries are paid from cash',
    'the margin is there',
    'an order in risk reduction mode is immediate',
  ]);
});
