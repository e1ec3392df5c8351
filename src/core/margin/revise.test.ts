import assert from 'node:assert/strict';
import test from 'node:test';
import { marginPorts } from '../../../test/kit/margin-ports.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { reloaded } from '../../../test/kit/stored-state.ts';
import { InvariantError, must } from '../../base/assert.ts';
import type { AccountId, Tick } from '../../base/ids.ts';
import { type Paise, price, quantity } from '../../base/money.ts';
import { firstTickOf } from '../../base/tick.ts';
import { type EpochMs, HOUR_MS, type IstDay, istInstant } from '../../base/time.ts';
import { dueBoundary } from '../broker/settlement/boundary.ts';
import type { Command } from '../command.ts';
import type { Derivative, Instrument, Option } from '../instrument.ts';
import { checkInvariants } from '../invariants.ts';
import type { Market } from '../market.ts';
import type { Ports } from '../ports.ts';
import { accountOf, emptyState, type State } from '../state.ts';
import { step } from '../step.ts';
import { EVERY_DAY } from '../trading-days.ts';
import { call, contract, MARGINS, NIFTY, portfolio, type Quoted, riskMarket, row, TODAY } from './margin-fixture.ts';
import { type SpanContract, type SpanFile, type SpanUnderlying, spanKey } from './rates/span-file.ts';
import { requirement } from './requirement.ts';

const LOT = 65;
const FUTURE = contract(2, { kind: 'future' });
const CALL = call(3, 24_000);
const LISTED: readonly Instrument[] = [FUTURE, CALL];
const BY = 0 as AccountId;
const NOON = firstTickOf(TODAY) + 12 * 3_600;

/** NIFTY at 24000 until noon and at 25000 from then on; the touch of the future follows. */
function movingMarket(): Market {
  const at = (spot: number) => {
    const quoted: Quoted[] = [
      { instrument: FUTURE, price: spot + 138_50 },
      { instrument: CALL, price: spot - 23_571_15, volatility: 0.13 },
    ];
    return riskMarket(new Map([[NIFTY, { spot, spotClose: 24_000_00, volatility: 0.12 }]]), quoted);
  };
  const [before, after] = [at(24_000_00), at(25_000_00)];
  const touch = { price: price(24_138_50), quantity: quantity(1_000), orders: 1, generation: 1 };
  return {
    ...before,
    tickAt: (instant) => Math.floor(instant / 1_000) as Tick,
    depth: () => ({ bids: [], asks: [touch] }),
    quantityAt: () => touch.quantity,
    lastPrint: (_, tick) => ({ tick, price: touch.price, quantity: quantity(0), aggressor: 'B' }),
    previousClose: () => touch.price,
    risk: (id, tick) => (tick < NOON ? before : after).risk(id, tick),
  };
}

function fileOf(underlying: Partial<SpanUnderlying>): SpanFile {
  const whole = { symbol: 'NIFTY', spot: price(24_000_00), calendarRate: undefined, shortOptionMinimum: 0 };
  const nifty = { ...whole, contracts: new Map<string, SpanContract>(), ...underlying };
  return { digest: 'a'.repeat(64), exchange: 'NFO', day: TODAY, underlyings: new Map([['NIFTY', nifty]]) };
}

/** A file whose future loses 1000 rupees in its worst scenario in either direction, and costs 24200. */
const FILE = fileOf({
  spot: price(24_060_00),
  contracts: new Map([
    [
      spanKey(FUTURE.expiryDay),
      {
        price: price(24_200_00),
        losses: Float64Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? 1_000_0000 : -1_000_0000)),
        delta: 100_000,
      },
    ],
  ]),
});

class Room {
  readonly state: State = emptyState();
  readonly ports: Ports = testPorts({
    instruments: { get: (id) => LISTED.find((one) => one.id === id) },
    market: movingMarket(),
    margins: MARGINS,
    spanFiles: { get: (digest) => (digest === FILE.digest ? FILE : undefined) },
  });
  at = istInstant(TODAY, 10 * HOUR_MS);

  run(command: Command) {
    const done = step(this.state, this.ports, { seq: this.state.seq + 1, at: this.at, command });
    checkInvariants(this.state, this.ports);
    return done.events.map(({ type }) => type);
  }

