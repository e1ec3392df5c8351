import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, InstrumentId, OrderNumber, Tick } from '../../../src/base/ids.ts';
import { Random } from '../../../src/base/random.ts';
import { DAY_MS, type EpochMs } from '../../../src/base/time.ts';
import { applyRecord } from '../../../src/core/apply.ts';
import { marginUsed } from '../../../src/core/broker/account/funds.ts';
import { isLive } from '../../../src/core/broker/orders/life-cycle.ts';
import type { Event } from '../../../src/core/event.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { refusalText } from '../../../src/core/refusals/refusal-text.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { emptyState } from '../../../src/core/state.ts';
import type { SwitchTarget } from '../../../src/core/switches/switch.ts';
import { killOf, stopOf } from '../../../src/core/switches/switches-that-stop.ts';
import { cancelsOf } from '../../kit/cancels-of.ts';
import {
  FIRST_DAY,
  listed,
  NIFTY,
  NIFTY_CALL,
  NIFTY_FUTURE,
  PAYTM,
  RELIANCE,
  RELIANCE_BSE,
} from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { type OrderWords, placement, rupees, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { closingCommands } from '../../kit/settlement/closing-commands.ts';
import { reloaded } from '../../kit/stored-state.ts';

const WHY = { by: 'asha', why: 'a test' };
const SUSPENDED = '16330:Security suspended';
const HALTED = '16278:The markets have not been opened for trading.';
const BLOCKED = 'RED:RULE:{Check kill switch}Trading is blocked by the risk desk for C-DEMO1 [ONLINE]';

interface Scene {
  readonly world: World;
  readonly market: StillMarket;
  readonly asha: AccountId;
  readonly binu: AccountId;
  /** Sets a switch, with its cancellations as the engine makes them, or lifts it; gives all events. */
  readonly turn: (target: SwitchTarget, on?: boolean) => Event[];
  /** The market shows other prices and comes to the next second. */
  readonly move: (id: InstrumentId, bid: number, ask: number) => readonly Event[];
  /** The text of the refusal of an order. */
  readonly refused: (words: OrderWords) => string;
}

function scene(): Scene {
  const market = new StillMarket();
  for (const share of [RELIANCE, RELIANCE_BSE, PAYTM]) {
    market.quotes.set(share.id, { bid: 999_00, ask: 1_001_00, last: 1_000_00, band: [900_00, 1_100_00] });
  }
  for (const contract of [NIFTY_FUTURE, NIFTY_CALL]) {
    market.quotes.set(contract.id, { bid: 199_00, ask: 201_00, last: 200_00 });
  }
  const world = new World(testPorts({ market }), FIRST_DAY);
  const [asha, binu] = [world.user('DEMO1', rupees(50_000_000)), world.user('DEMO2', rupees(50_000_000))];
  const turn = (target: SwitchTarget, on = true): Event[] => {
    const events = [...world.submit({ type: 'SetSwitch', target, on, ...WHY }).events];
    for (const cancel of cancelsOf(world.state)) events.push(...world.submit(cancel).events);
    return events;
  };
  const move = (id: InstrumentId, bid: number, ask: number): readonly Event[] => {
    market.quotes.set(id, { bid, ask, last: (bid + ask) / 2, band: [900_00, 1_100_00] });
    world.at = (world.at + 1_000) as EpochMs;
    return world.submit({ type: 'MoveMarket', instrument: id, tick: (world.at / 1_000) as Tick }).events;
  };
  const refused = (words: OrderWords): string => {
    const { kind } = listed.get(words.of) ?? RELIANCE;
    return refusalText(world.refusal(words), { userId: world.account(words.by).userId, kind });
  };
  return { world, market, asha, binu, turn, move, refused };
}

const SHARE = { of: RELIANCE.id, units: 10, product: 'I' } as const;
const halt = { kind: 'Halt', exchange: 'NSE' } as const;

function typesOf(events: readonly Event[]): string[] {
  return events.map(({ type }) => type);
}

test('a halt stops matching and stops, refuses new orders and modifications, and lets cancellations through', () => {
  const { world, asha, turn, move, refused } = scene();
  const resting = world.place({ ...SHARE, by: asha, side: 'B', at: 990_00 });
  const other = world.place({ ...SHARE, by: asha, side: 'B', at: 980_00 });
  const stop = world.place({ ...SHARE, by: asha, side: 'S', type: 'SL-LMT', trigger: 985_00, at: 980_00 });
  turn(halt);
  assert.equal(refused({ ...SHARE, by: asha, side: 'B', at: 990_00 }), HALTED);
  assert.equal(refused({ ...SHARE, by: asha, side: 'S' }), HALTED);
  const terms = { ...resting.terms, price: 995_00 as never };
  const changed = world.submit({ type: 'ModifyOrder', account: asha, order: resting.number, terms });
  assert.deepEqual(typesOf(changed.events), ['ReplaceRejected']);
  assert.deepEqual(move(RELIANCE.id, 975_00, 979_00), [], 'the market goes through the orders and past the trigger');
  assert.deepEqual(
    [resting, other, stop].map(({ status }) => status),
    ['Open', 'Open', 'TriggerPending'],
  );
  const { reply } = world.submit({ type: 'CancelOrder', account: asha, order: other.number });
  assert.equal(reply.type, 'OrderCancelled');
  checkInvariants(world.state);
  turn(halt, false);
  assert.deepEqual(typesOf(move(RELIANCE.id, 975_00, 979_00)).slice(0, 2), ['Traded', 'StopTriggered']);
  assert.deepEqual(
    [resting, other, stop].map(({ status }) => status),
    ['Complete', 'Cancelled', 'Open'],
  );
});

test('in risk reduction mode an exchange takes immediate orders alone; what is open stays, and is cancelled as ever', () => {
  const { world, asha, turn, refused } = scene();
  const resting = world.place({ ...SHARE, by: asha, side: 'B', at: 990_00 });
  const mode = { kind: 'RiskReduction', exchange: 'NSE' } as const;
  turn(mode);
  const text = 'ONLY IOC ORDER ALLOWED IN RRM MODE';
  assert.equal(refused({ ...SHARE, by: asha, side: 'B', at: 990_00 }), text);
  assert.equal(refused({ ...SHARE, by: asha, side: 'S', type: 'SL-LMT', trigger: 985_00, at: 980_00 }), text);
  assert.equal(world.place({ ...SHARE, by: asha, side: 'B', at: 1_005_00, retention: 'IOC' }).status, 'Complete');
  const terms = { ...resting.terms, price: 985_00 as never };
  const modify = { type: 'ModifyOrder', account: asha, order: resting.number } as const;
  assert.deepEqual(typesOf(world.submit({ ...modify, terms }).events), ['ReplaceRejected']);
  assert.equal(resting.status, 'Open');
  assert.equal(world.place({ ...SHARE, of: RELIANCE_BSE.id, by: asha, side: 'B', at: 990_00 }).status, 'Open');
  world.submit({ type: 'CancelOrder', account: asha, order: resting.number });
  assert.equal(resting.status, 'Cancelled');
  turn(mode, false);
  assert.equal(world.place({ ...SHARE, by: asha, side: 'B', at: 990_00 }).status, 'Open');
  checkInvariants(world.state);
});

test('risk reduction mode holds up no exit of the risk desk', () => {
  const { world, asha, turn } = scene();
  world.place({ ...SHARE, by: asha, side: 'B', at: 1_001_00 });
  turn({ kind: 'RiskReduction', exchange: 'NSE' });
  world.submit({ ...placement({ ...SHARE, by: asha, side: 'S', at: 999_00 }), squareOff: true });
  assert.equal([...world.state.orders.values()].at(-1)?.status, 'Complete');
});

test('a suspension holds up an instrument and the contracts on it, and no other listing', () => {
  const { world, asha, turn, refused } = scene();
  const future = { of: NIFTY_FUTURE.id, by: asha, side: 'B', units: NIFTY_FUTURE.lot, at: 199_00 } as const;
  turn({ kind: 'Suspension', instrument: RELIANCE.id });
  assert.equal(refused({ ...SHARE, by: asha, side: 'B', at: 990_00 }), SUSPENDED);
  assert.equal(world.place({ ...SHARE, of: RELIANCE_BSE.id, by: asha, side: 'B', at: 990_00 }).status, 'Open');
  assert.equal(world.place(future).status, 'Open');
  turn({ kind: 'Suspension', instrument: NIFTY.id });
  assert.equal(refused(future), SUSPENDED);
  turn({ kind: 'Suspension', instrument: NIFTY.id }, false);
  assert.equal(world.place(future).status, 'Open');
  turn({ kind: 'Suspension', instrument: NIFTY_CALL.id });
  assert.equal(world.place(future).status, 'Open');
  assert.equal(refused({ ...future, of: NIFTY_CALL.id }), SUSPENDED);
  turn({ kind: 'Halt', exchange: 'NFO' });
  assert.equal(refused(future), HALTED);
});

test('the kill switch of an account cancels its orders and refuses new ones, and leaves others alone', () => {
  const { world, asha, binu, turn, refused } = scene();
  const mine = [980_00, 985_00].map((at) => world.place({ ...SHARE, by: asha, side: 'B', at }));
  const future = world.place({ of: NIFTY_FUTURE.id, by: asha, side: 'B', units: NIFTY_FUTURE.lot, at: 190_00 });
  const hers = world.place({ ...SHARE, by: binu, side: 'B', at: 985_00 });
  assert.ok(marginUsed(world.account(asha)) > 0);
  turn({ kind: 'AccountKill', account: asha });
  assert.ok([...mine, future].every(({ status }) => status === 'Cancelled'));
  assert.equal(marginUsed(world.account(asha)), 0, 'every portfolio is measured again');
  assert.equal(hers.status, 'Open');
  assert.equal(refused({ ...SHARE, by: asha, side: 'B', at: 990_00 }), BLOCKED);
  assert.equal(world.place({ ...SHARE, by: binu, side: 'B', at: 990_00 }).status, 'Open');
  turn({ kind: 'AccountKill', account: asha }, false);
  assert.equal(world.place({ ...SHARE, by: asha, side: 'B', at: 990_00 }).status, 'Open');
  checkInvariants(world.state);
});

test('the kill switches of an instrument and of all concern everybody', () => {
  const { world, asha, binu, turn, refused } = scene();
  const share = [asha, binu].map((by) => world.place({ ...SHARE, by, side: 'B', at: 980_00 }));
  const future = { of: NIFTY_FUTURE.id, by: asha, side: 'B', units: NIFTY_FUTURE.lot, at: 190_00 } as const;
  const contract = world.place(future);
  turn({ kind: 'InstrumentKill', instrument: RELIANCE.id });
  assert.deepEqual(
    [...share, contract].map(({ status }) => status),
    ['Cancelled', 'Cancelled', 'Open'],
  );
  turn({ kind: 'InstrumentKill', instrument: NIFTY.id });
  assert.equal(contract.status, 'Cancelled');
  assert.equal(refused(future), BLOCKED);
  const paytm = world.place({ ...SHARE, of: PAYTM.id, by: asha, side: 'B', at: 980_00 });
  turn({ kind: 'FullKill' });
  assert.equal(paytm.status, 'Cancelled');
  assert.equal(refused({ ...SHARE, of: PAYTM.id, by: asha, side: 'B', at: 980_00 }), BLOCKED);
});

test('the risk desk squares off through a kill switch, and waits for a suspension to end', () => {
  const { world, market, asha, turn } = scene();
  world.place({ ...SHARE, by: asha, side: 'B', at: 1_001_00 });
  turn({ kind: 'AccountKill', account: asha });
  world.submit({ type: 'SquareOff', day: FIRST_DAY, segment: 'SharesWithContracts' });
  world.submit({ type: 'SquareOff', day: FIRST_DAY, segment: 'OtherShares' });
  const ports = testPorts({ market });
  const desk = { ...ports, tick: market.tickAt(world.at), riskTick: world.state.riskTick, riskFiles: [] };
  turn({ kind: 'Suspension', instrument: RELIANCE.id });
  assert.deepEqual([...closingCommands(world.state, desk)], []);
  turn({ kind: 'Suspension', instrument: RELIANCE.id }, false);
  const [exit] = closingCommands(world.state, desk);
  assert.ok(exit);
  const { events } = world.submit(exit);
  assert.ok(typesOf(events).includes('Traded'), JSON.stringify(events));
});

test('the orders of the risk desk are not cancelled by a kill switch', () => {
  const { world, market, asha, turn } = scene();
  world.place({ ...SHARE, by: asha, side: 'B', at: 1_001_00 });
  market.quotes.set(RELIANCE.id, { last: 1_000_00 });
  world.submit({ ...placement({ ...SHARE, by: asha, side: 'S' }), squareOff: true });
  const exit = [...world.state.orders.values()].at(-1);
  assert.equal(exit?.status, 'Open');
  turn({ kind: 'FullKill' });
  assert.equal(exit?.status, 'Open');
});

test('a switch that is set twice stays as it was set first, and one that is off is not lifted', () => {
  const { world, turn } = scene();
  assert.deepEqual(turn(halt, false), []);
  assert.equal(turn(halt).length, 1);
  world.at = (world.at + 1_000) as EpochMs;
  const before = stateHash(world.state);
  assert.deepEqual(turn(halt), []);
  assert.equal(stateHash(world.state), before);
});

test('switches outlive the day and a snapshot, a widened band ends with the day', () => {
  const { world, asha, turn, refused } = scene();
  turn({ kind: 'Suspension', instrument: RELIANCE.id });
  const dear = { ...SHARE, of: PAYTM.id, by: asha, side: 'S', at: 1_140_00 } as const;
  assert.match(refused(dear), /UpperCircuit:INR 1100\.00/);
  const widen = { type: 'WidenBand', instrument: PAYTM.id, ...WHY } as const;
  world.submit({ ...widen, percent: 15 });
  assert.equal(world.place(dear).status, 'Open');
  assert.match(refused({ ...dear, at: 1_155_00 }), /LowerCircuit:INR 850\.00 UpperCircuit:INR 1150\.00/);
  assert.equal(world.submit({ ...widen, percent: 12 }).reply.type, 'Refused');
  const loaded = reloaded(world.state);
  assert.equal(stateHash(loaded), stateHash(world.state));
  assert.deepEqual([...loaded.switches], [...world.state.switches]);
  world.passTo((world.at + DAY_MS) as EpochMs);
  assert.equal(refused({ ...SHARE, by: asha, side: 'B', at: 990_00 }), SUSPENDED);
  assert.match(refused(dear), /UpperCircuit:INR 1100\.00/);
});

test('cancellations of a kill switch come in records of 250 orders, and a second time they do nothing', () => {
  const { world, asha, binu } = scene();
  for (let number = 0; number < 600; number += 1) {
    const by = number % 2 === 0 ? asha : binu;
    world.place({ ...SHARE, of: number % 3 === 0 ? PAYTM.id : RELIANCE.id, units: 1, by, side: 'B', at: 980_00 });
  }
  world.submit({ type: 'SetSwitch', target: { kind: 'FullKill' }, on: true, ...WHY });
  const batches = cancelsOf(world.state);
  assert.deepEqual(
    batches.map(({ orders }) => orders.length),
    [250, 250, 100],
  );
  for (const batch of batches) {
    const { events } = world.submit(batch);
    const cancelled = events.filter(({ type }) => type === 'OrderCancelled').length;
    assert.equal(cancelled, batch.orders.length);
    assert.ok(events.length - cancelled <= 4, 'two portfolios of two accounts are measured once each');
    assert.deepEqual(world.submit(batch).events, []);
  }
  assert.deepEqual(cancelsOf(world.state), []);
  checkInvariants(world.state, testPorts({ market: scene().market }));
});

/** The rules that must hold of one record, by the switches before it. */
function checkRecord(world: World, events: readonly Event[], before: World['state']['switches']): void {
  for (const event of events) {
    if (event.type !== 'Traded') continue;
    assert.equal(stopOf(before, event), undefined, 'nothing trades while it is stopped');
    for (const side of [event.buy, event.sell]) {
      if (side === undefined) continue;
      assert.equal(killOf(before, side.account, event), undefined, 'nobody trades through a kill switch');
      assert.ok(world.order(side.order).filled > 0);
    }
  }
}

const TARGETS: readonly SwitchTarget[] = [
  halt,
  { kind: 'Halt', exchange: 'NFO' },
  { kind: 'Suspension', instrument: RELIANCE.id },
  { kind: 'Suspension', instrument: NIFTY.id },
  { kind: 'AccountKill', account: 0 as AccountId },
  { kind: 'InstrumentKill', instrument: PAYTM.id },
  { kind: 'FullKill' },
];

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`with switches set and lifted at random, orders that are held up do not trade and every cancellation passes (seed ${seed})`, () => {
    const random = new Random(seed);
    const { world, asha, binu, turn, move } = scene();
    const instruments = [RELIANCE, PAYTM, NIFTY_FUTURE];
    let trades = 0;
    for (let round = 0; round < 600; round += 1) {
      const before = new Map(world.state.switches);
      const from = world.records.length;
      const roll = random.below(100);
      const { id, lot, kind } = random.pick(instruments);
      const middle = kind === 'equity' ? 1_000_00 : 200_00;
      if (roll < 50) {
        const at = middle + random.between(-8, 8) * 100;
        const product = kind === 'equity' ? 'I' : 'M';
        const by = random.pick([asha, binu]);
        world.submit(placement({ of: id, by, side: random.pick(['B', 'S']), units: lot, at, product }));
      } else if (roll < 75) {
        const bid = middle + random.between(-6, 4) * 100;
        if (kind === 'equity') move(id, bid, bid + 200);
      } else if (roll < 90) {
        const live: OrderNumber[] = [];
        for (const order of world.state.orders.values()) if (isLive(order.status)) live.push(order.number);
        if (live.length > 0) {
          const order = world.order(random.pick(live));
          const { reply } = world.submit({ type: 'CancelOrder', account: order.account, order: order.number });
          assert.equal(reply.type, 'OrderCancelled', 'a cancellation passes');
        }
      } else {
        turn(random.pick(TARGETS), random.chance(25));
      }
      for (const { events } of world.records.slice(from)) {
        checkRecord(world, events, before);
        trades += events.filter(({ type }) => type === 'Traded').length;
      }
      assert.deepEqual(cancelsOf(world.state), [], 'nothing stays open under a kill switch');
      checkInvariants(world.state);
    }
    assert.ok(trades > 10, `${trades} trades`);
    const folded = emptyState();
    for (const record of world.records) applyRecord(folded, record);
    assert.equal(stateHash(folded), stateHash(world.state), 'the records give the whole state');
  });
}
