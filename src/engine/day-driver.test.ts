import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InstrumentId, Tick } from '../base/ids.ts';
import { type EpochMs, HOUR_MS, type IstDay, istInstant, MINUTE_MS, SECOND_MS } from '../base/time.ts';
import { DAY_END_STEPS, type DayEndStep } from '../core/broker/settlement/day-end-steps.ts';
import { EVERY_DAY, type SquareOffSegment, type TradingDays } from '../core/trading-days.ts';
import { DayDriver, type DayState } from './day-driver.ts';

/** A Monday. */
const DAY = 20_500 as IstDay;
const WEEKDAYS: TradingDays = {
  isTradingDay: (day) => (day - DAY) % 7 < 5,
  squareOffTime: (segment) => (segment === 'OtherShares' ? 15 * HOUR_MS + 20 * MINUTE_MS : 15 * HOUR_MS),
};

function at(day: number, hours: number, seconds = 0): EpochMs {
  return istInstant((DAY + day) as IstDay, hours * HOUR_MS + seconds * SECOND_MS);
}

interface World {
  state: DayState & { squaredOff: Set<SquareOffSegment> };
  driver: DayDriver;
}

function open(days: TradingDays = WEEKDAYS, more: Partial<DayState> = {}): World {
  const world = {
    state: {
      day: DAY,
      dayEnd: undefined,
      squaredOff: new Set<SquareOffSegment>(),
      riskTick: (istInstant(DAY) / SECOND_MS) as Tick,
      riskFiles: [],
      overLimit: new Map(),
      ...more,
    },
  } as World;
  world.driver = new DayDriver(() => world.state, days);
  return world;
}

/** The work that is due at an instant, in words; afterwards the state has done it. */
function dutiesAt(world: World, instant: EpochMs): string[] {
  return world.driver.dueDuties(instant).map((duty) => {
    if (duty.type === 'SquareOff') {
      world.state.squaredOff.add(duty.segment);
      return duty.segment;
    }
    world.state = { ...world.state, riskTick: duty.tick };
    return `revision at ${(duty.tick * SECOND_MS - istInstant(DAY)) / HOUR_MS}`;
  });
}

describe('the turn of a day', () => {
  it('is nothing while the day lasts, then its steps, then the next day', () => {
    const world = open();
    const turns: string[] = [];
    const turn = (): void => {
      for (;;) {
        const due = world.driver.dueBoundary(at(1, 9));
        if (due === undefined) return;
        const { command } = due;
        assert.ok(command.type !== 'ReviseMargins');
        turns.push(command.type === 'EndDay' ? command.step : `day ${command.day - DAY}`);
        const dayEnd = command.type === 'EndDay' ? command.step : undefined;
        world.state = { ...world.state, day: command.type === 'RollDay' ? command.day : world.state.day, dayEnd };
      }
    };
    assert.equal(world.driver.dueBoundary(at(0, 23, 3_599)), undefined);
    turn();
    assert.deepEqual(turns, [...DAY_END_STEPS, 'day 1']);
  });

  it('goes on where a process that died stopped', () => {
    const done: DayEndStep = 'Expiry';
    const { driver } = open(WEEKDAYS, { dayEnd: done });
    assert.deepEqual(driver.dueBoundary(at(1, 0))?.command, { type: 'EndDay', day: DAY, step: 'MarkToMarket' });
  });

  it('goes on by a clock that is behind the one by which it began', () => {
    const { driver } = open(WEEKDAYS, { dayEnd: 'Expiry' });
    const turn = { command: { type: 'EndDay', day: DAY, step: 'MarkToMarket' }, at: (at(1, 0) - 1) as EpochMs };
    assert.deepEqual(driver.dueBoundary(at(0, 23)), turn);
  });

  it('leads from a Friday to the Monday at the midnight between Friday and Saturday', () => {
    assert.equal(open(WEEKDAYS, { day: (DAY + 4) as IstDay }).driver.dueBoundary(at(4, 23)), undefined);
    const { driver } = open(WEEKDAYS, { day: (DAY + 4) as IstDay, dayEnd: 'Charges' });
    assert.deepEqual(driver.dueBoundary(at(5, 0)), {
      command: { type: 'RollDay', day: (DAY + 7) as IstDay },
      at: at(5, 0),
    });
    assert.equal(open(WEEKDAYS, { day: (DAY + 7) as IstDay }).driver.dueBoundary(at(6, 12)), undefined);
  });

  it('begins the first day of all at once', () => {
    const { driver } = open(EVERY_DAY, { day: 0 as IstDay });
    assert.deepEqual(driver.dueBoundary(at(3, 11)), {
      command: { type: 'RollDay', day: (DAY + 3) as IstDay },
      at: at(3, 0),
    });
  });
});