  /** Long one future. */
  open(): this {
    this.run({ type: 'RollDay', day: TODAY });
    const user = { userId: 'U', name: 'U', email: '', sealedCredentials: '', usesTotp: false, demo: false };
    this.run({ type: 'RegisterUser', ...user });
    this.run({ type: 'DepositCash', account: BY, amount: 1_000_000_00 as Paise, opening: true });
    const terms = { priceType: 'LMT', retention: 'DAY', quantity: quantity(LOT), price: touchPrice, trigger: price(0) };
    const order = { account: BY, instrument: FUTURE.id, side: 'B', product: 'M', remarks: '' } as const;
    this.run({ type: 'PlaceOrder', ...order, terms } as Command);
    return this;
  }

  /** Lets the day end and the next begin. */
  passTo(at: EpochMs): void {
    for (let due = dueBoundary(this.state, EVERY_DAY, at); due; due = dueBoundary(this.state, EVERY_DAY, at)) {
      this.at = due.at;
      this.run(due.command);
    }
    this.at = at;
  }

  get blocked() {
    return must(accountOf(this.state, BY).portfolios.get(NIFTY), 'it has a portfolio').parts;
  }
}

const touchPrice = price(24_138_50);

test('a day begins with the figures of its first second, and they stay until they are revised', () => {
  const room = new Room().open();
  assert.equal(room.state.riskTick, firstTickOf(TODAY));
  assert.equal(room.blocked.span, 145_080_00);
  room.at = istInstant(TODAY, 13 * HOUR_MS);
  assert.equal(room.blocked.span, 145_080_00);
});

test('a revision takes the prices of its tick and measures every portfolio by them', () => {
  const room = new Room().open();
  room.at = istInstant(TODAY, 12 * HOUR_MS + 1_000);
  assert.deepEqual(room.run({ type: 'ReviseMargins', tick: NOON as Tick }), ['MarginsRevised', 'MarginBlocked']);
  assert.equal(room.blocked.span, Math.round(0.093 * 25_000_00 * LOT));
  assert.equal(room.blocked.exposure, Math.round(0.02 * 25_138_50 * LOT));
  assert.deepEqual(room.run({ type: 'ReviseMargins', tick: NOON as Tick }), [], 'a tick is revised to once');
  assert.deepEqual(room.run({ type: 'ReviseMargins', tick: (NOON - 1) as Tick }), [], 'figures do not go back');
  assert.equal(room.state.riskTick, NOON);
});

test('the figures in force are in a snapshot', () => {
  const room = new Room().open();
  room.run({ type: 'ReviseMargins', tick: (NOON - 60) as Tick, spanFiles: [FILE.digest] });
  const loaded = reloaded(room.state);
  assert.equal(loaded.riskTick, NOON - 60);
  assert.deepEqual(loaded.riskFiles, [FILE.digest]);
  checkInvariants(loaded, room.ports);
});

test('a parameter file sets the margin of its contracts from the revision that names it until the day ends', () => {
  const room = new Room().open();
  room.run({ type: 'ReviseMargins', tick: room.state.riskTick, spanFiles: [FILE.digest] });
  assert.equal(room.blocked.span, 1_000_00 * LOT);
  assert.equal(room.blocked.exposure, 0.02 * 24_200_00 * LOT);
  room.run({ type: 'ReviseMargins', tick: (NOON - 60) as Tick });
  assert.equal(room.blocked.span, 1_000_00 * LOT, 'a later revision keeps the file');
  room.passTo(istInstant((TODAY + 1) as IstDay, HOUR_MS));
  assert.deepEqual(room.state.riskFiles, []);
  assert.equal(room.blocked.span, Math.round(0.093 * 25_000_00 * LOT));
});

test('the house computes the risk of contracts that are not in the file', () => {
  const house = marginPorts(movingMarket(), LISTED);
  const withFile = { ...house, riskFiles: [FILE.digest], spanFiles: { get: () => FILE } };
  const sold = portfolio(row(CALL, 'M', [['S', LOT, 428_85]]));
  const parts = requirement(house, sold);
  assert.deepEqual(requirement(withFile, portfolio(row(CALL, 'M', [['S', LOT, 428_85]]))), parts);
});

