/**
 * A process that ends within the turn of a day, or a branch that is cut there, leaves a day that is over and not
 * settled. The next start finishes the turn before it takes anything else, whichever clock the market has.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { EQUITIES, SMALL_INSTRUMENTS, SmallMarket } from '../../../test/kit/journal/small-market.ts';
import { opening } from '../../../test/kit/journal/trading.ts';
import { placement } from '../../../test/kit/money/world.ts';
import { marketRecords, PacedService } from '../../../test/kit/paced-service.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { must } from '../../base/assert.ts';
import type { AccountId } from '../../base/ids.ts';
import { type EpochMs, HOUR_MS, type IstDay, istInstant, MINUTE_MS, wallOf } from '../../base/time.ts';
import { DAY_END_STEPS } from '../../core/broker/settlement/day-end-steps.ts';
import type { SetClock } from '../../core/command.ts';
import type { State } from '../../core/state.ts';
import { GENESIS } from '../../journal/chain.ts';
import { MemoryJournal } from '../../journal/memory-journal.ts';
import type { JournalRecord } from '../../journal/record.ts';
import { Engine } from '../engine.ts';
import { LIVE } from '../live.ts';
import { MarketClock } from './market-clock.ts';

const DAY = 20_500 as IstDay;
/** Before the cut-off of 23:55. */
const START = istInstant(DAY, 23 * HOUR_MS + 53 * MINUTE_MS);
const MIDNIGHT = istInstant((DAY + 1) as IstDay);
const END = (MIDNIGHT + 2 * MINUTE_MS) as EpochMs;
/** All work over accounts comes in portions of one. */
const PORTS = {
  ...testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() }),
  portions: { accounts: 1, work: Number.POSITIVE_INFINITY, orders: 1 },
};
const ORDER = { by: 0 as AccountId, side: 'B', units: 1, at: 99_00, product: 'C' } as const;
const RESTING = placement({ ...ORDER, of: must(EQUITIES[0], 'a share').id });

let parent: PacedService;
let records: JournalRecord[];

before(async () => {
  parent = new PacedService({ ports: PORTS, start: START, seed: 2 });
  await parent.stepTo((START + 1) as EpochMs);
  for (const command of opening()) await parent.submit(command);
  for (const [by, { id }] of EQUITIES.entries()) {
    await parent.submit(placement({ ...ORDER, by: by as AccountId, at: 101_00, product: 'I', of: id }));
    await parent.submit(placement({ ...ORDER, by: by as AccountId, of: id }));
  }
  await parent.stepTo(END);
  records = parent.records();
});

/** The numbers of the records behind which no command may come: the turn or a portion is not done. */
function cuts(): number[] {
  const live = LIVE.empty();
  const within = records.filter((record) => {
    live.fold(record);
    return isWithin(live.state);
  });
  return within.map(({ seq }) => seq);
}

function isWithin({ dayEnd, portion }: State): boolean {
  return dayEnd !== undefined || portion !== undefined;
}

/** The market's records behind a cut, without the branch's own first one. */
function after(lived: PacedService, cut: number): string[] {
  return marketRecords(lived, cut).filter((record) => !record.includes('"type":"BeginBranch"'));
}

/** An engine over the state behind a record, whose market follows the wall unless its clock was set. */
function restart(cut: number, wall: EpochMs, first?: SetClock): { engine: Engine; state: State } {
  const live = LIVE.empty();
  for (const record of records.slice(0, cut)) live.fold(record);
  live.state.clock = undefined;
  const clock = new MarketClock({ wall: () => wallOf(wall), elapsed: () => 0, state: live.state });
  const failStop = (error: Error): void => {
    throw error;
  };
  const journal = new MemoryJournal({ seq: live.seq, hash: GENESIS.hash });
  const clocks = { clock: () => clock.now(), wallApart: () => clock.wallApart(), pace: clock };
  const engine = new Engine({ live, journal, ports: PORTS, ...clocks, failStop });
  if (first !== undefined) engine.setClockFirst(first);
  engine.doAllPresent();
  return { engine, state: live.state };
}

describe('a start within the turn of a day', () => {
  it('has a history with every step of the turn, in portions, and cut-offs in portions', () => {
    const live = LIVE.empty();
    const found = new Set<string>();
    for (const record of records) {
      live.fold(record);
      const { dayEnd, portion } = live.state;
      if (dayEnd !== undefined) found.add(dayEnd);
      if (portion !== undefined) found.add(`portions of ${portion.of}`);
    }
    const portions = ['EndDay', 'RollDay', 'SquareOff'].map((of) => `portions of ${of}`);
    for (const what of [...DAY_END_STEPS, ...portions]) assert.ok(found.has(what), what);
  });

  it('finishes the turn of a branch before it takes an order, and goes the way of the parent', async () => {
    for (const cut of cuts()) {
      const lived = new PacedService({ ports: PORTS, start: START, seed: cut }, parent.branchAt(cut));
      assert.ok(!isWithin(lived.live.state), `the branch at ${cut} begins with whole days`);
      assert.ok(lived.clock.now() >= lived.live.at);
      await lived.stepTo(END);
      assert.deepEqual(after(lived, cut), after(parent, cut), `a cut at ${cut}`);
      const reply = await lived.submit({ ...RESTING, remarks: `behind ${cut}` });
      assert.equal(reply.type, 'OrderPlaced');
    }
  });

  it('finishes it where the market stands and an order comes at once', async () => {
    for (const cut of cuts()) {
      const lived = new PacedService({ ports: PORTS, start: START, seed: cut }, parent.branchAt(cut));
      const { day } = lived.live.state;
      assert.equal((await lived.submit(RESTING)).type, 'OrderPlaced');
      await lived.stepTo((lived.clock.now() + 5_000) as EpochMs);
      assert.equal(lived.live.state.day, day, `a cut at ${cut}`);
    }
  });

  it('finishes it in a market of the wall, also where the wall is behind the records', () => {
    for (const cut of cuts()) {
      for (const wall of [MIDNIGHT + 90_000, MIDNIGHT, MIDNIGHT - 1, MIDNIGHT - 3_000]) {
        const { engine, state } = restart(cut, wall as EpochMs);
        assert.ok(!isWithin(state), `a cut at ${cut}, a start at ${wall - MIDNIGHT}`);
        assert.ok(engine.now() >= state.at);
      }
    }
  });

  it('finishes it where the start sets the clock, to the present or to a later day', () => {
    for (const cut of cuts()) {
      const at = must(records[cut - 1], 'the record').at;
      for (const market of [at, istInstant((DAY + 4) as IstDay, HOUR_MS)]) {
        const set: SetClock = { type: 'SetClock', speed: 0, market, by: 'start', why: 'a test', wall: wallOf(at) };
        const { engine, state } = restart(cut, at, set);
        assert.ok(!isWithin(state), `a cut at ${cut}, the clock at ${market}`);
        assert.equal(engine.now(), Math.max(market, state.at));
      }
    }
  });
});