describe('work that is due inside a day', () => {
  it('comes at its time and once', () => {
    const world = open();
    assert.deepEqual(dutiesAt(world, at(0, 8)), []);
    assert.deepEqual(dutiesAt(world, at(0, 8.5)), ['revision at 8.5']);
    assert.deepEqual(dutiesAt(world, at(0, 8.5, 1)), []);
    assert.deepEqual(dutiesAt(world, at(0, 11)), ['revision at 11']);
    assert.deepEqual(dutiesAt(world, at(0, 12.5)), ['revision at 12.5']);
    assert.deepEqual(dutiesAt(world, at(0, 14)), ['revision at 14']);
    assert.deepEqual(dutiesAt(world, (at(0, 15) - 1) as EpochMs), []);
    assert.deepEqual(dutiesAt(world, at(0, 15)), [
      'SharesWithContracts',
      'Contracts',
      'ExpiringContracts',
      'UnfundedDeliveries',
    ]);
    assert.deepEqual(dutiesAt(world, at(0, 15, 1_200)), ['OtherShares']);
    assert.deepEqual(dutiesAt(world, at(0, 15.5)), ['revision at 15.5']);
    assert.deepEqual(dutiesAt(world, at(0, 23)), []);
  });

  it('is made up for by a process that begins late: every cut-off, and the last revision alone', () => {
    const duties = dutiesAt(open(), at(0, 18));
    assert.deepEqual(duties.sort(), [
      'Contracts',
      'ExpiringContracts',
      'OtherShares',
      'SharesWithContracts',
      'UnfundedDeliveries',
      'revision at 15.5',
    ]);
  });

  it('waits for the day when that is a Monday and it is Saturday', () => {
    const world = open(WEEKDAYS, { day: (DAY + 7) as IstDay });
    assert.deepEqual(dutiesAt(world, at(5, 16)), []);
    assert.deepEqual(dutiesAt(world, at(7, 8)), []);
    assert.equal(dutiesAt(world, at(7, 15)).length, 5);
  });

  it('has a look at losses every minute, and at once after a cut-off', () => {
    const world = open();
    const looks = (seconds: number): boolean => world.driver.isTimeToLook(at(0, 14, seconds));
    assert.deepEqual([0, 1, 59, 60, 61].map(looks), [true, false, false, true, false]);
    const { driver } = world;
    assert.equal(driver.isTimeToLook(at(0, 15)), true);
    assert.ok(driver.dueDuties(at(0, 15, 5)).length > 0);
    assert.equal(driver.isTimeToLook(at(0, 15, 5)), true);
  });
});