test('rates of a file replace those of the house: the calendar charge and the least margin of a short option', () => {
  const far: Derivative = contract(4, { kind: 'future' }, 60);
  const quoted: Quoted[] = [FUTURE, far].map((instrument) => ({ instrument, price: 24_138_50 }));
  quoted.push({ instrument: CALL, price: 5, volatility: 0.13 });
  const market = riskMarket(new Map([[NIFTY, { spot: 24_000_00, volatility: 0.12 }]]), quoted);
  const file = fileOf({ calendarRate: 425_0000, shortOptionMinimum: 9_999_0000 });
  const desk = {
    ...marginPorts(market, [FUTURE, far, CALL]),
    riskFiles: [file.digest],
    spanFiles: { get: () => file },
  };
  const spread = portfolio(row(FUTURE, 'M', [['B', LOT, 1]]), row(far, 'M', [['S', LOT, 1]]));
  assert.equal(requirement(desk, spread).span, 425_00 * LOT);
  const sold = portfolio(row(CALL, 'M', [['S', LOT, 5]]));
  assert.equal(requirement(desk, sold).span, (9_999_00 + 5) * LOT);
  const wish = row(CALL, 'M', [['S', LOT, 5]]);
  assert.equal(requirement(desk, undefined, [wish]).span, (9_999_00 + 5) * LOT, 'a wish is measured as the books are');
  assert.equal(requirement(desk, portfolio(row(FUTURE, 'M', [['B', LOT, 1]])), [wish]).span, (9_999_00 + 5) * LOT);
});

test('the fifth place of a composite delta counts in the calendar charge of a file: 1.38 rupees a lot of NIFTY', () => {
  const far: Derivative = contract(4, { kind: 'future' }, 60);
  const quoted: Quoted[] = [far, CALL].map((instrument) => ({ instrument, price: 400_00, volatility: 0.13 }));
  const market = riskMarket(new Map([[NIFTY, { spot: 24_000_00, volatility: 0.12 }]]), quoted);
  const spanOf = (delta: number) => {
    const stated = { price: price(400_00), losses: new Float64Array(16), delta };
    const contracts = new Map([[spanKey(CALL.expiryDay, CALL as Option), stated]]);
    const file = fileOf({ calendarRate: 425_0000, contracts });
    const desk = { ...marginPorts(market, [far, CALL]), riskFiles: [file.digest], spanFiles: { get: () => file } };
    return requirement(desk, portfolio(row(CALL, 'M', [['B', LOT, 400_00]]), row(far, 'M', [['S', LOT, 1]]))).span;
  };
  assert.equal(spanOf(50_005) - spanOf(50_000), 1_38);
  assert.equal(spanOf(60_000) - spanOf(50_000), 2_762_50);
});

test('an option of a file is exposed by the spot of the file', () => {
  const stated = { price: price(400_00), losses: new Float64Array(16), delta: 50_000 };
  const file = fileOf({
    spot: price(24_060_00),
    contracts: new Map([[spanKey(CALL.expiryDay, CALL as Option), stated]]),
  });
  const desk = { ...marginPorts(movingMarket(), LISTED), riskFiles: [file.digest], spanFiles: { get: () => file } };
  const sold = () => portfolio(row(CALL, 'M', [['S', LOT, 400_00]]));
  assert.equal(requirement(desk, sold()).exposure, Math.round(0.02 * 24_060_00 * LOT));
  assert.equal(requirement(marginPorts(movingMarket(), LISTED), sold()).exposure, Math.round(0.02 * 24_000_00 * LOT));
});

test('a revision with a file that is not stored is a defect', () => {
  const room = new Room().open();
  const command: Command = { type: 'ReviseMargins', tick: room.state.riskTick, spanFiles: ['b'.repeat(64)] };
  assert.throws(() => room.run(command), InvariantError);
  const empty = new Room();
  empty.run({ type: 'RollDay', day: TODAY });
  assert.throws(
    () => empty.run({ ...command, tick: empty.state.riskTick }),
    InvariantError,
    'before anybody holds anything',
  );
});