describe('the SPAN files of a day', () => {
  it('are put in force when the day begins, and before the steps of its end', () => {
    const world = open();
    const files = new Map([[DAY as number, ['a', 'b']]]);
    const driver = new DayDriver(() => world.state, WEEKDAYS, { spanFilesOn: (day) => files.get(day) ?? [] });
    const { riskTick } = world.state;
    const revision = (spanFiles: readonly string[]) => {
      return { command: { type: 'ReviseMargins', tick: riskTick, spanFiles }, at: istInstant(world.state.day) };
    };
    assert.deepEqual(driver.dueBoundary(at(1, 9)), revision(['a', 'b']));
    world.state = { ...world.state, riskFiles: ['a', 'b'] };
    assert.equal(driver.dueBoundary(at(1, 9))?.command.type, 'EndDay');
    world.state = { ...world.state, day: (DAY + 1) as IstDay, riskFiles: [] };
    assert.equal(driver.dueBoundary(at(1, 9)), undefined);
    files.set(DAY + 1, ['c']);
    assert.deepEqual(driver.dueBoundary(at(1, 9)), revision(['c']));
  });

  it('of a Monday are put in force on the Saturday before it, at no later instant than that which it is', () => {
    const monday = (DAY + 7) as IstDay;
    const world = open(WEEKDAYS, { day: monday });
    const driver = new DayDriver(() => world.state, WEEKDAYS, { spanFilesOn: () => ['a'] });
    assert.deepEqual(
      [at(5, 0, 36), at(6, 12), at(7, 8)].map((now) => driver.dueBoundary(now)?.at),
      [at(5, 0, 36), at(6, 12), istInstant(monday)],
    );
  });

  it('are given up at a start when they were removed', () => {
    const world = open(WEEKDAYS, { riskFiles: ['a'] });
    const driver = new DayDriver(() => world.state, WEEKDAYS, { spanFilesOn: () => [] });
    const due = driver.dueBoundary(at(0, 9));
    assert.deepEqual(due?.command.type === 'ReviseMargins' && due.command.spanFiles, []);
  });

  it('are not looked at before the first day, nor when nobody imports any', () => {
    const files = { spanFilesOn: () => ['a'] };
    const fresh = open(WEEKDAYS, { day: 0 as IstDay });
    assert.equal(new DayDriver(() => fresh.state, WEEKDAYS, files).dueBoundary(at(0, 9))?.command.type, 'RollDay');
    const without = open(WEEKDAYS, { riskFiles: ['a'] });
    assert.equal(new DayDriver(() => without.state, WEEKDAYS).dueBoundary(at(0, 9)), undefined);
  });
});

describe('the reviews of ban periods', () => {
  const shares = [1, 2, 3] as InstrumentId[];
  const limitedShares = () => shares;
  const next = (driver: DayDriver, count: number): (number | undefined)[] =>
    Array.from({ length: count }, () => driver.dueReview()?.underlying);

  it('are one of each share with a limit, and of each beyond it, once a day', () => {
    const world = open();
    world.state = { ...world.state, overLimit: new Map([2, 9].map((id) => [id as InstrumentId, {} as never])) };
    const driver = new DayDriver(() => world.state, WEEKDAYS, { limitedShares });
    assert.deepEqual(next(driver, 6), [1, 2, 3, 9, undefined, undefined]);
    world.state = { ...world.state, day: (DAY + 1) as IstDay };
    assert.deepEqual(next(driver, 2), [1, 2]);
    world.state = { ...world.state, day: (DAY + 2) as IstDay, overLimit: new Map() };
    assert.deepEqual(next(driver, 4), [1, 2, 3, undefined]);
  });

  it('begin at the first share once more after a start', () => {
    const world = open();
    assert.deepEqual(next(new DayDriver(() => world.state, WEEKDAYS, { limitedShares }), 2), [1, 2]);
    assert.deepEqual(next(new DayDriver(() => world.state, WEEKDAYS, { limitedShares }), 2), [1, 2]);
  });

  it('are none before the first day, at the end of a day, and where no share has a limit', () => {
    for (const more of [{ day: 0 as IstDay }, { dayEnd: 'Charges' as DayEndStep }]) {
      const world = open(WEEKDAYS, more);
      assert.equal(new DayDriver(() => world.state, WEEKDAYS, { limitedShares }).dueReview(), undefined);
    }
    const world = open();
    assert.equal(world.driver.dueReview(), undefined);
  });
});
